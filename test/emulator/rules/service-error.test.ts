import { expect, it } from 'vitest'
import { answerPreferred } from '../../../src/emulator/gates/rules-gate.ts'
import {
  type InjectedCall,
  type Lifetime,
  serviceError,
} from '../../../src/emulator/rules/injected-answer.ts'
import { reply } from '../../../src/service/call/answer.ts'
import { readPreferences } from '../../../src/service/call/prefer.ts'

const call = (fields: Partial<InjectedCall> = {}): InjectedCall => ({
  method: 'GET',
  path: '/v1/pets/7',
  operation: () => 'getPet',
  furtherMethods: () => [],
  lifetime: undefined,
  retryAfter: () => ({ 'Retry-After': '1' }),
  ...fields,
})

it.each<[status: number, method: string, code: string]>([
  [400, 'GET', 'invalid_parameter'],
  [400, 'POST', 'invalid_body'],
  [400, 'PUT', 'invalid_body'],
  [400, 'PATCH', 'invalid_body'],
  [404, 'GET', 'pet_not_found'],
  [418, 'GET', 'injected_fault'],
])('an injected %i of %s has the code %s', (status, method, code) => {
  expect(serviceError(status, call({ method }))).toEqual({ code, headers: {} })
})

const dates = { Sunset: 'a date' }
const removal = (headers?: Record<string, string>) => reply(404, '{}', headers)

it.each<[what: string, lifetime: Lifetime | undefined, status: number, code: string, headers: object]>([
  ['of no operation', undefined, 404, 'pet_not_found', {}],
  ['before its removal', { removal: undefined, headers: dates }, 404, 'pet_not_found', dates],
  ['after its removal', { removal: removal(), headers: dates }, 404, 'endpoint_removed', {}],
  [
    'in a brownout',
    { removal: removal({ Sunset: 'b' }), headers: dates },
    404,
    'endpoint_removed',
    { Sunset: 'b' },
  ],
  [
    'after its removal, with another status',
    { removal: removal(), headers: dates },
    410,
    'endpoint_removed',
    {},
  ],
])('an injected error %s', (_, lifetime, status, code, headers) => {
  expect(serviceError(status, call({ lifetime: () => lifetime }))).toEqual({ code, headers })
})

it('an example has no dates where nobody knows them, as behind a proxy', () => {
  const preferences = readPreferences(['Prefer', 'example=empty'])
  if (preferences === undefined) return expect.fail()
  const answer = answerPreferred(preferences, call({ path: '/v1/pets', operation: () => 'listPets' }))
  expect([answer?.status, answer?.headers]).toEqual([200, {}])
})
