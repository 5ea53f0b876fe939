import { type File, startTests, type Test, type VitestRunner } from '@vitest/runner'
import { getTests } from '@vitest/runner/utils'
import { expect, vi } from 'vitest'
import type { ChosenTests } from './messages.ts'

interface Switches {
  activeMutant?: string
  currentTestId?: string
  readonly mutantCoverage: { static: Record<string, number>; perTest: Record<string, Record<string, number>> }
  hitCount?: number
  hitLimit?: number
}

export const switches: Switches = { mutantCoverage: { static: {}, perTest: {} } }
Object.assign(globalThis, {
  __stryker__: switches,
  // vitest's own worker sets this: its fake timers and `stubEnv` read it.
  __vitest_worker__: {
    config: { fakeTimers: {}, snapshotOptions: {} },
    providedContext: {},
    metaEnv: process.env,
  },
})

interface Run {
  readonly file: File
  readonly failed: Test | undefined
  readonly message: string | undefined
  /** Milliseconds of the processor, by the test's id. */
  readonly ms: ReadonlyMap<string, number>
}

let imports = 0
let stray: unknown
for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, error => {
    stray ??= error
  })
}

/**
 * Runs the chosen tests of a file, or all of it, until one fails. The file's own code runs anew each time, what it
 * imports does not.
 */
export async function runTests(
  root: string,
  { file, ids }: Partial<ChosenTests> & { file: string },
  stopsAtFailure = ids !== undefined,
): Promise<Run> {
  const chosen = ids && new Set(ids)
  const ms = new Map<string, number>()
  let failed: Test | undefined
  let started = process.cpuUsage()
  stray = undefined
  const runner: VitestRunner = {
    config: runnerConfig(root),
    importFile: path => {
      switches.currentTestId = file
      imports++
      return import(`${path.replace(/ts$/, 'js')}?${imports}`)
    },
    onCollected: files => {
      for (const test of files.flatMap(getTests)) if (chosen?.has(test.id) === false) test.mode = 'skip'
    },
    onBeforeRunTask: test => {
      if (failed && stopsAtFailure) test.mode = 'skip'
    },
    onBeforeTryTask: test => {
      switches.currentTestId = test.id
      started = process.cpuUsage()
      expect.setState({ currentTestName: test.name, testPath: test.file.filepath, assertionCalls: 0 })
    },
    onAfterRetryTask: () => {
      switches.currentTestId = file
    },
    onAfterRunTask: test => {
      const { user, system } = process.cpuUsage(started)
      ms.set(test.id, (user + system) / 1000)
      if (test.result?.state === 'fail') failed ??= test
    },
  }
  const [run] = await startTests([`${root}/${file}`], runner)
  vi.useRealTimers()
  delete switches.currentTestId
  if (run === undefined) throw new Error(`no run of ${file}`)
  // What a file checks after its tests holds only if all of them ran: its own errors count if none did.
  const hasRun = getTests(run).some(({ result }) => result?.state === 'pass' || result?.state === 'fail')
  const errors = failed?.result?.errors ?? (hasRun ? undefined : run.result?.errors)
  const message = errors?.[0]?.message ?? (stray === undefined ? undefined : String(stray))
  return { file: run, failed, message, ms }
}

function runnerConfig(root: string): VitestRunner['config'] {
  return {
    root,
    name: undefined,
    setupFiles: [],
    passWithNoTests: true,
    sequence: { shuffle: false, concurrent: false, seed: 1, hooks: 'stack', setupFiles: 'list' },
    maxConcurrency: 1,
    // The worker's watchdog has the limits.
    testTimeout: 0,
    hookTimeout: 0,
    retry: 0,
    includeTaskLocation: false,
    diffOptions: { truncateThreshold: 20 },
    allowOnly: false,
    tags: [],
    tagsFilter: undefined,
    strictTags: false,
    chaiConfig: undefined,
    testNamePattern: undefined,
  } as unknown as VitestRunner['config']
}
