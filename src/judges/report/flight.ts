/** What a picture of calls over time is drawn from. Instants are milliseconds since the epoch. */
export interface Flight {
  /** Whose it is: a masked key with its sandbox. */
  readonly title: string
  /** In order. */
  readonly calls: readonly FlightCall[]
  readonly spans: readonly FlightSpan[]
  /** How many older calls are not in it. */
  readonly omitted: number
}

export interface FlightCall {
  readonly at: number
  readonly status: number
  /** What the windows had left after the call, and their limits; null where nothing is counted. */
  readonly left: {
    readonly minute: readonly [remaining: number, limit: number]
    readonly day: readonly [remaining: number, limit: number]
  } | null
}

/** A time in which the caller had been told to wait, or in which its key was banned. */
export interface FlightSpan {
  readonly kind: 'wait' | 'ban'
  readonly from: number
  readonly to: number
}

/** Kinds of answers as they are counted apart, from the bottom of a bar to its top. */
export const answerKinds = ['served', 'refused', 'invalid', 'failed'] as const
export type AnswerKind = (typeof answerKinds)[number]

export function answerKind(status: number): AnswerKind {
  if (status === 429) return 'refused'
  if (status >= 500) return 'failed'
  return status >= 400 ? 'invalid' : 'served'
}
