/* What `import … from 'pet-mock/playwright'` gives. */
import {
  test as base,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestType,
} from '@playwright/test'
import type { PetMock, ScenarioChoice, ScenarioPath } from '../testing/pet-mock.ts'
import { journalText } from './journal-text.ts'
import { openTestSandbox, openTestServer } from './test-server.ts'

export interface PetMockFixtures {
  /** A sandbox of this test's own: no other test sees its pets, counts, bans, clock or journal. */
  readonly petMock: PetMock
  /** What the sandbox starts from, if not from the server's scenario. */
  readonly petMockScenario: ScenarioChoice | ScenarioPath | undefined
  /**
   * Whether what the test's pages and its `request` send bears the sandbox's key, in the place of the key that the app
   * was built with. Default: true. Without it, an app must be told `petMock.key`.
   */
  readonly petMockAuthorization: boolean
}

export interface PetMockWorkerFixtures {
  /** The server that the sandboxes are in: the suite's, or this worker's own. */
  readonly petMockServer: PetMock
}

/** Playwright's `test`, with a sandbox for each test. When a test fails, what it asked is printed. */
export const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & PetMockFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & PetMockWorkerFixtures
> = base.extend<PetMockFixtures, PetMockWorkerFixtures>({
  petMockServer: [
    // The runner reads from the pattern which fixtures are wanted.
    async ({}, use) => {
      const server = await openTestServer()
      await use(server)
      await server.close()
    },
    { scope: 'worker' },
  ],
  petMockScenario: [undefined, { option: true }],
  petMockAuthorization: [true, { option: true }],
  petMock: async ({ petMockServer, petMockScenario }, use, testInfo) => {
    const { title } = testInfo
    const sandbox = await openTestSandbox(petMockServer, title, petMockScenario)
    await use(sandbox)
    if (testInfo.status !== testInfo.expectedStatus) console.error(await journalText(sandbox, title))
    await sandbox.close()
  },
  extraHTTPHeaders: async ({ extraHTTPHeaders, petMock, petMockAuthorization }, use) => {
    const authorization = { Authorization: `Bearer ${petMock.key}` }
    await use(petMockAuthorization ? { ...extraHTTPHeaders, ...authorization } : extraHTTPHeaders)
  },
})

export { expect } from '@playwright/test'
