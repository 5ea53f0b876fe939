import { utf8Length, utf8Octets } from '../../base/json/utf8.ts'
import { type ProblemCode, problems } from './problems.ts'

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

/** The answer of a gate or an operation. The headers that all replies have come later. */
export interface Answer {
  readonly status: number
  readonly body: string
  /** Bytes of `body`: the value of `Content-Length`. */
  readonly length: number
  /** See `Reply`. */
  readonly octets: string | undefined
  readonly headers: Readonly<Record<string, string>> | undefined
  /** The code of an error: a `ProblemCode`, or one of a rule. */
  readonly code: string | undefined
  /** What the call asked, and what would have worked. The client gets only the message. */
  readonly mismatches: readonly Mismatch[] | undefined
  /** It leads a person to a page: journal, log and metrics leave the call out. */
  readonly isUnrecorded?: true
}

export function reply(status: number, body: string, headers?: Readonly<Record<string, string>>): Answer {
  const length = utf8Length(body)
  // ASCII text is its own octets.
  const octets = length === body.length ? body : undefined
  return { status, body, length, octets, headers, code: undefined, mismatches: undefined }
}

/** A refusal in the Error shape of the specification. Only a setting makes `status` differ from the code's own. */
export function refuse(
  code: ProblemCode,
  message: string,
  headers?: Readonly<Record<string, string>>,
  status: number = problems[code],
): Answer {
  return { ...reply(status, JSON.stringify({ code, message, status }), headers), code }
}

/** Encodes an answer that will be sent again. */
export function encodeOnce(answer: Answer): Answer {
  return answer.octets === undefined ? { ...answer, octets: utf8Octets(answer.body) } : answer
}

export function refuseMismatch(code: ProblemCode, message: string, mismatches: readonly Mismatch[]): Answer {
  return { ...refuse(code, message), mismatches }
}

export function refuseProblems(code: ProblemCode, found: readonly Problem[]): Answer {
  const message = `${found.map(problem => problem.message).join('; ')}.`
  const mismatches = found.map(({ what, asked, expected }) => ({ what, asked, expected }))
  return refuseMismatch(code, message, mismatches)
}
