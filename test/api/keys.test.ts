import { expect, test } from 'vitest'
import { describeDoors, type TestRequest } from '../support/doors.ts'
import { expectProblem, readLimits, readRetryAfter } from '../support/expectations.ts'
import { scenarioOf } from '../support/scenarios.ts'

const realm = 'Bearer realm="pet-api"'
const malformed = `${realm}, error="invalid_token", error_description="The API key is malformed"`
const notValid = `${realm}, error="invalid_token", error_description="The API key is not valid"`
const authorization = (...values: string[]): TestRequest => ({
  key: null,
  headers: values.map(value => ['Authorization', value] as const),
})

const refusals: [string, TestRequest, 'missing_api_key' | 'invalid_api_key', string][] = [
  ['no header', { key: null }, 'missing_api_key', realm],
  ['an empty header', authorization(''), 'missing_api_key', realm],
  ['Basic', authorization('Basic ZGVtbzpmcmVl'), 'missing_api_key', realm],
  ['Token', authorization('Token demo-free'), 'missing_api_key', realm],
  ['XBearer', authorization('XBearer demo-free'), 'missing_api_key', realm],
  ['Bearerdemo-free', authorization('Bearerdemo-free'), 'missing_api_key', realm],
  [
    'a key in the query',
    { key: null, target: '/v1/pets?api_key=demo-free&access_token=demo-free' },
    'missing_api_key',
    realm,
  ],
  ['Bearer alone', authorization('Bearer'), 'invalid_api_key', malformed],
  ['two tokens', authorization('Bearer demo-free demo-pro'), 'invalid_api_key', malformed],
  ['illegal characters', authorization('Bearer demo"free'), 'invalid_api_key', malformed],
  [
    'two challenges in one line',
    authorization('Bearer demo-free, Bearer demo-pro'),
    'invalid_api_key',
    malformed,
  ],
  ['two header lines', authorization('Bearer demo-free', 'Bearer demo-free'), 'invalid_api_key', malformed],
  ['an unknown key', { key: 'unknown' }, 'invalid_api_key', notValid],
  ['another case', { key: 'Demo-Free' }, 'invalid_api_key', notValid],
  ['__proto__', { key: '__proto__' }, 'invalid_api_key', notValid],
  ['an unknown key in a sandbox', { key: 'unknown+w1' }, 'invalid_api_key', notValid],
]

describeDoors('401', open => {
  test.each(refusals)(
    '%s: with the right challenge and the three headers',
    async (_, request, code, challenge) => {
      const { send } = await open()
      const reply = await send(request)
      expectProblem(reply, 401, code)
      expect(reply.headers['www-authenticate']).toBe(challenge)
      expect(readLimits(reply)).toMatchObject({ limit: 60, remaining: 59 })
    },
  )

  test.each(['Bearer demo-free', 'bearer demo-free', 'BEARER   demo-free'])('%s is accepted', async value => {
    const { send } = await open()
    expect((await send(authorization(value))).status).toBe(200)
  })

  test.each(['padded=', 'a+b/c==', '~._-'])('a key may be any token68: %s', async key => {
    const { send } = await open({ scenario: scenarioOf({ keys: { [key]: { plan: 'free' } } }) })
    expect((await send({ key })).status).toBe(200)
    expectProblem(await send({ key: `${key}=` }), 401, 'invalid_api_key')
    expect((await send({ key: `=${key}` })).headers['www-authenticate']).toBe(malformed)
  })

  test('a revoked key, and one from the instant of its expiry on', async () => {
    const keys = {
      old: { plan: 'free', expires: '2026-03-02T12:00:10Z' },
      gone: { plan: 'free', revoked: true },
    }
    const door = await open({ scenario: scenarioOf({ keys }) })
    expectProblem(await door.send({ key: 'gone' }), 401, 'invalid_api_key')
    expect((await door.send({ key: 'old' })).status).toBe(200)
    door.advance(9_749)
    expect((await door.send({ key: 'old' })).status).toBe(200)
    door.advance(1)
    const reply = await door.send({ key: 'old' })
    expectProblem(reply, 401, 'invalid_api_key')
    expect(reply.headers['www-authenticate']).toBe(notValid)
  })

  test('calls without a key get the headers of a quota of their own, and are never refused for it', async () => {
    const { send } = await open()
    for (let call = 1; call <= 60; call += 1) {
      expect(readLimits(await send({ key: null })).remaining).toBe(60 - call)
    }
    const reply = await send({ key: 'unknown' })
    expectProblem(reply, 401, 'invalid_api_key')
    expect(readLimits(reply).remaining).toBe(0)
    expect(readLimits(await send()).remaining).toBe(59)
  })

  test('their headers have the Free plan of the scenario', async () => {
    const { send } = await open({ scenario: scenarioOf({ plans: { free: { minute: 5 } } }) })
    expect(readLimits(await send({ key: null }))).toMatchObject({ limit: 5, remaining: 4 })
  })

  test('limits.anonymous: enforce refuses them when it is used up, until it resets', async () => {
    const door = await open({ scenario: scenarioOf({ limits: { anonymous: 'enforce' } }) })
    for (let call = 1; call <= 60; call += 1) await door.send({ key: null })
    const reply = await door.send({ key: null })
    expectProblem(reply, 429, 'rate_limit_exceeded')
    door.advance(readRetryAfter(reply) * 1_000)
    expectProblem(await door.send({ key: null }), 401, 'missing_api_key')
    expect((await door.send()).status).toBe(200)
  })
})
