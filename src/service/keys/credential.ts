import { headerValue, repeated } from '../call/headers.ts'
import { isKeyText } from './key-text.ts'

/** What a call shows of itself: nothing of ours, something broken, or the text of a key. */
export type Credential =
  | { readonly kind: 'none' | 'malformed' }
  | { readonly kind: 'key'; readonly text: string }

const none: Credential = { kind: 'none' }
const malformed: Credential = { kind: 'malformed' }

/** The scheme is case-insensitive (RFC 9110, section 11.1; RFC 6750, section 2.1). */
const bearer = /^bearer +(.*)$/i

/** Reads `Authorization` and nothing else: a key in the query is no key (A02). */
export function readCredential(headers: readonly string[]): Credential {
  const value = headerValue(headers, 'authorization')
  if (value === undefined) return none
  if (value === repeated) return malformed
  const text = bearer.exec(value)?.[1]
  if (text !== undefined && isKeyText(text)) return { kind: 'key', text }
  return /^bearer(?: |$)/i.test(value) ? malformed : none
}
