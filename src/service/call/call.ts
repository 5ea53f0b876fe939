import type { Fault } from './fault.ts'

/**
 * What a door reads and what it writes: plain values, the same for HTTP, for MSW and for a test.
 *
 *     socket, Request, test  ->  Call  ->  Handle  ->  Reply  ->  socket, Response, test
 */
export interface Call {
  /** As sent, upper case by convention: methods are case-sensitive (RFC 9110, section 9.1). */
  readonly method: string
  /** The request target exactly as sent: `/v1/pets?limit=5`, or an absolute-form URL (RFC 9112, section 3.2). */
  readonly target: string
  /** Names and values in turn, in the order received, repeated ones included (Node's `rawHeaders`). */
  readonly headers: readonly string[]
  /** `too-large`: the door stopped reading at the limit (A16: 1 MiB). */
  readonly body: Uint8Array | 'too-large' | undefined
  readonly scheme: 'http' | 'https'
  /** Address of the caller, for the quota of calls without a key (A04). */
  readonly client: string
  /**
   * Which of the client's connections brought it, where the door has connections: a call on one that has brought a
   * refusal was made after it. Numbers come again when connections are closed.
   */
  readonly connection?: number | undefined
  /** The door's own clock on arrival: milliseconds since the epoch. Nothing below the doors reads real time. */
  readonly receivedAt: number
}

/** Bytes of a body; what is longer is not read (A16). */
export const maxBody = 1_048_576

export interface Reply {
  readonly status: number
  /** Everything that goes on the wire but what the transport itself adds (`Connection`, `Keep-Alive`). */
  readonly headers: Readonly<Record<string, string>>
  /** Absent for HEAD and 204; `Content-Length` then still tells the length that GET would have. */
  readonly body: string | undefined
  /**
   * `body` in UTF-8, a character for each byte, where that is known already: a door that writes bytes need not encode
   * it. Writing a text that is not ASCII costs a door as much as all the rest of a call.
   */
  readonly octets?: string | undefined
  /** How long the door holds the reply back, in milliseconds of the client's time, whatever the clock does. */
  readonly delayMs?: number
  /** How the door breaks the reply on its way. */
  readonly fault?: Fault
}

export type Handle = (call: Call) => Reply

/** As `Handle`, but what is open in the specification may take a moment: a door waits only for what is a promise. */
export type LateHandle = (call: Call) => Reply | Promise<Reply>
