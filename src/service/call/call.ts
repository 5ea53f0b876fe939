import type { Fault } from './fault.ts'

/**
 * What a door reads and writes: plain values, the same for HTTP, MSW and tests.
 *
 *     socket, Request, test  ->  Call  ->  Handle  ->  Reply  ->  socket, Response, test
 */
export interface Call {
  /** As sent: methods are case-sensitive (RFC 9110, section 9.1). */
  readonly method: string
  /** As sent: `/v1/pets?limit=5`, or a URL in absolute form (RFC 9112, section 3.2). */
  readonly target: string
  /** Names and values in turn, as received (Node's `rawHeaders`). */
  readonly headers: readonly string[]
  /** `too-large`: the door stopped reading at `maxBody`. */
  readonly body: Uint8Array | 'too-large' | undefined
  readonly scheme: 'http' | 'https'
  /** The client's address, for the quota of calls without a key (A04). */
  readonly client: string
  /** The client's connection, if the door has connections: calls on one connection follow each other. */
  readonly connection?: Connection | undefined
  /** The door's time on arrival, in milliseconds since the epoch. Nothing below the doors reads real time. */
  readonly receivedAt: number
  /** Its place among the events of connections: milliseconds since the epoch may be equal. */
  readonly order?: number | undefined
  /** Undefined if the door does not measure how long its answers take. */
  readonly timing?: Timing | undefined
}

export type CallHead = Omit<Call, 'body'>

/** How long an answer took, with its delay, in milliseconds of real time. The door sets it. */
export interface Timing {
  ms?: number
}

/** A connection of a client. Its calls share this object. */
export interface Connection {
  /** Its name in a recording. */
  readonly name?: string
  /** When it opened, and when its first reply was sent, in the order of `Call.order`. */
  readonly opened: number
  replied?: number
  /** When the client's end, or all of it, closed: the door's time, in milliseconds since the epoch. The door sets it. */
  closedAt?: number
  /** Calls that need no network: none waits for a free connection. */
  readonly isLane?: true
  /** With `rehearse --instances`: the number of the instance whose address it came to. */
  instance?: number
  /** The number of the instance that opened it, if that is another one and the system says so. */
  stranger?: number
}

/** The longest body that a door reads, in bytes (A16). */
export const maxBody = 1_048_576

export interface Reply {
  readonly status: number
  /** All headers but those of the transport (`Connection`, `Keep-Alive`). */
  readonly headers: Readonly<Record<string, string>>
  /** Absent for HEAD and 204. `Content-Length` is then that of GET. */
  readonly body: string | undefined
  /**
   * `body` in UTF-8, a character for each byte, if it is already known. Encoding a text that is not ASCII costs a door as
   * much as the rest of a call.
   */
  readonly octets?: string | undefined
  /** How long the door delays the reply, in milliseconds of real time. */
  readonly delayMs?: number
  readonly fault?: Fault
  /** A fault that changes nothing: there is no body, or it is no longer than what `truncate` lets through. */
  readonly spared?: Fault
}

export type Handle = (call: Call) => Reply

/** Whether the answer to a call can depend on its body. */
export type UsesBody = (head: CallHead) => boolean

/** As `Handle`, but some answers come later. */
export type LateHandle = (call: Call) => Reply | Promise<Reply>
