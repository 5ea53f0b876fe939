/** The data of a chart of calls over time. Instants are milliseconds since the epoch. */
export interface Flight {
  /** A masked key with its sandbox. */
  readonly title: string
  readonly calls: readonly FlightCall[]
  readonly spans: readonly FlightSpan[]
  /** The number of older calls that are left out. */
  readonly omitted: number
}

export interface FlightCall {
  /** Its id in the journal of the sandbox; absent for a call without a record. */
  readonly id?: number
  readonly at: number
  readonly status: number
  /** How many calls it stands for, with the same kind of answer. Default: 1. */
  readonly count?: number
  /** The windows after the call; null if the call is not counted. */
  readonly left: {
    readonly minute: readonly [remaining: number, limit: number]
    readonly day: readonly [remaining: number, limit: number]
  } | null
}

/** A time in which the caller had to wait, or its key was banned. */
export interface FlightSpan {
  readonly kind: 'wait' | 'ban'
  readonly from: number
  readonly to: number
}

/** More are left out of a picture. */
const mostSpans = 500

/** Adds a span that begins no earlier than those before. It joins the last of its kind, if they overlap. */
export function addSpan<S extends Pick<FlightSpan, 'from' | 'to'> & Partial<FlightSpan>>(
  spans: S[],
  span: S,
  most = mostSpans,
): void {
  const index = spans.findLastIndex(({ kind }) => kind === span.kind)
  const last = spans[index]
  if (last !== undefined && span.from <= last.to) spans[index] = { ...last, to: Math.max(last.to, span.to) }
  else if (spans.length < most) spans.push(span)
}

/** The parts of a bar, from bottom to top. */
export const answerKinds = ['served', 'refused', 'invalid', 'failed'] as const
export type AnswerKind = (typeof answerKinds)[number]

export function answerKind(status: number): AnswerKind {
  if (status === 429) return 'refused'
  if (status >= 500) return 'failed'
  return status >= 400 ? 'invalid' : 'served'
}
