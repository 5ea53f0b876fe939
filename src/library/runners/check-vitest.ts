import { createRequire } from 'node:module'

/** Older versions ignore `test.extend({ petMockScenario })`: a test would run in another scenario than its own. */
export const oldestVitest = '4.1'

/**
 * Throws an Error if the project's vitest is too old. The package declares no range of versions: npm would refuse to
 * install it beside an older vitest, even for somebody who needs the command only (docs/decisions/0028).
 */
export function checkVitest(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [oldestMajor = 0, oldestMinor = 0] = oldestVitest.split('.').map(Number)
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return
  throw new Error(
    `pet-mock/vitest needs vitest ${oldestVitest} or newer; this project has ${version}. Update vitest, or call startPetMock in your tests.`,
  )
}

/** The version of the vitest that runs this test. */
export function installedVitest(): string {
  return createRequire(import.meta.url)('vitest/package.json').version
}
