import { env } from 'node:process'
import { isServed, startFromEnvironment } from './test-server.ts'

/**
 * Starts one server for the whole suite, and returns what stops it. The workers get its addresses from the environment.
 * Configure it in vitest or Playwright with `globalSetup: 'pet-mock/global-setup'`. Below `pet-mock exec` it uses the
 * existing server.
 */
export default async function setUp(): Promise<() => Promise<void>> {
  if (isServed()) return async () => {}
  const mock = await startFromEnvironment()
  env.PET_MOCK_URL = mock.url
  env.PET_MOCK_KEY = mock.key
  env.PET_MOCK_ADMIN = new URL('/__admin', mock.url).href
  return mock.close
}
