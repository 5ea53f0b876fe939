/** What a call asked, and the nearest thing that would have worked, for people. */
export interface Mismatch {
  /** Such as `limit`, `Content-Type` or `path`. */
  readonly what: string
  /** `absent` for nothing. */
  readonly asked: string
  readonly expected: string
}

/** A mismatch and its clause in the client's error message. */
export interface Problem extends Mismatch {
  readonly message: string
}

/** Shown for something that is not there. */
export const absent = '–'
