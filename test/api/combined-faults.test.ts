import { expect, test } from 'vitest'
import type { ScenarioFile } from '../../src/control/scenario/file.ts'
import type { ProblemCode } from '../../src/service/call/problems.ts'
import { describeDoors, type TestRequest } from '../support/doors.ts'
import { expectProblem, limitHeaders, readLimits } from '../support/expectations.ts'
import { otherMethod } from '../support/methods.ts'
import { scenarioOf } from '../support/scenarios.ts'

const keys = {
  exhausted: { plan: 'free', used: { minute: 60 } },
  banned: { plan: 'free', banned: '90s' },
  'demo-free': { plan: 'free' },
} satisfies ScenarioFile['keys']

const json = [['Content-Type', 'application/json']] as const
const text = [['Content-Type', 'text/plain']] as const

const unknownPath: TestRequest = { target: '/v1/nothing' }
const badQuery: TestRequest = { target: '/v1/pets?limit=0' }
const badBody: TestRequest = { method: 'POST', body: '{', headers: json }
const missingPet: TestRequest = { target: '/v1/pets/999' }
const wrongMethod: TestRequest = { method: 'PUT' }
const preflight: TestRequest = {
  method: 'OPTIONS',
  key: null,
  headers: [
    ['Origin', 'http://localhost:3000'],
    ['Access-Control-Request-Method', 'POST'],
  ],
}
const everything = { unknownPath, badQuery, badBody, missingPet, wrongMethod }

const alone: [string, TestRequest, number, ProblemCode][] = [
  ['an unknown path with bad parameters', { target: '/v1/nothing?limit=0' }, 404, 'route_not_found'],
  [
    'a known path, a wrong method and a bad body',
    { ...badBody, method: otherMethod },
    405,
    'method_not_allowed',
  ],
  ['a bad path id and a bad query', { target: '/v1/pets/abc?limit=0' }, 404, 'pet_not_found'],
  ['a wrong content type and malformed JSON', { ...badBody, headers: text }, 400, 'unsupported_media_type'],
  ['malformed JSON that would break the schema', { ...badBody, body: '{"name":1,' }, 400, 'invalid_json'],
  [
    'a wrong content type and a body too large',
    { ...badBody, headers: text, body: ' '.repeat(1_048_577) },
    400,
    'unsupported_media_type',
  ],
  ['a body too large that is not JSON', { ...badBody, body: ' '.repeat(1_048_577) }, 413, 'body_too_large'],
  ['a valid request for a missing pet', missingPet, 404, 'pet_not_found'],
]

describeDoors('combined faults', open => {
  for (const [fault, request] of Object.entries(everything)) {
    test.each([
      ['no key', { key: null }, 401, 'missing_api_key'],
      ['a bad key', { key: 'unknown' }, 401, 'invalid_api_key'],
      ['a banned key', { key: 'banned' }, 429, 'api_key_banned'],
      ['a key over its limit', { key: 'exhausted' }, 429, 'rate_limit_exceeded'],
    ] as const)(`${fault} and %s`, async (_, key, status, code) => {
      const { send } = await open({ scenario: scenarioOf({ keys }) })
      const reply = await send({ ...request, ...key })
      expectProblem(reply, status, code)
      for (const header of limitHeaders) expect(reply.headers[header]).toMatch(/^\d+$/)
    })
  }

  test.each(alone)('%s', async (_, request, status, code) => {
    const { send } = await open({ scenario: scenarioOf({ keys }) })
    const reply = await send(request)
    expectProblem(reply, status, code)
    expect(reply.headers['x-ratelimit-remaining']).toBe('59')
  })

  test.each([null, 'unknown', 'banned', 'exhausted'])(
    'a preflight with the key %s: 204, not counted',
    async key => {
      const { send } = await open({ scenario: scenarioOf({ keys }) })
      const reply = await send({ ...preflight, key })
      expect([reply.status, reply.text]).toEqual([204, ''])
      expect(readLimits(reply)).toMatchObject({ limit: 60, remaining: 60 })
      expect((await send()).headers['x-ratelimit-remaining']).toBe('59')
    },
  )

  test('a removed operation without a key is 401, over the limit 429, else 404', async () => {
    const scenario = scenarioOf({ keys, clock: { at: '2031-01-01T00:00:00Z', frozen: true } })
    const { send } = await open({ scenario })
    expectProblem(await send({ target: '/v1/pets/1', key: null }), 401, 'missing_api_key')
    expectProblem(await send({ target: '/v1/pets/1', key: 'exhausted' }), 429, 'rate_limit_exceeded')
    expectProblem(await send({ target: '/v1/pets/1?limit=0' }), 404, 'endpoint_removed')
  })
})
