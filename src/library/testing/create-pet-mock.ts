import { fetchFrom } from '../../doors/fetch/fetch-from.ts'
import type { Handle } from '../../service/call/call.ts'
import { PetMockError } from '../client/pet-mock-error.ts'
import { afterChanges } from './after-changes.ts'
import { assemble } from './assemble.ts'
import { checkOptions, type OptionNames } from './check-options.ts'
import type { PetMock, PetMockOptions } from './pet-mock.ts'
import { readScenarioFile } from './read-files.ts'
import { sendInProcess } from './send-in-process.ts'
import { settleChoice, startEmulator } from './start-emulator.ts'

/** pet-mock in this process, without a socket. */
export interface InProcessPetMock extends PetMock {
  /** A `fetch` for clients that accept one: it behaves as if pet-mock were served at `url`. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>
  /** Answers a call synchronously: each call is one indivisible step. Await changes before it. */
  readonly handle: Handle
  readonly sandbox: (name: string) => InProcessPetMock
}

/** A name of this machine (RFC 6761, section 6.3). Only this mock's `fetch` answers there. */
const url = 'http://pet-mock.localhost/v1'

const names: OptionNames<PetMockOptions> = { scenario: true, mask: true }

/** Creates a pet-mock in this process. Throws a PetMockError for an invalid scenario or option. */
export function createPetMock(options: PetMockOptions = {}): InProcessPetMock {
  checkOptions('createPetMock', options, names)
  checkGlobals()
  const { scenario = 'free-plan', mask } = options
  const { emulator, keysOf } = startEmulator(settleChoice(scenario, 'fetch'), mask, 'fetch')
  const { handle } = emulator
  const { send, inOrder } = afterChanges(sendInProcess(emulator, 'fetch'))
  const fetch = fetchFrom(inOrder(handle))
  const withDoor = (mock: PetMock): InProcessPetMock => {
    const { sandbox } = mock
    // A copy would keep the keys of this moment.
    return Object.assign(mock, { fetch, handle, sandbox: (name: string) => withDoor(sandbox(name)) })
  }
  return withDoor(assemble({ url, keysOf, send, readScenarioFile, close: async () => {} }))
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
