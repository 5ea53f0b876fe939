import type { Send } from '../client/ask-plane.ts'

/** An emulator of this page, as the dashboard and the panel reach it. */
export interface NearEmulator {
  /** Sends a request to the admin plane. `target`: the path below `/__admin`, and the query. */
  readonly send: Send
  /** The event stream of the admin plane, until it is aborted. */
  readonly events: (signal: AbortSignal) => Promise<Response>
  /** Calls the API: a method and a target, such as `/v1/pets`. */
  readonly callApi: (target: string, init: RequestInit) => Promise<Response>
  /** The URL before `/v1`. */
  readonly origin: string
}

/** Where the dashboard and the panel look for it: in the page, or at the frame that shows them. */
export const nearName = Symbol.for('pet-mock.near')
