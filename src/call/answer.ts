import { utf8Length, utf8Octets } from '../json/utf8.ts'
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
}

export function reply(status: number, body: string, headers?: Readonly<Record<string, string>>): Answer {
  return { status, body, ...measure(body), headers, code: undefined }
}

/** A refusal is a value: the Error shape of the specification. `status` differs from the code's own only by a setting. */
export function refuse(
  code: ProblemCode,
  message: string,
  headers?: Readonly<Record<string, string>>,
  status: number = problems[code],
): Answer {
  const body = JSON.stringify({ code, message, status })
  return { status, body, ...measure(body), headers, code }
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
