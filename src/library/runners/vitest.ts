/* What `import … from 'pet-mock/vitest'` gives. */
import { test as base, type TestAPI } from 'vitest'
import type { PetMock, ScenarioChoice, ScenarioPath } from '../testing/pet-mock.ts'
import { journalText } from './journal-text.ts'
import { openTestSandbox, openTestServer } from './test-server.ts'

export interface PetMockFixtures {
  /** A sandbox of this test's own: no other test sees its pets, counts, bans, clock or journal. */
  readonly petMock: PetMock
  /** What the sandbox starts from, if not from the server's scenario. */
  readonly petMockScenario: ScenarioChoice | ScenarioPath | undefined
  /** The server that the sandboxes are in: the suite's, or this worker's own. */
  readonly petMockServer: PetMock
}

/** vitest's `test`, with a sandbox for each test. When a test fails, what it asked is printed. */
export const test: TestAPI<PetMockFixtures> = base.extend<PetMockFixtures>({
  petMockServer: [
    // The runner reads from the pattern which fixtures are wanted.
    async ({}, use) => {
      const server = await openTestServer()
      await use(server)
      await server.close()
    },
    { scope: 'worker' },
  ],
  petMockScenario: undefined,
  petMock: async ({ petMockServer, petMockScenario, task }, use) => {
    const sandbox = await openTestSandbox(petMockServer, task.name, petMockScenario)
    await use(sandbox)
    if (task.result?.state === 'fail') console.error(await journalText(sandbox, task.name))
    await sandbox.close()
  },
})
/** The same, by its other name. */
export const it = test
