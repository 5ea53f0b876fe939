import { describe, expect, test } from 'vitest'
import type { RuleFields, ScenarioFile } from '../../src/control/scenario/file.ts'
import { describeDoors, type OpenDoor, type TestReply, type TestRequest } from '../support/doors.ts'
import { expectProblem, limitHeaders, readLimits, readRetryAfter } from '../support/expectations.ts'
import { readScenarioText, scenarioOf } from '../support/scenarios.ts'
import { serviceErrors } from '../support/service-errors.ts'

const post: TestRequest = { method: 'POST', body: { name: 'Rex', categoryId: 1 } }

const withRules = (...rules: readonly RuleFields[]): ScenarioFile => ({ rules })

async function statuses(door: OpenDoor, calls: number, request?: TestRequest): Promise<number[]> {
  const found: number[] = []
  for (let call = 0; call < calls; call += 1) found.push((await door.send(request)).status)
  return found
}

const lastExchange = ({ emulator }: OpenDoor) => [...emulator.sandboxes.default.journal].at(-1)

describeDoors('situations in four lines', open => {
  test.each<[string, string, TestRequest, readonly number[]]>([
    [
      'fail twice, then work',
      `rules:
  - match: { operation: createPet }
    when: { first: 2 }
    then: { status: 503 }`,
      post,
      [503, 503, 201, 201],
    ],
    [
      'three calls left',
      `keys:
  demo-free:
    used:
      minute: 57`,
      {},
      [200, 200, 200, 429],
    ],
  ])('%s', async (_, yaml, request, expected) => {
    expect(yaml.split('\n')).toHaveLength(4)
    const door = await open({ scenario: await readScenarioText(yaml) })
    expect(await statuses(door, expected.length, request)).toEqual(expected)
  })

  test('5 % of creates fail', async () => {
    const yaml = `rules:
  - match: { operation: createPet }
    when: { probability: 0.05 }
    then: { status: 503 }`
    const door = await open({ scenario: await readScenarioText(yaml) })
    const found = await statuses(door, 400, { ...post, key: 'demo-business' })
    const failed = found.filter(status => status === 503).length
    // 20 are to be expected of 400, and 5 standard deviations are 22.
    expect([failed > 0, failed < 42, new Set(found)]).toEqual([true, true, new Set([201, 503])])
    expect((await door.send({ key: 'demo-business' })).status).toBe(200)
  })
})

