import { headerValue, repeated } from '../call/headers.ts'

/** The syntax of an API key: a token68 (RFC 9110, section 11.2), since clients send it as one. */
export const keyTextPattern = /^[A-Za-z0-9._~+/-]+=*$/

/** The API key of a call, if it sends one. */
export type Credential =
  | { readonly kind: 'none' | 'malformed' }
  | { readonly kind: 'key'; readonly text: string }

const none: Credential = { kind: 'none' }
const malformed: Credential = { kind: 'malformed' }

/** The scheme is case-insensitive (RFC 9110, section 11.1; RFC 6750, section 2.1). */
const bearer = /^bearer +(.*)$/i

/** Reads only `Authorization`: a key in the query is ignored (A02). */
export function readCredential(headers: readonly string[]): Credential {
  const value = headerValue(headers, 'authorization')
  if (value === undefined) return none
  if (value === repeated) return malformed
  const text = bearer.exec(value)?.[1]
  if (text !== undefined && keyTextPattern.test(text)) return { kind: 'key', text }
  return /^bearer(?: |$)/i.test(value) ? malformed : none
}
