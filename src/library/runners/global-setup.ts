import { isServed, startTestServer } from './test-server.ts'

/**
 * Starts one server for the whole suite, and returns what stops it. Configure it in vitest or Playwright with
 * `globalSetup: 'pet-mock/global-setup'`. Below `pet-mock exec` it uses the existing server.
 */
export default async function setUp(): Promise<() => Promise<void>> {
  if (isServed()) return async () => {}
  const mock = await startTestServer()
  return mock.close
}