describeDoors('an answer that a rule gives', open => {
  const answers: [string, RuleFields['then'], Partial<TestReply> & { readonly status: number }][] = [
    [
      'a text of its own',
      { status: 502, body: '<h1>Bad Gateway</h1>' },
      { status: 502, text: '<h1>Bad Gateway</h1>' },
    ],
    ['a body alone is 200', { body: [] }, { status: 200, text: '[]' }],
    ['null is a body', { status: 200, body: null }, { status: 200, text: 'null' }],
    ['ids are exact', { body: { id: 9007199254740993n } }, { status: 200, text: '{"id":9007199254740993}' }],
    ['no content', { status: 204 }, { status: 204, text: '' }],
    ['a redirect', { status: 302, headers: { Location: '/v1/pets' } }, { status: 302, text: '' }],
    ['an empty success', { status: 200 }, { status: 200, text: '' }],
    ['not modified', { status: 304 }, { status: 304, text: '' }],
  ]
  test.each(answers)('%s', async (_, then, { status, text }) => {
    const { send } = await open({ scenario: scenarioOf(withRules({ then })) })
    const reply = await send()
    expect([reply.status, reply.text]).toEqual([status, text])
    for (const name of limitHeaders) expect(reply.headers[name]).toMatch(/^\d+$/)
    expect(reply.headers['content-length']).toBe(
      status === 204 || status === 304 ? undefined : `${Buffer.byteLength(reply.text)}`,
    )
  })

  test.each(serviceErrors)('as the service answers: %s', async (_, request, status, code, headers) => {
    const { send } = await open({ scenario: scenarioOf(withRules({ name: 'fault', then: { status } })) })
    const reply = await send(request)
    const named = code === 'injected_fault' ? '' : `: ${code}`
    expect(expectProblem(reply, status, code)).toBe(`An injected fault${named}, with the status ${status}.`)
    for (const [name, value] of Object.entries(headers))
      expect([name, reply.headers[name]]).toEqual([name, value])
    expect(readLimits(reply)).toMatchObject({ limit: 60, remaining: 59 })
    expect(reply.headers['x-pet-mock']).toBe('fault')
  })

  test.each<[string, RuleFields['then'], string, string]>([
    [
      'the old code',
      { status: 404, code: 'injected_fault' },
      'injected_fault',
      'An injected fault, with the status 404.',
    ],
    ['a message of its own', { status: 404, message: 'Gone fishing.' }, 'pet_not_found', 'Gone fishing.'],
  ])('%s', async (_, then, code, message) => {
    const { send } = await open({ scenario: scenarioOf(withRules({ then })) })
    expect(expectProblem(await send({ target: '/v1/pets/1' }), 404, code)).toBe(message)
  })

  test('headers of its own replace those of the service', async () => {
    const headers = { allow: 'PATCH', sunset: 'never' }
    const { send } = await open({
      scenario: scenarioOf(
        withRules(
          { match: { operation: 'listPets' }, then: { status: 405, headers } },
          { then: { status: 404, headers } },
        ),
      ),
    })
    const [list, get] = [await send(), await send({ target: '/v1/pets/1' })]
    expect([list.headers.allow, get.headers.sunset]).toEqual(['PATCH', 'never'])
  })

  test('a code and a message of its own', async () => {
    const then = { status: 503, code: 'out_for_lunch', message: 'Back at two.' }
    const { send } = await open({ scenario: scenarioOf(withRules({ then })) })
    expect(expectProblem(await send(), 503, 'out_for_lunch')).toBe('Back at two.')
  })

  test('a code of the API’s brings its status', async () => {
    const { send } = await open({ scenario: scenarioOf(withRules({ then: { code: 'pet_not_found' } })) })
    expect(expectProblem(await send(), 404, 'pet_not_found')).toBe(
      'An injected fault: pet_not_found, with the status 404.',
    )
  })

  test.each([
    ['a text', { body: 'x' }, 'text/plain; charset=utf-8'],
    ['JSON', { body: {} }, 'application/json'],
    [
      'what the rule says, however it spells the name',
      { body: 'x', headers: { 'content-type': 'text/html' } },
      'text/html',
    ],
    ['nothing', { status: 200 }, undefined],
  ])('the content type of %s', async (_, then, expected) => {
    const { send } = await open({ scenario: scenarioOf(withRules({ then })) })
    expect((await send()).headers['content-type']).toBe(expected)
  })

  test('headers of its own; limit headers, too', async () => {
    const headers = { 'X-Trace': 'abc', 'x-ratelimit-remaining': 0 }
    const { send } = await open({ scenario: scenarioOf(withRules({ then: { status: 503, headers } })) })
    const reply = await send()
    expect([reply.headers['x-trace'], reply.headers['x-ratelimit-remaining']]).toEqual(['abc', '0'])
  })

  test('HEAD has no body, and the length that GET would have', async () => {
    const { send } = await open({ scenario: scenarioOf(withRules({ then: { status: 503 } })) })
    const [get, head] = [await send(), await send({ method: 'HEAD' })]
    expect([head.status, head.text, head.headers['content-length']]).toEqual([
      503,
      '',
      get.headers['content-length'],
    ])
  })

  test('429 without Retry-After gets one, which agrees with the reset in the headers', async () => {
    const { send } = await open({ scenario: scenarioOf(withRules({ then: { status: 429 } })) })
    const reply = await send()
    expectProblem(reply, 429, 'rate_limit_exceeded')
    expect(readRetryAfter(reply)).toBe(60)
    expect(reply.headers['cache-control']).toBe('no-store')
  })

  test('429 keeps the one that the rule gives', async () => {
    const then = { code: 'rate_limit_exceeded', headers: { 'retry-after': 7 } }
    const { send } = await open({ scenario: scenarioOf(withRules({ then })) })
    const reply = await send()
    expectProblem(reply, 429, 'rate_limit_exceeded')
    expect(reply.headers['retry-after']).toBe('7')
  })

  test('401 says how to authenticate', async () => {
    const { send } = await open({ scenario: scenarioOf(withRules({ then: { code: 'invalid_api_key' } })) })
    expect((await send()).headers['www-authenticate']).toMatch(
      /^Bearer realm="pet-api", error="invalid_token"/,
    )
  })
})

