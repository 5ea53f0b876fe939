import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { doorSuites, leftOut } from './test/support/lanes.ts'
import { mswPackage } from './test/support/msw-version.ts'

const slow = Object.values(leftOut).flat()

const quick: TestProjectInlineConfiguration = {
  extends: true,
  // One module graph per worker: importing everything anew for each file took half of the time.
  test: { name: 'quick', include: ['test/**/*.test.ts'], exclude: slow, isolate: false },
}

const rest: TestProjectInlineConfiguration = {
  extends: true,
  test: {
    name: 'rest',
    include: [...slow.map(glob => glob.replace(/\*\*$/, '**/*.test.ts')), ...doorSuites()],
    env: { TEST_DOORS: 'browser' },
  },
}

/** `vitest run` runs the quick lane, `--mode rest` the other one, `--mode all` both. */
export default defineConfig(({ mode }) => ({
  resolve: { alias: [{ find: /^msw(?=\/|$)/, replacement: mswPackage }] },
  test: {
    reporters: ['default', './test/support/counts-reporter.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 10_000 } },
    // The tests start real servers and browsers, and the smallest machine that we support has two cores.
    maxWorkers: 2,
    projects: mode === 'all' ? [quick, rest] : mode === 'rest' ? [rest] : [quick],
  },
}))
