import { defineConfig } from 'vitest/config'
import { mswPackage } from './test/support/msw-version.ts'

export default defineConfig({
  resolve: { alias: [{ find: /^msw(?=\/|$)/, replacement: mswPackage }] },
  test: {
    include: ['test/**/*.test.ts'],
    reporters: ['default', './test/support/counts-reporter.ts'],
    testTimeout: 20_000,
    // Two cores are what the smallest machine of ours has; the tests start real servers and real browsers.
    maxWorkers: 2,
  },
})
