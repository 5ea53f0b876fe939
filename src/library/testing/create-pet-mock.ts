import { PetMockError } from '../client/pet-mock-error.ts'
import { checkOptions, commonNames } from './check-options.ts'
import { inProcess } from './in-process.ts'
import type { InProcessPetMock, PetMockOptions } from './pet-mock.ts'
import { readScenarioFile } from './read-files.ts'

/** Creates a pet-mock in this process. Throws a PetMockError for an invalid scenario or option. */
export function createPetMock(options: PetMockOptions = {}): InProcessPetMock {
  checkOptions('createPetMock', options, commonNames)
  checkGlobals()
  return inProcess(options, readScenarioFile).mock
}

/** Jest's jsdom hides these globals of Node. */
function checkGlobals(): void {
  const missing = ['Request', 'Response', 'TextEncoder', 'TextDecoder'].filter(name => !(name in globalThis))
  if (missing.length === 0) return
  throw new PetMockError(
    'missing_globals',
    `createPetMock: this environment has no ${missing.join(', ')}. Jest's jsdom hides them: set testEnvironment to jest-fixed-jsdom, or use connectPetMock, as docs/testing.md shows.`,
  )
}
