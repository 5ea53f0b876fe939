import { utf8Length } from '../../../base/json/utf8.ts'
import { everyReply } from '../../../emulator/replies/finish-reply.ts'
import { type Answer, refuse } from '../../../service/call/answer.ts'
import type { ProblemCode } from '../../../service/call/problems.ts'

/** 200 with JSON, in which an int64 beyond 2^53 is a string: any JSON client can carry it. */
export function json(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  const text = JSON.stringify(value, (_name, inner) => (typeof inner === 'bigint' ? `${inner}` : inner))
  return write(text, 'application/json', status, headers)
}

/** A text of another kind, as it is. */
export function text(body: string, type: string, headers: Readonly<Record<string, string>> = {}): Response {
  return write(body, type, 200, headers)
}

/** A refusal in the Error shape; `message` is one sentence or several. */
export function refusal(
  code: ProblemCode,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return refusalOf(refuse(code, message, headers))
}

export function refusalOf({ status, body, headers = {} }: Answer): Response {
  return write(body, 'application/json', status, headers)
}

function write(
  body: string,
  type: string,
  status: number,
  headers: Readonly<Record<string, string>>,
): Response {
  return new Response(body, {
    status,
    headers: { 'Content-Type': type, 'Content-Length': `${utf8Length(body)}`, ...headers },
  })
}

/** Leads a browser to another address of this server. */
export function redirect(to: string): Response {
  return write('', 'text/plain', 302, { Location: to })
}

const protection: typeof everyReply = [
  ...everyReply,
  ['Cache-Control', 'no-store'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
]

/** Adds the headers of every response: not cached, same origin only. */
export function protect(response: Response): Response {
  for (const [name, value] of protection) response.headers.set(name, value)
  return response
}

/** What is wrong, as a sentence; the name of a field, with which it may begin, stays as it is. */
export function asSentence(problem: string): string {
  const begun = problem.replace(
    /^(?:expected|there|no) /,
    word => word.charAt(0).toUpperCase() + word.slice(1),
  )
  return /[.?]$/.test(begun) ? begun : `${begun}.`
}
