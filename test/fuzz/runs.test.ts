import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, vi } from 'vitest'
import { checkLane } from '../../tools/fuzz/check-lane.ts'
import { watchLane } from '../../tools/fuzz/watch-lane.ts'
import { directoryWith } from '../support/directory.ts'
import { lanes } from './planted-lanes.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

function fuzz(...args: readonly string[]) {
  return spawnSync(process.execPath, ['--import', 'tsx', 'tools/fuzz/main.ts', ...args], {
    cwd: root,
    encoding: 'utf8',
  })
}

it('finds nothing in a short run, and says how many inputs of each kind it had', { timeout: 300_000 }, () => {
  const { status, stdout } = fuzz('--runs', '1500', '--seed', '1')
  expect({ status, stdout }).toEqual({
    status: 0,
    stdout: expect.stringMatching(/inputs, nothing found\.\n\nSeed 1, /),
  })
  for (const lane of [
    'http',
    'mangled',
    'plane',
    'core',
    'fetch',
    'scenario',
    'fixtures',
    'state',
    'contract',
    'har',
    'command',
  ])
    expect(stdout).toMatch(new RegExp(String.raw`^\| ${lane} +\|.+\| [1-9][\d,]* +\| [1-9][\d,]* +\|`, 'm'))
})

it.each([
  ['endless', /^No case ended within 3 s of CPU time: it hangs\.$/],
  ['crash', /out of the blue/],
])('finds an %s lane, and the case that began last', { timeout: 300_000 }, async (name, problem) => {
  const module = new URL('planted-lanes.ts', import.meta.url).href
  const { failure } = await watchLane(module, name, { seed: 1, inputs: 9 }, 3_000)
  expect(failure?.problem).toMatch(problem)
  expect(failure?.path).toBe('2')
})

it('leaves no server behind when it ends a lane that hangs', { timeout: 300_000 }, async () => {
  const file = join(directoryWith({}), 'port')
  vi.stubEnv('PORT_FILE', file)
  const module = new URL('planted-lanes.ts', import.meta.url).href
  const { failure } = await watchLane(module, 'server', { seed: 1, inputs: 9 }, 3_000)
  expect(failure?.problem).toMatch(/it hangs/)
  const url = `http://127.0.0.1:${readFileSync(file, 'utf8')}/__admin/health`
  const answers = () =>
    fetch(url).then(
      () => true,
      () => false,
    )
  await expect.poll(answers).toBe(false)
})

it('finds fault with a lane that had no input', async () => {
  const [lane] = lanes.slice(-1)
  if (lane === undefined) throw new Error('no lane')
  const { failure } = await checkLane({ ...lane, perCase: 1 }, { seed: 1, inputs: 9, ms: 0 })
  expect(failure?.problem).toMatch(/^No input was checked/)
})

it.each([
  [['nothing'], /there is no lane nothing[\s\S]* mangled /],
  [['--path', '1:2', '--seed', '1'], /--path needs one lane and its --seed/],
] as const)('refuses %j', (args, complaint) => {
  const { status, stdout, stderr } = fuzz(...args)
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toMatch(complaint)
})
