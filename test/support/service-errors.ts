import { expect } from 'vitest'
import type { TestRequest } from './doors.ts'
import { allowAt } from './methods.ts'

const list: TestRequest = {}
const get: TestRequest = { target: '/v1/pets/1' }
const post: TestRequest = { method: 'POST', body: { name: 'Rex', categoryId: 1 } }

const successor = expect.stringMatching(/^<http:\/\/[^/]+\/v1\/pets>; rel="successor-version"$/)
const deprecated = { sunset: 'Thu, 05 Dec 2030 00:00:00 GMT', link: successor }
const fresh = { sunset: undefined, link: undefined }

/** A status that is asked for, the code that the service has for it, and its headers. */
export const serviceErrors: readonly [
  what: string,
  request: TestRequest,
  status: number,
  code: string,
  headers: Readonly<Record<string, unknown>>,
][] = [
  ['400 of a list', list, 400, 'invalid_parameter', fresh],
  ['400 of creating', post, 400, 'invalid_body', fresh],
  ['400 of another method with a body', { ...post, method: 'PUT' }, 400, 'invalid_body', fresh],
  ['400 of getPet', get, 400, 'invalid_parameter', fresh],
  [
    '401, with its challenge',
    get,
    401,
    'invalid_api_key',
    {
      ...fresh,
      'www-authenticate':
        'Bearer realm="pet-api", error="invalid_token", error_description="The API key is not valid"',
    },
  ],
  ['402, which the service does not have', list, 402, 'injected_fault', fresh],
  ['403, which the service does not have', list, 403, 'injected_fault', fresh],
  ['404 of getPet', get, 404, 'pet_not_found', deprecated],
  ['404 of a list', list, 404, 'route_not_found', fresh],
  ['404 of creating', post, 404, 'route_not_found', fresh],
  ['404 of orders', { target: '/v1/store/orders' }, 404, 'route_not_found', fresh],
  ['404 of an unknown path', { target: '/v1/nothing' }, 404, 'route_not_found', fresh],
  ['405 of a list', list, 405, 'method_not_allowed', { allow: allowAt('/v1/pets', 'GET') }],
  ['405 of creating', post, 405, 'method_not_allowed', { allow: allowAt('/v1/pets', 'POST') }],
  ['405 of getPet', get, 405, 'method_not_allowed', { ...fresh, allow: allowAt('/v1/pets/1', 'GET') }],
  ['405 of an unknown path', { target: '/v1/nothing' }, 405, 'method_not_allowed', { allow: 'OPTIONS' }],
  ['410 of getPet', get, 410, 'endpoint_removed', deprecated],
  ['413 of creating', post, 413, 'body_too_large', fresh],
  [
    '429, with a wait and no allowance to cache',
    get,
    429,
    'rate_limit_exceeded',
    { ...fresh, 'retry-after': '60', 'cache-control': 'no-store' },
  ],
  ['500', list, 500, 'internal_error', fresh],
  ['500 of getPet', get, 500, 'internal_error', fresh],
  ['503, which the service does not have', list, 503, 'injected_fault', { 'retry-after': undefined }],
  ['418, which nobody has', list, 418, 'injected_fault', fresh],
]
