import { fetchFrom } from '../../doors/fetch/fetch-from.ts'
import type { Handle } from '../../service/call/call.ts'
import { assemble } from './assemble.ts'
import type { PetMock, PetMockOptions } from './pet-mock.ts'
import { readScenarioFile } from './read-scenario-file.ts'
import { sendInProcess } from './send-in-process.ts'
import { begin, settleChoice } from './start-emulator.ts'

/** pet-mock in this process: no socket, no port. */
export interface InProcessPetMock extends PetMock {
  /** What the global `fetch` would do, were pet-mock at `url`: a client that takes a `fetch` can be given this one. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>
  /** Answers a call at once, as every door does: one call is one indivisible step. */
  readonly handle: Handle
  readonly sandbox: (name: string) => InProcessPetMock
}

/** A name of this machine (RFC 6761, section 6.3) at which nothing listens: only this mock's own `fetch` knows it. */
const url = 'http://pet-mock.localhost/v1'

/** Makes a pet-mock in this process. Throws a PetMockError when the scenario cannot be. */
export function createPetMock({ scenario = 'free-plan' }: PetMockOptions = {}): InProcessPetMock {
  const { emulator, facts } = begin(settleChoice(scenario))
  const { handle } = emulator
  const fetch = fetchFrom(handle)
  const withDoor = (mock: PetMock): InProcessPetMock => ({
    ...mock,
    fetch,
    handle,
    sandbox: name => withDoor(mock.sandbox(name)),
  })
  const send = sendInProcess(emulator)
  return withDoor(assemble({ url, ...facts, send, readScenarioFile, close: async () => {} }))
}
