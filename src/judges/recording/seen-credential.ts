import { readCredential } from '../../service/keys/credential.ts'
import { isMasked } from '../../service/keys/mask.ts'

/** Stands for a key that is no valid token. */
export const malformedKey = 'Bearer'

/**
 * The API key in the value of Authorization; null without one. A masked key, as in archives of pet-mock, still says which
 * calls have the same key.
 */
export function seenKey(authorization: string | undefined): string | null {
  if (authorization === undefined) return null
  const masked = /^bearer +(\S+)$/i.exec(authorization)?.[1]
  if (masked !== undefined && isMasked(masked)) return masked
  const credential = readCredential(['Authorization', authorization])
  if (credential.kind === 'key') return credential.text
  return credential.kind === 'malformed' ? malformedKey : null
}
