import { join } from 'node:path'
import { defineConfig, type Plugin, type TestProjectInlineConfiguration } from 'vitest/config'
import { doorSuites, leftOut } from './test/support/lanes.ts'
import { isMsw3, msw3 } from './test/support/msw-version.ts'

const slow = Object.values(leftOut).flat()

/** One module graph per worker: importing everything anew for each file took half of the time of the quick lane. */
const isolate = false

const timed = [
  'test/soak/conduct-clients.test.ts',
  'test/judges/fleet/agreement.test.ts',
  // Jest gives a test five seconds, and a worker half a second to end.
  'test/library/runners/jest.test.ts',
]

const quick: TestProjectInlineConfiguration = {
  extends: true,
  test: {
    name: 'quick',
    include: ['test/**/*.test.ts'],
    exclude: slow,
    isolate,
    // Some tests wait for processes and clocks.
    maxWorkers: 3,
  },
}

const rest: TestProjectInlineConfiguration = {
  extends: true,
  test: {
    name: 'rest',
    include: [...slow.map(glob => glob.replace(/\*\*$/, '**/*.test.ts')), ...doorSuites()],
    exclude: timed,
    isolate,
    env: { TEST_DOORS: 'browser' },
    // Some tests wait for clients and clocks. Browsers and processes keep both processors busy.
    maxWorkers: 3,
    // On a busy machine, a browser or a process may take longer than a test waits. The reporter lists each second try.
    retry: 1,
    sequence: { groupOrder: 1 },
  },
}

/** The behaviour of the API, once more in the page of the built site. */
const site: TestProjectInlineConfiguration = {
  extends: true,
  test: {
    name: 'site',
    include: ['test/api/**/*.test.ts'],
    isolate,
    env: { TEST_DOORS: 'site' },
    maxWorkers: 3,
    retry: 1,
    sequence: { groupOrder: 1 },
  },
}

/** Run after all others, one after the other: the machine would delay the clients whose pauses are judged or counted. */
const alone: TestProjectInlineConfiguration = {
  extends: true,
  test: { name: 'alone', include: timed, maxWorkers: 1, sequence: { groupOrder: 2 } },
}

/** Takes `msw` from a folder of its own. */
const fromMsw3: Plugin = {
  name: 'msw-3',
  enforce: 'pre',
  resolveId(name) {
    return /^msw(?:\/|$)/.test(name) ? this.resolve(name, join(msw3, 'any.js'), { skipSelf: true }) : null
  },
}

/** `vitest run` runs the quick lane, `--mode rest` the other one, `--mode all` both. */
export default defineConfig(({ mode }) => ({
  plugins: isMsw3 ? [fromMsw3] : [],
  test: {
    reporters: ['default', './test/support/counts-reporter.ts'],
    // They end a test that hangs, also on a machine with other work.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // The tests start real servers and browsers, and the smallest machine that we support has two cores.
    maxWorkers: 2,
    projects: mode === 'all' ? [quick, rest, site, alone] : mode === 'rest' ? [rest, site, alone] : [quick],
  },
}))
