import { isServed, startTestServer } from './test-server.ts'

/**
 * What a runner calls once for a suite, by `globalSetup: 'pet-mock/global-setup'` in the configuration of vitest or
 * Playwright: it starts one server for all workers, which the fixtures find, and gives what stops it. In
 * `pet-mock exec` there is a server already.
 */
export default async function setUp(): Promise<() => Promise<void>> {
  if (isServed()) return async () => {}
  const mock = await startTestServer()
  return mock.close
}
