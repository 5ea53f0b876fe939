/* The exports of `pet-mock/vitest`. */
import { test as base, type TestAPI } from 'vitest'
import type { PetMock } from '../testing/pet-mock.ts'
import { checkVitest, installedVitest } from './check-vitest.ts'
import { type SandboxFixtures, useSandbox, useServer } from './test-server.ts'

export interface PetMockFixtures extends SandboxFixtures {
  /** The server of the sandboxes: the suite's or this worker's. */
  readonly petMockServer: PetMock
}

checkVitest(installedVitest())

/** vitest's `test`, with a sandbox for each test. When a test fails, it prints the test's requests. */
export const test: TestAPI<PetMockFixtures> = base.extend<PetMockFixtures>({
  // The runner reads the names of fixtures from the pattern.
  petMockServer: [async ({}, use) => useServer(use), { scope: 'worker' }],
  petMockScenario: undefined,
  petMock: async ({ petMockServer: server, petMockScenario: scenario, task }, use) => {
    const hasFailed = () => task.result?.state === 'fail'
    await useSandbox(server, scenario, task.name, hasFailed, use)
  },
})
/** The same as `test`. */
export const it = test
