/** A call of a recording: what the client wanted, and how it was answered then. */
export interface WantedCall {
  /** In milliseconds since the epoch. */
  readonly at: number
  /** When it was answered, if the recording says so; else `at`. */
  readonly answeredAt: number
  readonly method: string
  /** Path and query, with `/v1` instead of the service's own base path. */
  readonly target: string
  /** A hash of its body, to find calls that are repeated. */
  readonly body: number
  /** Masked or not, as the recording has it. `null`: none was sent. `undefined`: unknown. */
  readonly key: string | null | undefined
  readonly connection: string | undefined
  readonly sandbox: string | undefined
  /** The status of the recorded answer; 0: there is none. */
  readonly status: number
  /** A limit or a ban refused it when it was recorded. */
  readonly wasRefused: boolean
  /** The link to the next page in the recorded answer. */
  readonly next: string | undefined
}

/** The calls of one recording, in the order of time. */
export interface Recording {
  /** `calls.har` is an archive; `GET /__admin/requests` gives a journal. */
  readonly kind: 'archive' | 'journal' | 'log'
  readonly calls: readonly WantedCall[]
  /** The base URL of the API in an archive. */
  readonly base: string | undefined
  /** What is special about it, as sentences. */
  readonly notes: readonly string[]
}

/** Calls of one recording: a day of the largest shipped plan. */
export const mostWanted = 500_000