describeDoors('where rules act', open => {
  const failing = scenarioOf({
    keys: { exhausted: { plan: 'free', used: { minute: 60 } }, banned: { plan: 'free', banned: '90s' } },
    rules: [{ then: { status: 503 } }],
  })

  test('after key, ban and limit: their refusals stay, and count for no rule', async () => {
    const door = await open({ scenario: failing })
    expectProblem(await door.send({ key: null }), 401, 'missing_api_key')
    expectProblem(await door.send({ key: 'banned' }), 429, 'api_key_banned')
    expectProblem(await door.send({ key: 'exhausted' }), 429, 'rate_limit_exceeded')
    expect(door.emulator.sandboxes.default.rules.list()[0]?.calls).toEqual({})
  })

  test('before the route: an unknown path, a removed operation and a bad body get the rule’s answer', async () => {
    const door = await open({ scenario: failing })
    for (const request of [{ target: '/v1/nothing' }, { method: 'PUT' }, { ...post, body: '{' }]) {
      expectProblem(await door.send(request), 503, 'injected_fault')
    }
  })

  test('an injected answer costs quota', async () => {
    const { send } = await open({ scenario: failing })
    expect(readLimits(await send()).remaining).toBe(59)
    expect(readLimits(await send()).remaining).toBe(58)
  })

  test('a call that gets an injected answer is not carried out', async () => {
    const rules = [{ match: { operation: 'createPet' as const }, when: { first: 1 }, then: { status: 503 } }]
    const { send } = await open({ scenario: scenarioOf({ rules }) })
    await send(post)
    expect((await send({ target: '/v1/pets/101' })).status).toBe(404)
    expect((await send(post)).headers.location).toMatch(/\/v1\/pets\/101$/)
  })

  test('a rule can answer a path that the API does not have', async () => {
    const rules = [{ match: { path: '/v1/store/orders/{id}', method: 'GET' }, then: { body: { id: 1 } } }]
    const { send } = await open({ scenario: scenarioOf({ rules }) })
    expect((await send({ target: '/v1/store/orders/1' })).text).toBe('{"id":1}')
    expectProblem(await send({ target: '/v1/store/orders/1', method: 'PUT' }), 404, 'route_not_found')
  })

  test.each<[string, RuleFields['match'], TestRequest, TestRequest]>([
    ['an operation', { operation: 'getPet' }, { target: '/v1/pets/1' }, {}],
    ['an operation, by HEAD', { operation: 'listPets' }, { method: 'HEAD' }, post],
    ['a query', { query: { limit: 5 } }, { target: '/v1/pets?limit=5' }, { target: '/v1/pets?limit=50' }],
    ['a body', { body: { name: 'Rex' } }, post, { method: 'POST', body: { name: 'Ren', categoryId: 1 } }],
    ['a plan', { plan: 'pro' }, { key: 'demo-pro' }, {}],
    ['a key in any sandbox', { key: 'demo-pro' }, { key: 'demo-pro+w1' }, { key: 'demo-free+w1' }],
  ])('by %s', async (_, match, hit, miss) => {
    const { send } = await open({ scenario: scenarioOf(withRules({ match, then: { status: 418 } })) })
    expect([(await send(hit)).status, (await send(miss)).status === 418]).toEqual([418, false])
  })

  test('a body that is no JSON, or no text, or too large, fits no rule about bodies', async () => {
    const match = { body: { name: 'Rex' } }
    const { send } = await open({ scenario: scenarioOf(withRules({ match, then: { status: 418 } })) })
    for (const body of ['{', new Uint8Array([0xff]), ' '.repeat(1_048_577)]) {
      const reply = await send({ method: 'POST', body, headers: [['Content-Type', 'application/json']] })
      expect(reply.status).toBeLessThan(418)
    }
  })

  test('a sandbox counts by itself', async () => {
    const { send } = await open({
      scenario: scenarioOf(withRules({ when: { first: 1 }, then: { status: 503 } })),
    })
    const keys = ['demo-free', 'demo-free', 'demo-free+w1', 'demo-free+w1']
    const found: number[] = []
    for (const key of keys) found.push((await send({ key })).status)
    expect(found).toEqual([503, 200, 503, 200])
  })

  test('times run by the emulator’s clock from its start', async () => {
    const rules = [{ when: { between: ['10s', '40s'] as const }, then: { status: 503 } }]
    const door = await open({ scenario: scenarioOf({ rules }) })
    const found: number[] = []
    for (let at = 0; at <= 40; at += 10) {
      found.push((await door.send()).status)
      door.advance(10_000)
    }
    expect(found).toEqual([200, 503, 503, 503, 200])
  })
})

