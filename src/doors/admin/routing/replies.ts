import { utf8Length } from '../../../base/json/utf8.ts'
import { addCommonHeaders } from '../../../emulator/replies/finish-reply.ts'
import { type Answer, refuse } from '../../../service/call/answer.ts'
import type { ProblemCode } from '../../../service/call/problems.ts'

type Headers = Readonly<Record<string, string>>

/** A value as JSON. An int64 beyond 2^53 becomes a string, which any JSON client can carry. */
export function json(value: unknown, status = 200): Response {
  const text = JSON.stringify(value, (_name, inner) => (typeof inner === 'bigint' ? `${inner}` : inner))
  return write(text, 'application/json', status)
}

/** A refusal in the Error shape; `message` is one sentence or several. */
export function refusal(code: ProblemCode, message: string, headers: Headers = {}): Response {
  return refusalOf(refuse(code, message, headers))
}

export function refusalOf({ status, body, headers = {} }: Answer): Response {
  return write(body, 'application/json', status, headers)
}

/** 405 with the methods that a path accepts (RFC 9110, section 15.5.6), or the response to OPTIONS. */
export function refuseMethod(method: string, allow: string, message: string): Response {
  if (method === 'OPTIONS') return new Response(null, { status: 204, headers: { Allow: allow } })
  return refusal('method_not_allowed', message, { Allow: allow })
}

export function journalIsOff(): Response {
  return refusal(
    'journal_off',
    'The server runs with --journal 0, so it keeps no requests. Start it without that flag, and without PET_MOCK_JOURNAL=0.',
  )
}

export function redirect(to: string): Response {
  return write('', 'text/plain', 302, { Location: to })
}

export function write(body: string, type: string, status = 200, headers: Headers = {}): Response {
  return new Response(body, {
    status,
    headers: { 'Content-Type': type, 'Content-Length': `${utf8Length(body)}`, ...headers },
  })
}

const protection = addCommonHeaders({
  'Cache-Control': 'no-store',
  'Cross-Origin-Resource-Policy': 'same-origin',
})

const policy = 'Content-Security-Policy'

/** Adds the headers of every response: not cached, same origin only, in no frame. */
export function protect(response: Response): Response {
  // A page has a policy of its own.
  if (!response.headers.has(policy))
    response.headers.set(policy, "default-src 'none'; frame-ancestors 'none'")
  for (const [name, value] of Object.entries(protection)) response.headers.set(name, value)
  return response
}

/** Makes a complaint a sentence. A field's name at its beginning keeps its case. */
export function asSentence(problem: string): string {
  const begun = problem.replace(
    /^(?:expected|there|no|unknown) /,
    word => word.charAt(0).toUpperCase() + word.slice(1),
  )
  return /[.?]$/.test(begun) ? begun : `${begun}.`
}
