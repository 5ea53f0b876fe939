import { expect, test } from 'vitest'
import { createSecrets } from '../../../src/service/keys/mask.ts'

const { isSecret, mayHold } = createSecrets()

test.each([
  'X-Auth-Token',
  'X-Access-Token',
  'X-Amz-Security-Token',
  'X-Amz-Signature',
  'X-Amz-Credential',
  'Ocp-Apim-Subscription-Key',
  'X-Functions-Key',
  'X-Goog-Api-Key',
  'X-API-Key',
  'X-Hub-Signature-256',
  'X-XSRF-TOKEN',
  'DD-APPLICATION-KEY',
  'Set-Cookie',
  'password',
  'newPassword',
  'user[password]',
  'access_token',
  'accessToken',
  'client_secret',
  'clientSecretValue',
  'id_token',
  'refresh_token',
  'sig',
  'jwt',
  'JWT',
  'apiKey',
  'APIKey',
  'apikey',
  'api_key_2',
  'privateKey',
  'session_id',
  'sessionid',
  'basic_auth',
  'user[auth]',
  'SSHKey',
  'token2',
  'pass',
  'userPass',
  'pin',
  'pat',
  'sid',
  'session',
])('%s is secret', name => {
  expect(isSecret(name)).toBe(true)
  // The quick look into a body.
  expect(mayHold(`{"${name}":1}`)).toBe(true)
})

test.each([
  'Idempotency-Key',
  'X-Idempotency-Key',
  'idempotencyKey',
  'Sec-WebSocket-Key',
  'Sec-WebSocket-Accept',
  'Sec-WebSocket-Protocol',
  'cursor',
  'nextCursor',
  'page_token',
  'pageToken',
  'nextPageToken',
  'next_token',
  'NextToken',
  'continuation-token',
  'token_type',
  'expires_in',
  'access_token_expires_in',
  'user[token_type]',
  'password_policy',
  'max_tokens',
  'tokenizer',
  'keyboard',
  'monkey',
  'secretary',
  'author',
  'key',
  'sort_key',
  'public-key',
  'signed',
  'name',
  'categoryId',
  'status',
  '',
  '-',
])('%s is not', name => expect(isSecret(name)).toBe(false))

test('a text without secret names is known at a look', () => {
  expect(mayHold('{"name":"Rex","status":"sold"}')).toBe(false)
  const further = createSecrets(['X-Tenant', 'iban'])
  expect(['X-Tenant', 'IBAN', 'password', 'tenant', 'name'].map(further.mayHold)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ])
})

test('further names are masked by their words, and a name that never is only by all of its words', () => {
  const { isSecret } = createSecrets(['X-Tenant', 'key', 'cursor', '!!'])
  for (const name of ['x-tenant', 'X-Tenant-Id', 'xTenant', 'key', 'sortKey', 'cursor', 'password'])
    expect(isSecret(name)).toBe(true)
  for (const name of ['tenant', 'Idempotency-Key', 'Sec-WebSocket-Key', 'keys', 'x'])
    expect(isSecret(name)).toBe(false)
})

test.each([
  ['tenant', 'tenantCursor', false],
  ['tenant', 'tenant_next_token', false],
  ['tenant', 'tenant_token', true],
  ['page', 'page_token', false],
  ['page', 'pageSize', true],
  ['next', 'nextCursor', false],
  ['tenant', 'tenantNextCursor', false],
  ['tenant', 'tenantCursorId', true],
  ['cursor', 'cursor', true],
  ['nextCursor', 'next_cursor', true],
  ['idempotency', 'Idempotency-Key', false],
  ['idempotency-key', 'Idempotency-Key', true],
  ['socket', 'Sec-WebSocket-Key', false],
])('with --mask %s, whether %s is masked: %j', (mask, name, expected) => {
  expect(createSecrets([mask]).isSecret(name)).toBe(expected)
})
