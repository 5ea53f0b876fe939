/*
 * Tries mutants one after another in one process: the code of all of them is loaded once, and a switch makes one the
 * active one.
 */
import { env } from 'node:process'
import type { File, Test } from '@vitest/runner'
import { getTests } from '@vitest/runner/utils'
import fc from 'fast-check'
import type { ChosenTests, LeftOut, MeasuredTest, Order, Report } from './messages.ts'
import { stayInside } from './stay-inside.ts'
import { runTests, switches } from './test-runner.ts'
import { settles, startWatchdog } from './watchdog.ts'

const { MUTATION_TREE: root = '', MUTATION_SOURCES: sources = '[]', MUTATION_ACTIVE: active } = env

const allow = startWatchdog()
allow(60_000)
stayInside()
fc.configureGlobal({ seed: 1 })
if (active !== undefined) switches.activeMutant = active
try {
  for (const source of JSON.parse(sources)) await import(`${root}/${source}`)
} catch (error) {
  // With a mutant that is active at load, this is a kill: the tests that import the file report it.
  if (active === undefined) throw error
}
process.on('message', (order: Order) => {
  const answer = order.type === 'measure' ? measure(order.files) : tryMutant(order)
  answer.then(report, error => {
    process.stderr.write(`${error?.stack}\n`)
    process.exit(1)
  })
})
report({ type: 'ready' })

function report(value: Report): void {
  process.send?.(value)
}

/** Milliseconds of the processor. */
const slowTest = 1_000

/** Runs the quick tests twice: the second time shows what a test needs of its first time. */
async function measure(files: readonly string[]): Promise<Report> {
  const atLoad = Object.keys(switches.mutantCoverage.static)
  const tests: MeasuredTest[] = []
  const leftOut: LeftOut[] = []
  for (const file of files) {
    allow(300_000)
    const first = await runTests(root, { file })
    const leave = (test: string, reason: string) => leftOut.push({ file, test, reason })
    const all = getTests(first.file)
    if (all.length === 0) leave('all tests', messageOf(first.file))
    for (const test of all) if (test.result?.state !== 'pass') leave(test.fullTestName, messageOf(test))
    const passed = all.filter(({ result }) => result?.state === 'pass')
    const quick = passed.filter(({ id }) => (first.ms.get(id) ?? 0) < slowTest)
    for (const test of passed) if (!quick.includes(test)) leave(test.fullTestName, 'slow')
    const second = await runTests(root, { file, ids: quick.map(({ id }) => id) }, false)
    const quickIds = new Set(quick.map(({ id }) => id))
    for (const test of getTests(second.file)) {
      if (test.result?.state === 'pass') tests.push({ file, id: test.id, ms: second.ms.get(test.id) ?? 0 })
      else if (quickIds.has(test.id)) leave(test.fullTestName, `the second time: ${messageOf(test)}`)
    }
  }
  return { type: 'measured', tests, leftOut, atLoad, coverage: switches.mutantCoverage.perTest }
}

function messageOf({ result, mode }: Test | File): string {
  return (result?.errors?.[0]?.message ?? result?.state ?? mode).split('\n', 1).join('').slice(0, 120)
}

async function tryMutant({
  mutant,
  tests,
  hitLimit,
  limit,
}: Extract<Order, { type: 'try' }>): Promise<Report> {
  allow(limit)
  switches.activeMutant = mutant
  if (hitLimit === undefined) delete switches.hitLimit
  else Object.assign(switches, { hitCount: 0, hitLimit })
  for (const chosen of tests) {
    const running = runTests(root, chosen)
    if (!(await settles(running))) {
      const killer = { file: chosen.file, test: '', message: 'never ends' }
      return { type: 'tried', killer, witness: chosen, isDirty: true }
    }
    const { failed, message, file } = await running
    if (failed === undefined && message === undefined) continue
    const killer = {
      file: chosen.file,
      test: failed?.fullName ?? file.name,
      message: (message ?? '').slice(0, 200),
    }
    const witness = { file: chosen.file, ids: failed ? [failed.id] : chosen.ids }
    // An error outside the tests may be the late work of an earlier mutant.
    const isDirty = active !== undefined || failed === undefined || (await failsWithout(witness))
    return { type: 'tried', killer, witness, isDirty }
  }
  return { type: 'tried', isDirty: false }
}

async function failsWithout(tests: ChosenTests): Promise<boolean> {
  delete switches.activeMutant
  delete switches.hitLimit
  delete switches.hitCount
  const { failed, message } = await runTests(root, tests)
  return failed !== undefined || message !== undefined
}
