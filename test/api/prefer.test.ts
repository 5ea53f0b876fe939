import { expect, test } from 'vitest'
import { describeDoors, type TestRequest } from '../support/doors.ts'
import { expectContract } from '../support/expect-contract.ts'
import { expectProblem, readLimits, readRetryAfter } from '../support/expectations.ts'
import { allowAt } from '../support/methods.ts'
import { scenarioOf } from '../support/scenarios.ts'
import { serviceErrors } from '../support/service-errors.ts'

const prefer = (...values: readonly string[]): TestRequest => ({
  headers: values.map(value => ['Prefer', value] as const),
})

/** What is asked for, the status that comes, what was met, and what was not. */
const table: [string, string[], number, string | undefined, string?][] = [
  ['a status', ['code=503'], 503, 'code=503'],
  ['any status of 4xx', ['code=418'], 418, 'code=418'],
  ['the last one', ['code=599'], 599, 'code=599'],
  ['a delay', ['delay=1'], 200, 'delay=1'],
  ['no delay at all', ['delay=0'], 200, 'delay=0'],
  ['both', ['code=503, delay=1'], 503, 'code=503, delay=1'],
  ['both, the other way round and without a space', ['delay=1,code=503'], 503, 'code=503, delay=1'],
  ['both, in two headers', ['code=503', 'delay=1'], 503, 'code=503, delay=1'],
  ['in quotes', ['code="503"'], 503, 'code=503'],
  ['an escape in quotes', ['code="5\\03"'], 503, 'code=503'],
  ['with white space', ['  code = 503 '], 503, 'code=503'],
  ['a name in capitals', ['CODE=503'], 503, 'code=503'],
  ['with parameters', ['code=503; foo="a, b"; bar'], 503, 'code=503'],
  ['beside others', ['respond-async, wait=100, code=503'], 503, 'code=503', 'respond-async, wait=100'],
  ['after one with a comma in quotes', ['foo="code=500, x", code=503'], 503, 'code=503', 'foo="code=500, x"'],
  ['twice: the first counts', ['code=503, code=500'], 503, 'code=503', 'code=500'],
  ['twice: though it cannot be met', ['code=204, code=500'], 200, undefined, 'code=204, code=500'],
  ['the status that it gets anyway', ['code=200'], 200, 'code=200'],
  ['a status that is no error', ['code=204'], 200, undefined, 'code=204'],
  ['a status that is none', ['code=600'], 200, undefined, 'code=600'],
  ['a short status', ['code=99'], 200, undefined, 'code=99'],
  ['a word', ['code=abc'], 200, undefined, 'code=abc'],
  ['a status with a sign', ['code=+503'], 200, undefined, 'code=+503'],
  ['a status without a value', ['code'], 200, undefined, 'code'],
  ['an empty status', ['code=""'], 200, undefined, 'code=""'],
  ['a delay that is no number', ['delay=1s'], 200, undefined, 'delay=1s'],
  ['a delay beyond ten minutes', ['delay=600001'], 200, undefined, 'delay=600001'],
  ['one that cannot be met, beside one that can', ['code=204, delay=1'], 200, 'delay=1', 'code=204'],
  ['something else', ['dynamic=true'], 200, undefined, 'dynamic=true'],
  ['an example that there is not', ['example=cat'], 200, undefined, 'example=cat'],
  ['an example that a map has anyway', ['example=constructor'], 200, undefined, 'example=constructor'],
  ['an example without a name', ['example'], 200, undefined, 'example'],
  ['an example of another status', ['code=200, example=overLimit'], 200, 'code=200', 'example=overLimit'],
  ['a status with an example of another', ['code=418, example=empty'], 418, 'code=418', 'example=empty'],
  ['more than a header should name', ['a, b, c, d, e, f'], 200, undefined, 'a, b, c, d, e'],
  ['a long one', [`a=${'b'.repeat(500)}`], 200, undefined, `a=${'b'.repeat(57)}%E2%80%A6`],
  ['nothing', [''], 200, undefined],
  ['nonsense', [';;=,,"'], 200, undefined, ';;=, "'],
]

