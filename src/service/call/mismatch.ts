/** What a call asked, and the nearest thing to it that would have worked: each as a person reads it. */
export interface Mismatch {
  /** Such as `limit`, `Content-Type` or `path`. */
  readonly what: string
  /** A dash: nothing. */
  readonly asked: string
  readonly expected: string
}

/** A mismatch with what the client is told of it, which is the part of a sentence. */
export interface Problem extends Mismatch {
  readonly message: string
}

/** What stands for something that is not there. */
export const absent = '–'
