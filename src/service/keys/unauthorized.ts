import { type Answer, type Mismatch, refuse } from '../call/answer.ts'

const realm = 'Bearer realm="pet-api"'

/** 401 for a call without a key: the challenge then names no error (RFC 6750, section 3.1). */
export function missingKey(): Answer {
  const message = 'The API key is missing: send it as "Authorization: Bearer <API_KEY>".'
  return refuse('missing_api_key', message, { 'WWW-Authenticate': realm })
}

/** 401 for a key that is malformed, repeated, unknown, revoked or expired (A02). */
export function invalidKey(reason: 'malformed' | 'not valid', mismatches?: readonly Mismatch[]): Answer {
  const description = `The API key is ${reason}`
  const headers = { 'WWW-Authenticate': invalidTokenChallenge(description) }
  return { ...refuse('invalid_api_key', `${description}.`, headers), mismatches }
}

export function invalidTokenChallenge(description: string): string {
  return `${realm}, error="invalid_token", error_description="${description}"`
}
