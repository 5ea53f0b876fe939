import type { Handle } from '../call/call.ts'
import { makeResponse } from '../fetch/make-response.ts'
import { readRequest } from '../fetch/read-request.ts'
import { begin } from './begin.ts'
import type { PetMock, PetMockOptions } from './pet-mock.ts'

/** pet-mock in this process: no socket, no port. */
export interface InProcessPetMock extends PetMock {
  /** What the global `fetch` would do, were pet-mock at `url`: a client that takes a `fetch` can be given this one. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>
  /** Answers a call at once, as every door does: one call is one indivisible step. */
  readonly handle: Handle
}

/** A name of this machine (RFC 6761, section 6.3) at which nothing listens: only this mock's own `fetch` knows it. */
const url = 'http://pet-mock.localhost/v1'

/** Makes a pet-mock in this process. Throws an Error when the scenario cannot be. */
export function createPetMock(options: PetMockOptions = {}): InProcessPetMock {
  const { emulator, petMock } = begin(options)
  const { handle } = emulator
  return {
    ...petMock(url, async () => {}),
    handle,
    fetch: async (input, init) => makeResponse(handle(await readRequest(new Request(input, init)))),
  }
}
