import { expect, test } from 'vitest'
import { describeDoors, type TestRequest } from '../support/doors.ts'
import { expectProblem, readLimits, readRetryAfter } from '../support/expectations.ts'
import { scenarioOf } from '../support/scenarios.ts'

const prefer = (...values: readonly string[]): TestRequest => ({
  headers: values.map(value => ['Prefer', value] as const),
})

/** What is asked for, the status that comes, and what is said to have been met. */
const table: [string, string[], number, string | undefined][] = [
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
  ['beside others', ['respond-async, wait=100, code=503, return=minimal'], 503, 'code=503'],
  ['after one with a comma in quotes', ['foo="code=500, x", code=503'], 503, 'code=503'],
  ['twice: the first counts', ['code=503, code=500'], 503, 'code=503'],
  ['twice: though it cannot be met', ['code=200, code=500'], 200, undefined],
  ['a status that is no error', ['code=204'], 200, undefined],
  ['a status that is none', ['code=600'], 200, undefined],
  ['a status with a sign', ['code=+503'], 200, undefined],
  ['a status without a value', ['code'], 200, undefined],
  ['an empty status', ['code=""'], 200, undefined],
  ['a delay that is no number', ['delay=1s'], 200, undefined],
  ['a delay beyond ten minutes', ['delay=600001'], 200, undefined],
  ['one that cannot be met, beside one that can', ['code=200, delay=1'], 200, 'delay=1'],
  ['something else', ['example=cat, dynamic=true'], 200, undefined],
  ['nothing', [''], 200, undefined],
  ['nonsense', [';;=,,"'], 200, undefined],
]

describeDoors('Prefer', open => {
  test.each(table)('%s', async (_, values, status, met) => {
    const { send } = await open()
    const reply = await send(prefer(...values))
    expect([reply.status, reply.headers['preference-applied']]).toEqual([status, met])
    expect(reply.headers['x-pet-mock']).toBe(status === 200 ? undefined : 'prefer')
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
    const rules = [{ name: 'teapot', then: { status: 418, delay: '2ms' } }]
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