describeDoors('Prefer', open => {
  test.each(table)('%s', async (_, values, status, met, unmet) => {
    const { send } = await open()
    const reply = await send(prefer(...values))
    expect([reply.status, reply.headers['preference-applied']]).toEqual([status, met])
    const marks = [status === 200 ? [] : ['prefer'], unmet === undefined ? [] : [`prefer unmet: ${unmet}`]]
    expect(reply.headers['x-pet-mock'] ?? '').toBe(marks.flat().join('; '))
  })

  test.each(serviceErrors)('as the service answers: %s', async (_, request, status, code, headers) => {
    const { send } = await open()
    const reply = await send({ ...request, ...prefer(`code=${status}`) })
    expect(expectProblem(reply, status, code)).toContain(`Prefer: code=${status}.`)
    for (const [name, value] of Object.entries(headers))
      expect([name, reply.headers[name]]).toEqual([name, value])
    expect(readLimits(reply)).toMatchObject({ limit: 60, remaining: 59 })
    if (status === 429) expect(readRetryAfter(reply)).toBe(60)
  })

  test.each<[string, TestRequest, string, number, string, Readonly<Record<string, unknown>>]>([
    ['an empty list', {}, 'example=empty', 200, '[]', { 'x-ratelimit-remaining': '59' }],
    ['with its status', {}, 'code=200, example=empty', 200, '[]', {}],
    ['and a delay', {}, 'example=empty, delay=1', 200, '[]', {}],
    ['HEAD', { method: 'HEAD' }, 'example=empty', 200, '', { 'content-length': '2' }],
    [
      'a pet',
      { target: '/v1/pets/404' },
      'example=withoutStatus',
      200,
      '{"id":21,"name":"Ziggy","categoryId":1}',
      { sunset: 'Thu, 05 Dec 2030 00:00:00 GMT' },
    ],
    [
      'a created pet',
      { method: 'POST', body: {} },
      'example=complete',
      201,
      '"id":101,"name":"Rex"',
      { location: '/v1/pets/101' },
    ],
    ['an error', {}, 'example=unknownStatus', 400, '"code":"invalid_parameter"', {}],
    ['a ban', {}, 'code=429, example=banned', 429, '"code":"api_key_banned"', { 'retry-after': '60' }],
    [
      'no key',
      {},
      'example=missing',
      401,
      '"code":"missing_api_key"',
      { 'www-authenticate': 'Bearer realm="pet-api"' },
    ],
    [
      'a status of the default',
      {},
      'example=methodNotAllowed',
      405,
      '"code":"method_not_allowed"',
      { allow: allowAt('/v1/pets', 'GET') },
    ],
  ])('an example of the contract: %s', async (_, request, asked, status, text, headers) => {
    const { send, emulator } = await open()
    const reply = await send({ ...request, ...prefer(asked) })
    expect([reply.status, reply.headers['preference-applied']]).toEqual([status, asked])
    expect(reply.text).toContain(text)
    expect(reply.headers).toMatchObject({ 'x-pet-mock': 'prefer', ...headers })
    expect([...emulator.sandboxes.default.journal][0]?.trace).toMatchObject({ synthetic: true, strikes: 0 })
    if (request.method !== 'HEAD')
      await expectContract({ method: 'GET', target: '/v1/pets', ...request }, reply)
  })

  test('an example changes nothing', async () => {
    const { send } = await open()
    await send({ ...prefer('example=complete'), method: 'POST', body: { name: 'Rex', categoryId: 1 } })
    expect((await send({ target: '/v1/pets/101' })).status).toBe(404)
  })

  test('404 of a removed operation', async () => {
    const { send } = await open({ scenario: scenarioOf({ clock: { at: '2031-01-01T00:00:00Z' } }) })
    const reply = await send({ ...prefer('code=404'), target: '/v1/pets/1' })
    expectProblem(reply, 404, 'endpoint_removed')
    expect([reply.headers.sunset, reply.headers['x-pet-mock']]).toEqual([undefined, 'prefer'])
  })

  test('twenty 429 that were asked for are no strikes', async () => {
    const { send, emulator } = await open()
    for (let call = 0; call < 20; call += 1) expect((await send(prefer('code=429'))).status).toBe(429)
    const reply = await send()
    expect([reply.status, readLimits(reply).remaining]).toEqual([200, 39])
    expect([...emulator.sandboxes.default.journal].at(-2)?.trace).toMatchObject({
      synthetic: true,
      strikes: 0,
      code: 'rate_limit_exceeded',
    })
  })

  const spent = { used: { minute: 60, day: 60 } }
  test.each<[string, TestRequest, Parameters<typeof scenarioOf>[0]['keys'], string]>([
    ['without a key', { key: null }, {}, 'missing_api_key'],
    ['with an unknown key', { key: 'nobody' }, {}, 'invalid_api_key'],
    ['with a banned key', {}, { 'demo-free': { plan: 'free', banned: '5m' } }, 'api_key_banned'],
    ['beyond the limit', {}, { 'demo-free': { plan: 'free', ...spent } }, 'rate_limit_exceeded'],
  ])('another check comes first, and the mark names the preferences: %s', async (_, request, keys, code) => {
    const { send } = await open({ scenario: scenarioOf({ keys }) })
    const reply = await send({ ...request, ...prefer('code=404, delay=1, dynamic=true') })
    expect(reply.text).toContain(code)
    expect(reply.headers['x-pet-mock']).toBe('prefer unmet: code=404, delay=1, dynamic=true')
    expect(reply.headers['preference-applied']).toBeUndefined()
  })

  test('what is not met stands after the mark of a rule or an open area', async () => {
    const rules = [{ name: 'prefer unmet: me', then: { status: 418 } }]
    const { send } = await open({ scenario: scenarioOf({ rules }) })
    const mark = (await send(prefer('wait=1'))).headers['x-pet-mock']
    expect(mark).toBe('%70refer unmet: me; prefer unmet: wait=1')
  })

  test('the Error shape, the three headers, and it costs quota', async () => {
    const { send } = await open()
    const reply = await send(prefer('code=503'))
    expect(expectProblem(reply, 503, 'injected_fault')).toBe(
      'The request asked for this answer: Prefer: code=503.',
    )
    expect(readLimits(reply).remaining).toBe(59)
  })

  test('429 has a Retry-After', async () => {
    const { send } = await open()
    expect(readRetryAfter(await send(prefer('code=429')))).toBe(60)
  })

  test('HEAD has no body', async () => {
    const { send } = await open()
    expect(await send({ ...prefer('code=503'), method: 'HEAD' })).toMatchObject({ status: 503, text: '' })
  })

  test('it stands after key and limit', async () => {
    const keys = { exhausted: { plan: 'free', used: { minute: 60 } } }
    const { send } = await open({ scenario: scenarioOf({ keys }) })
    expectProblem(await send({ ...prefer('code=503'), key: null }), 401, 'missing_api_key')
    expectProblem(await send({ ...prefer('code=503'), key: 'exhausted' }), 429, 'rate_limit_exceeded')
  })

  test('it stands before the rules, which do not count such a call; a delay adds to theirs', async () => {
    const rules = [{ name: 'teapot', then: { status: 418, delay: '2ms' as const } }]
    const { send, emulator } = await open({ scenario: scenarioOf({ rules }) })
    const { journal, rules: book } = emulator.sandboxes.default
    expect((await send(prefer('code=503'))).status).toBe(503)
    expect(book.list()[0]?.calls).toEqual({})
    const reply = await send(prefer('delay=3'))
    expect([reply.status, reply.headers['preference-applied'], reply.headers['x-pet-mock']]).toEqual([
      418,
      'delay=3',
      'teapot',
    ])
    expect([...journal].map(({ trace, reply }) => [trace.gate, reply.delayMs, trace.synthetic])).toEqual([
      ['prefer', undefined, true],
      ['rule', 5, true],
    ])
  })

  test('what is asked to fail is not done', async () => {
    const { send } = await open()
    await send({ ...prefer('code=500'), method: 'POST', body: { name: 'Rex', categoryId: 1 } })
    expect((await send({ target: '/v1/pets/101' })).status).toBe(404)
  })

  test('without marks, what was met is still said', async () => {
    const { send } = await open({ marks: false })
    const { headers } = await send(prefer('code=503'))
    expect([headers['x-pet-mock'], headers['preference-applied']]).toEqual([undefined, 'code=503'])
  })
})
