import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    reporters: ['default', './test/support/counts-reporter.ts'],
    testTimeout: 20_000,
    // Two cores are what the smallest machine of ours has; the tests start real servers and real browsers.
    maxWorkers: 2,
  },
})
