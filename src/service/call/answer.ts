import { utf8Length, utf8Octets } from '../../base/json/utf8.ts'
import type { Mismatch, Problem } from './mismatch.ts'
import { type ProblemCode, problems } from './problems.ts'

/** What a gate or an operation says: the part of a reply that is its own business. Common headers come later. */
export interface Answer {
  readonly status: number
  readonly body: string
  /** Bytes of `body`, as told by `Content-Length`. */
  readonly length: number
  /** See `Reply`. */
  readonly octets: string | undefined
  readonly headers: Readonly<Record<string, string>> | undefined
  /** Of an error: a `ProblemCode`, or what a rule says. */
  readonly code: string | undefined
  /** Of a refusal: what was asked, beside what would have worked. The client is not told more than the message. */
  readonly mismatches: readonly Mismatch[] | undefined
}

export function reply(status: number, body: string, headers?: Readonly<Record<string, string>>): Answer {
  return { status, body, ...measure(body), headers, code: undefined, mismatches: undefined }
}

/** A refusal is a value: the Error shape of the specification. `status` differs from the code's own only by a setting. */
export function refuse(
  code: ProblemCode,
  message: string,
  headers?: Readonly<Record<string, string>>,
  status: number = problems[code],
): Answer {
  const body = JSON.stringify({ code, message, status })
  return { status, body, ...measure(body), headers, code, mismatches: undefined }
}

/** Text in ASCII is its own octets. */
function measure(body: string): Pick<Answer, 'length' | 'octets'> {
  const length = utf8Length(body)
  return { length, octets: length === body.length ? body : undefined }
}

/** An answer that will be given again and again: encoded once. */
export function encodeOnce(answer: Answer): Answer {
  return answer.octets === undefined ? { ...answer, octets: utf8Octets(answer.body) } : answer
}

/** A refusal that keeps what was asked beside what would have worked, for whoever asks why. */
export function refuseMismatch(
  code: ProblemCode,
  message: string,
  mismatches: readonly Mismatch[],
  headers?: Readonly<Record<string, string>>,
): Answer {
  const status = problems[code]
  const body = JSON.stringify({ code, message, status })
  return { status, body, ...measure(body), headers, code, mismatches }
}

/** A refusal that names every problem. */
export function refuseProblems(code: ProblemCode, found: readonly Problem[]): Answer {
  const message = `${found.map(problem => problem.message).join('; ')}.`
  const mismatches = found.map(({ what, asked, expected }) => ({ what, asked, expected }))
  return refuseMismatch(code, message, mismatches)
}
