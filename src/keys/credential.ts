import { headerValue, repeated } from '../call/headers.ts'

/** What a call shows of itself: nothing of ours, something broken, or the text of a key. */
export type Credential =
  | { readonly kind: 'none' | 'malformed' }
  | { readonly kind: 'key'; readonly text: string }

const none: Credential = { kind: 'none' }
const malformed: Credential = { kind: 'malformed' }

/** The scheme is case-insensitive, the key is a token68 (RFC 9110, section 11.2; RFC 6750, section 2.1). */
const bearer = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i

/** Reads `Authorization` and nothing else: a key in the query is no key (A02). */
export function readCredential(headers: readonly string[]): Credential {
  const value = headerValue(headers, 'authorization')
  if (value === undefined) return none
  if (value === repeated) return malformed
  const text = bearer.exec(value)?.[1]
  if (text !== undefined) return { kind: 'key', text }
  return /^bearer(?: |$)/i.test(value) ? malformed : none
}
