import { expect, it } from 'vitest'
import { invalidKey, missingKey } from '../../../src/service/keys/unauthorized.ts'

it.each([
  [
    'missing',
    missingKey(),
    'missing_api_key',
    'The API key is missing: send it as "Authorization: Bearer <API_KEY>".',
  ],
  ['malformed', invalidKey('malformed'), 'invalid_api_key', 'The API key is malformed.'],
  ['not valid', invalidKey('not valid'), 'invalid_api_key', 'The API key is not valid.'],
])('a key that is %s: 401 says so', (_, { status, body }, code, message) => {
  expect([status, body]).toEqual([401, JSON.stringify({ code, message, status: 401 })])
})
