import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { TestChoice } from '../../tools/mutation/choose-tests.ts'
import type { Mutant } from '../../tools/mutation/mutants.ts'
import { Results } from '../../tools/mutation/results.ts'
import { writeTree } from '../../tools/mutation/tree.ts'
import { tryMutants } from '../../tools/mutation/try-room.ts'
import type { Measured } from '../../tools/mutation/worker/messages.ts'
import { WorkerProcess } from '../../tools/mutation/worker-process.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const source = 'test/mutation/toy/code.ts'
const file = 'test/mutation/toy/toy-tests.ts'
const tree = mkdtempSync(join(root, 'node_modules/.mutation-'))
const worker = new WorkerProcess(tree, [source])
let ids: readonly string[]
let measured: Measured | undefined

beforeAll(async () => {
  await writeTree(root, tree, ['tools/mutation/worker/worker.ts', source, file], new Map())
})

afterAll(() => {
  worker.end()
  rmSync(tree, { recursive: true })
})

const attempt = (mutant: string, isAtLoad = false) =>
  worker.try({ mutant, tests: [{ file, ids }], hitLimit: undefined, limit: 1_000 }, isAtLoad)

it('measures the tests that stay in the process, and which mutants they run', async () => {
  measured = await worker.measure([file])
  ids = measured?.tests.map(({ id }) => id) ?? []
  expect(measured).toMatchObject({ leftOut: [{ file, test: 'starts a process' }], atLoad: ['at-load'] })
  expect(measured?.leftOut).toHaveLength(1)
  expect(ids).toHaveLength(6)
  expect(ids.map(id => Object.keys(measured?.coverage[id] ?? {}))).toEqual([
    ['endless', 'always', 'boundary'],
    ['endless', 'always', 'boundary'],
    ['never-ends'],
    ['keeps'],
    ['spared'],
    ['spared'],
  ])
})

it('names the test that kills a mutant, and none for a survivor', async () => {
  expect(await attempt('always')).toMatchObject({
    isDirty: false,
    killer: { file, test: expect.stringContaining('refuses more than the limit') },
  })
  expect(await attempt('boundary')).toEqual({ type: 'tried', isDirty: false })
})

it('tries code that runs when its file loads in a process of its own', async () => {
  expect(await attempt('at-load')).toMatchObject({ isDirty: false })
  expect(await attempt('at-load', true)).toMatchObject({
    isDirty: true,
    killer: { test: expect.stringContaining('accepts less') },
  })
})

it('reports a process that keeps something of a mutant', async () => {
  expect(await attempt('keeps')).toMatchObject({ isDirty: true, killer: { file } })
  expect(await attempt('boundary')).toEqual({ type: 'tried', isDirty: false })
})

it('ends endless loops and promises that nothing settles', async () => {
  expect(await attempt('endless')).toBeUndefined()
  expect(await attempt('never-ends')).toMatchObject({ killer: { message: 'never ends' } })
})

it('counts no kill by a test that also fails without the mutant, when it runs alone', async () => {
  if (measured === undefined) throw new Error('nothing was measured')
  const mutants = ['spared', 'always', 'keeps', 'at-load', 'never-ends'].map(
    (id): Mutant => ({
      id,
      key: id,
      file: source,
      line: 1,
      start: 0,
      mutator: 'x',
      original: 'x',
      replacement: 'y',
    }),
  )
  // The first of the two tests that run `spared` is gone: the second one then meets the mutant alone.
  const [, , , , first] = ids
  const tests = measured.tests.filter(({ id }) => id !== first)
  const results = new Results(tree, join(tree, 'results.json'), [], 4_000, true)
  await tryMutants(mutants, new TestChoice({ ...measured, tests }, mutants, 4_000), worker, results, () => {})
  expect(mutants.map(({ key }) => results.get(key)?.status)).toEqual([
    'survived',
    'killed',
    'killed',
    'killed',
    'killed',
  ])
})

it('distinguishes a worker that somebody else ended from one that a mutant ended', async () => {
  const trying = attempt('endless')
  const { pid } = worker
  if (pid !== undefined) process.kill(pid, 'SIGKILL')
  await expect(trying).rejects.toThrow('from outside')
})
