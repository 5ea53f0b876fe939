/** Lets a route wait. */
export interface Waiting {
  /** Aborts when the client leaves or the door closes. */
  readonly signal: AbortSignal
  /** Calls back after `ms` milliseconds of real time. Returns a function that cancels. */
  readonly after: (ms: number, act: () => void) => () => void
  /** Resolves in the next turn of the event loop, so that long work lets other calls run. */
  readonly nextTurn: () => Promise<void>
}

/** What a door lends to a call: only doors have sockets, timers and a heap. */
export interface Lent extends Waiting {
  /** Reads the call's body, which nobody has read yet. Undefined: the call has none. */
  readonly readBody: ReadBody | undefined
  /** Bytes of heap that are left. May take longer to find out if they are fewer than wanted. */
  readonly freeHeap: (wanted: number) => number
}

/** Reads `most` bytes at most. `accepts` sees each chunk. */
export type ReadBody = (most: number, accepts: (chunk: Uint8Array) => boolean) => ArrivingBody

export interface ArrivingBody {
  /** Resolves with `stopped` on `stop`, if a chunk is not accepted, and if the client leaves. */
  readonly body: Promise<Uint8Array | 'too-large' | 'stopped'>
  readonly stop: () => void
}
