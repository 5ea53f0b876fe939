import { writeFile } from 'node:fs/promises'
import {
  type APIRequestContext,
  test as base,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestType,
} from '@playwright/test'
import type { PetMock, PetMockSandbox } from '../testing/pet-mock.ts'
import { type SandboxFixtures, useSandbox, useServer } from './test-server.ts'

/* The exports of `pet-mock/playwright`. */

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

/** Playwright's `test`, with a sandbox for each test. When a test fails, it prints the test's requests and attaches its box. */
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
    const keep = async (box: Uint8Array) => {
      // Reporters print the path of a file.
      const path = testInfo.outputPath('run.petbox')
      await writeFile(path, box)
      await testInfo.attach('run.petbox', { path, contentType: 'application/gzip' })
    }
    await useSandbox(server, scenario, testInfo.title, hasFailed, use, keep)
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

/**
 * Makes a request context send a key of pet-mock with the sandbox of `mock`, where a test gives the key without one.
 * Other credentials stay as they are. All methods of the context send by `fetch`.
 */
function sendInSandbox(request: APIRequestContext, mock: PetMockSandbox): void {
  const fetch = request.fetch.bind(request)
  request.fetch = async (target, options) => {
    const given = options?.headers ?? (typeof target === 'string' ? {} : target.headers())
    const headers = await inSandbox(given, mock)
    return await fetch(target, headers === given ? options : { ...options, headers })
  }
}

type Headers = Record<string, string>

async function inSandbox(headers: Headers, { key, keys }: PetMockSandbox): Promise<Headers> {
  const sandbox = key.slice(key.lastIndexOf('+'))
  const [name, value] = Object.entries(headers).find(([name]) => /^authorization$/i.test(name)) ?? []
  const [, given] = /^Bearer +(.+)$/i.exec(value ?? '') ?? []
  if (name === undefined || given === undefined || given.endsWith(sandbox)) return headers
  // Scenarios and tests add keys of their own.
  const known = await keys.list()
  return known.some(({ key }) => key === given)
    ? { ...headers, [name]: `Bearer ${given}${sandbox}` }
    : headers
}