describeDoors('what is made up says so', open => {
  const rules: RuleFields[] = [
    { name: 'late', then: { delay: '1ms' } },
    { name: 'creating fails twice, then works', match: { operation: 'createPet' }, then: { status: 503 } },
    { name: 'ungültig 100 %', match: { operation: 'getPet' }, then: { status: 500 } },
    { name: 'broken', match: { operation: 'listOrders' }, then: { fault: 'malformed' } },
  ]
  const orders: TestRequest = { target: '/v1/store/orders' }

  test('by X-Pet-Mock, which names the rule, and in the journal', async () => {
    const door = await open({ scenario: scenarioOf({ rules }) })
    expect((await door.send(post)).headers['x-pet-mock']).toBe('creating fails twice, then works')
    expect(lastExchange(door)).toMatchObject({
      reply: { delayMs: 1 },
      trace: {
        gate: 'rule',
        code: 'injected_fault',
        rules: ['late', 'creating fails twice, then works'],
        synthetic: true,
        operation: undefined,
      },
    })
  })

  test('a name of any script is percent-encoded', async () => {
    const { send } = await open({ scenario: scenarioOf({ rules }) })
    const mark = (await send({ target: '/v1/pets/1' })).headers['x-pet-mock'] ?? ''
    expect([mark, decodeURIComponent(mark)]).toEqual(['ung%C3%BCltig 100 %25', 'ungültig 100 %'])
  })

  test('a reply that is only late is the API’s own', async () => {
    const door = await open({ scenario: scenarioOf({ rules }) })
    expect((await door.send()).headers['x-pet-mock']).toBeUndefined()
    expect(lastExchange(door)?.trace).toMatchObject({ gate: 'operation', rules: ['late'], synthetic: false })
  })

  test('a malformed one has the right status and headers, and a body as long that is no JSON', async () => {
    const [right, broken] = await Promise.all(
      [scenarioOf({}), scenarioOf({ rules })].map(async scenario => (await open({ scenario })).send(orders)),
    )
    expect(() => JSON.parse(broken?.text ?? '')).toThrow()
    expect(broken?.text.length).toBe(right?.text.length)
    expect(broken?.status).toBe(200)
    const { 'x-pet-mock': mark, ...headers } = broken?.headers ?? {}
    expect(mark).toBe('broken')
    expect(headers).toEqual(right?.headers)
  })

  test('not when marks are off; the journal knows it all the same', async () => {
    const door = await open({ scenario: scenarioOf({ rules }), marks: false })
    expect((await door.send(post)).headers['x-pet-mock']).toBeUndefined()
    expect((await door.send(orders)).headers['x-pet-mock']).toBeUndefined()
    expect(lastExchange(door)).toMatchObject({
      reply: { fault: 'malformed' },
      trace: { rules: ['late', 'broken'] },
    })
  })

  test('a call on which no rule acted has no word of them', async () => {
    const door = await open({
      scenario: scenarioOf(withRules({ match: { plan: 'pro' }, then: { status: 503 } })),
    })
    const reply = await door.send()
    expect(Object.keys(reply.headers).filter(name => /mock|prefer/.test(name))).toEqual([])
    expect(lastExchange(door)?.trace).toMatchObject({ rules: undefined, synthetic: false })
  })
})

describe('with rules, too', () => {
  describeDoors('pages of this machine', open => {
    test('can read the marks', async () => {
      const { send } = await open({ scenario: scenarioOf(withRules({ then: { status: 503 } })) })
      const { headers } = await send({ headers: [['Origin', 'http://localhost:3000']] })
      expect(headers['access-control-allow-origin']).toBe('http://localhost:3000')
      expect(headers['access-control-expose-headers']).toMatch(/X-Pet-Mock, Preference-Applied/)
    })
  })
})
