import { env } from 'node:process'
import { isServed, startFromEnvironment } from './test-server.ts'

/**
 * Starts one server for the whole suite, and returns what stops it. The workers get its addresses from the environment.
 * Configure it in vitest, Playwright or Jest with `globalSetup: 'pet-mock/global-setup'`. Below `pet-mock exec` it uses the
 * existing server.
 */
export default async function setUp(): Promise<() => Promise<void>> {
  if (isServed()) return async () => {}
  // Jest does not call what a setup returns, and waits for every open server.
  const mock = await startFromEnvironment({ unref: true })
  env.PET_MOCK_URL = mock.url
  env.PET_MOCK_KEY = mock.key
  env.PET_MOCK_ADMIN = new URL('/__admin', mock.url).href
  return mock.close
}
