/* The exports of `pet-mock/playwright`. */
import {
  test as base,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestType,
} from '@playwright/test'
import type { PetMock } from '../testing/pet-mock.ts'
import { sendInSandbox } from './sandbox-request.ts'
import { type SandboxFixtures, useSandbox, useServer } from './test-server.ts'

export interface PetMockFixtures extends SandboxFixtures {
  /**
   * Requests from the test's pages, and from `request` of the test, its page and its context, use the sandbox's key
   * instead of the app's. Default: true. If false, give the app `petMock.key`.
   */
  readonly petMockAuthorization: boolean
}

export interface PetMockWorkerFixtures {
  /** The server of the sandboxes: the suite's or this worker's. */
  readonly petMockServer: PetMock
}

/** Playwright's `test`, with a sandbox for each test. When a test fails, it prints the test's requests. */
export const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & PetMockFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & PetMockWorkerFixtures
> = base.extend<PetMockFixtures, PetMockWorkerFixtures>({
  // The runner reads the names of fixtures from the pattern.
  petMockServer: [async ({}, use) => useServer(use), { scope: 'worker' }],
  petMockScenario: [undefined, { option: true }],
  petMockAuthorization: [true, { option: true }],
  petMock: async ({ petMockServer: server, petMockScenario: scenario }, use, testInfo) => {
    const hasFailed = () => testInfo.status !== testInfo.expectedStatus
    await useSandbox(server, scenario, testInfo.title, hasFailed, use)
  },
  extraHTTPHeaders: async ({ extraHTTPHeaders, petMock, petMockAuthorization }, use) => {
    const authorization = { Authorization: `Bearer ${petMock.key}` }
    await use(petMockAuthorization ? { ...extraHTTPHeaders, ...authorization } : extraHTTPHeaders)
  },
  request: async ({ request, petMock, petMockAuthorization }, use) => {
    // Headers that a test gives win over extraHTTPHeaders.
    if (petMockAuthorization) sendInSandbox(request, petMock)
    await use(request)
  },
  context: async ({ context, petMock, petMockAuthorization }, use) => {
    // The page uses the same `request`.
    if (petMockAuthorization) sendInSandbox(context.request, petMock)
    await use(context)
  },
})

export { expect } from '@playwright/test'
