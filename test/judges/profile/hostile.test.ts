import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../../src/emulator/journal/exchange.ts'
import { createLearner } from '../../../src/judges/profile/learner.ts'
import { seeCall } from '../../../src/judges/profile/seen-call.ts'
import { createStandIn, modes } from './stand-in.ts'

const start = Date.UTC(2026, 10, 22, 12, 0, 7)

/** An exchange of a service that is written by hand. */
function exchangeOf(
  index: number,
  { status = 200, headers = {}, body = '[]', target = '/v1/pets', sent = {} }: Answer,
): Exchange {
  const at = start + index * 300
  const key = { Authorization: 'Bearer the-key', ...sent }
  const plain = { id: index, sandbox: '', at, scale: 1, answeredAt: at + 10 }
  return {
    ...plain,
    call: {
      method: 'GET',
      target,
      headers: Object.entries(key).flat(),
      body: undefined,
      scheme: 'http',
      client: '',
      receivedAt: at,
    },
    reply: { status, headers: { Date: new Date(at).toUTCString(), ...headers }, body },
    trace: { synthetic: false, rules: undefined, gate: 'operation' },
    cut: { call: undefined, reply: undefined },
  } as unknown as Exchange
}

interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly target?: string
  readonly sent?: Readonly<Record<string, string>>
}

function learnFrom(answers: readonly Answer[]) {
  const learner = createLearner({ service: 'https://pets.example/v1' })
  for (const [index, answer] of answers.entries()) learner.add(exchangeOf(index, answer))
  return learner.profile().learned
}

const limits = (remaining: number, reset: number, limit = 60) => ({
  'X-RateLimit-Limit': `${limit}`,
  'X-RateLimit-Remaining': `${remaining}`,
  'X-RateLimit-Reset': `${reset}`,
})
/** Each fourth call asks for a pet that is not there. */
const missing = (index: number): Answer => (index % 4 === 3 ? { status: 404, target: '/v1/pets/9' } : {})
const seconds = (index: number) => Math.floor((start + index * 300) / 1_000)

describe('services that no setting describes', () => {
  test.each<[string, (index: number) => Answer]>([
    ['Remaining is a lie', index => ({ headers: limits((index * 37) % 61, seconds(0) + 60) })],
    ['Remaining never changes', index => ({ headers: limits(57, seconds(0) + 60), ...missing(index) })],
    ['the window slides', index => ({ headers: limits(59, seconds(index) + 60) })],
    [
      'windows end at odd seconds',
      index => ({ headers: limits(59 - (index % 50), seconds(0) + 47 + 60 * Math.floor(index / 50)) }),
    ],
    [
      'another client uses the key',
      index => ({
        headers: limits(Math.max(0, 56 - 3 * index), seconds(0) + 60),
        status: index % 4 === 3 ? 404 : 200,
        target: index % 4 === 3 ? '/v1/pets/9' : '/v1/pets',
      }),
    ],
  ])('%s: nothing is learned about windows and counts', (_, answer) => {
    const learned = learnFrom(Array.from({ length: 120 }, (_value, index) => answer(index)))
    for (const path of ['limits.window', 'limits.headers', 'limits.countInvalid', 'limits.countRefused'])
      expect(learned[path]).toBeUndefined()
  })

  test('a reset that is sent, and is never ahead, is not off', () => {
    const sent = (index: number) => ({ headers: limits(59 - (index % 50), seconds(index) - 5) })
    const learned = learnFrom(Array.from({ length: 120 }, (_value, index) => sent(index)))
    expect(learned['limits.names.reset']).toBeUndefined()
    expect(learned['limits.names.limit']).toMatchObject({ value: 'X-RateLimit-Limit' })
  })

  test('a header that pet-mock writes itself is not learned as one of limits', () => {
    const answer = (index: number): Answer => ({
      headers: {
        'X-Left': `${59 - index}`,
        'X-Ends': `${seconds(0) + 60}`,
        'Access-Control-Max-Age': '600',
      },
      ...missing(index),
    })
    const learned = learnFrom(Array.from({ length: 20 }, (_value, index) => answer(index)))
    expect(learned['limits.names.remaining']).toMatchObject({ value: 'X-Left' })
    expect(learned['limits.names.limit']).toMatchObject({ value: 'off' })
  })

  test('a header of words that differ is not one of limits, which are off', () => {
    const learned = learnFrom([1, 2, 3].map(index => ({ headers: { 'X-Turn': `turn ${index}` } })))
    expect(learned['limits.names.remaining']).toMatchObject({ value: 'off' })
  })

  test('headers in lower case have the usual names, and two responses do not settle their dialect', () => {
    const answers = [59, 58, 57].map(left => ({
      headers: Object.fromEntries(
        Object.entries(limits(left, seconds(0) + 60)).map(([name, value]) => [name.toLowerCase(), value]),
      ),
    }))
    const learned = learnFrom(answers)
    expect(learned['limits.names.remaining']).toMatchObject({ value: 'X-RateLimit-Remaining' })
    expect(learned['limits.dialect']).toMatchObject({ value: 'x-ratelimit' })
    expect(learnFrom(answers.slice(1))['limits.dialect']).toBeUndefined()
  })

  test.each([
    ['that one client uses', [2, 1, 0], expect.objectContaining({ atMost: 2, state: 'bounded' })],
    ['that others use, too', [4, 2, 0], undefined],
  ])('a ban without limit headers, of a key %s', (_, remaining, after) => {
    const refused = (status: number, wait: number, headers = {}): Answer => ({
      status,
      headers: { ...headers, 'Retry-After': `${wait}` },
      body: '{"code":"slow_down","message":"Wait"}',
    })
    const headers = (left: number) => limits(left, seconds(0) + 60)
    const learned = learnFrom([
      ...remaining.map(left => ({ headers: headers(left) })),
      refused(429, 60, headers(0)),
      refused(403, 900),
    ])
    expect(learned['bans.status']).toMatchObject({ value: 403 })
    expect(learned['bans.after']).toEqual(after)
  })

  test('one window that ends with a minute may be of the calendar by chance', () => {
    const first = Math.ceil(seconds(0) / 60) * 60
    const inWindow = (index: number) => ({ headers: limits(59 - index, first) })
    expect(
      learnFrom(Array.from({ length: 20 }, (_, index) => inWindow(index)))['limits.window'],
    ).toBeUndefined()
  })

  test('a wording that names a plan is not the wording of all plans', () => {
    const service = createStandIn({}, { at: start })
    modes.ban(service)
    expect(service.profile().learned['errors.rate_limit_exceeded']?.value).toEqual({
      code: 'rate_limit_exceeded',
    })
  })

  test('nothing is learned from an injected answer, even without a mark', () => {
    const learner = createLearner({ service: 'https://pets.example/v1' })
    const exchange = exchangeOf(0, {
      target: '/v1/pets?limit=0',
      status: 400,
      body: '{"code":"odd","message":"Odd"}',
    })
    learner.add({ ...exchange, trace: { ...exchange.trace, synthetic: true } })
    expect(learner.profile().learned).toEqual({})
  })

  test('pets in no order have an order that no value describes', () => {
    const body = (ids: readonly number[]) =>
      JSON.stringify(ids.map(id => ({ id, name: 'Rex', categoryId: 1 })))
    const learned = learnFrom([
      { body: body([1, 2, 3]) },
      { body: body([7, 2, 9]) },
      { body: body([4, 5, 6]) },
    ])
    expect(learned.pageOrder).toMatchObject({ state: 'other', shows: 'no order', seen: 1 })
  })

  const page = (limit: number, length: number, more: Partial<Answer> = {}): Answer => ({
    target: `/v1/pets?limit=${limit}`,
    body: JSON.stringify(Array.from({ length }, (_, id) => ({ id, name: 'Rex', categoryId: 1 }))),
    ...more,
  })
  const hasNext = { headers: { Link: '</v1/pets?cursor=20>; rel="next"' } }

  test.each<[string, readonly Answer[], string | undefined]>([
    ['the most for more', [page(101, 100)], 'clamp'],
    ['one pet for none', [page(0, 1)], 'clamp'],
    [
      'the default for too many, and more pets follow',
      [page(101, 20, hasNext)],
      'limit=101 gets fewer than 100',
    ],
    ['the default for too few', [page(0, 20)], 'limit=0 gets more than 1'],
    [
      'the default',
      [page(101, 20, hasNext), page(-5, 20), page(500, 20, hasNext)],
      'limit=0 gets more than 1, limit=101 gets fewer than 100',
    ],
    ['all pets for too many', [page(101, 150)], 'limit=101 gets more than 100'],
    [
      'one pet for too many, and the store has more',
      [page(5, 5), page(101, 1)],
      'limit=101 gets fewer than 100',
    ],
    ['no pet for none, and the store has some', [page(5, 5), page(0, 0)], 'limit=0 gets fewer than 1'],
    [
      'the most for more, but the default for none',
      [page(0, 20), page(101, 100)],
      'limit=0 gets more than 1',
    ],
    [
      '400 for none, but the default for more',
      [page(0, 0, { status: 400 }), page(101, 20, hasNext)],
      'limit=101 gets fewer than 100',
    ],
    ['422', [page(101, 0, { status: 422, body: '{}' })], 'limit=101 gets 422'],
    ['all pets of a small store, which may be the nearest size', [page(5, 5), page(101, 12)], undefined],
    [
      'a part of the pets, because another parameter may choose them',
      [page(5, 5), page(101, 3, { target: '/v1/pets?limit=101&name=Rex' })],
      undefined,
    ],
    ['no list', [page(101, 0, { body: '{}' })], undefined],
  ])('a limit out of range that gets %s', (_, answers, shown) => {
    const line = learnFrom(answers).pageSize
    expect(line?.value ?? line?.shows).toBe(shown)
    if (line !== undefined) expect(line.state).toBe(shown === 'clamp' ? 'observed' : 'other')
  })

  test('a link that is neither a URL nor a path has a form that no value describes', () => {
    const learned = learnFrom([page(2, 2, { headers: { Link: '<?cursor=2>; rel="next"' } })])
    expect(learned.pagination).toMatchObject({ state: 'other', seen: 1 })
  })

  test('an error whose wording differs by chance has no wording', () => {
    const missing = (id: number) => ({
      status: 404,
      target: `/v1/pets/${id}`,
      body: JSON.stringify({ code: 'gone', message: `Case ${(id * 7_919) % 1_000} is closed`, status: 404 }),
    })
    const learned = learnFrom([
      { target: '/v1/pets/1', body: '{"id":1}' },
      missing(901),
      missing(902),
      missing(903),
    ])
    expect(learned['errors.pet_not_found']).toMatchObject({ value: { code: 'gone' } })
  })

  test('a refused call of getPet shows no wording of a missing pet', () => {
    const pet = { target: '/v1/pets/1', body: '{"id":1}' }
    const refusal = { ...pet, status: 429, body: '{"code":"slow_down","message":"Wait"}' }
    expect(learnFrom([pet, refusal, pet])['errors.pet_not_found']).toBeUndefined()
  })

  test('a limit that only one of two errors names is no part of their wording', () => {
    const headers = limits(59, seconds(0) + 60)
    const missing = { status: 404, target: '/v1/pest', body: '{"code":"lost","message":"Nothing here"}' }
    const learned = learnFrom([{ headers }, { ...missing, headers }, missing])
    expect(learned['errors.route_not_found']).toMatchObject({
      value: { message: 'Nothing here' },
      state: 'inferred',
    })
  })

  test('a value that changed is contradicted until two minutes showed it', () => {
    const answer = (status: number) => ({
      target: '/v1/pets?limit=0',
      status,
      body: status === 200 ? '[{"id":1}]' : '{"code":"bad","message":"Bad","status":400}',
    })
    const seen = (statuses: readonly number[]) =>
      learnFrom(statuses.flatMap(status => Array.from({ length: 150 }, () => answer(status)))).pageSize
    expect(seen([400])).toMatchObject({ value: 'reject', state: 'observed', seen: 150 })
    expect(learnFrom([answer(400), answer(200)]).pageSize).toMatchObject({
      state: 'contradicted',
      values: [
        { value: 'reject', seen: 1 },
        { value: 'clamp', seen: 1 },
      ],
    })
    expect(seen([400, 200, 200])).toMatchObject({ value: 'clamp', state: 'observed', seen: 300 })
  })

  test('a call takes more room with longer headers', () => {
    const sizeOf = (text: string) => seeCall(exchangeOf(0, { headers: { 'X-Long': text } }))?.size ?? 0
    expect(sizeOf('x'.repeat(400)) - sizeOf('')).toBe(400)
  })

  test('huge responses cost bounded time and memory', () => {
    const huge = 'x'.repeat(300_000)
    const headers = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [`X-Huge-${index}`, huge.slice(0, 490)]),
    )
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    const bodies = [
      huge,
      deep,
      `{"code":"${huge}"}`,
      JSON.stringify(Array.from({ length: 5_000 }, (_, id) => ({ id }))),
    ]
    const learner = createLearner({ service: 'https://pets.example/v1' })
    const before = process.memoryUsage().heapUsed
    for (let index = 0; index < 3_000; index += 1)
      learner.add(
        exchangeOf(index, {
          headers,
          body: bodies[index % bodies.length] ?? '',
          status: index % 3 === 0 ? 429 : 200,
        }),
      )
    learner.profile()
    expect((process.memoryUsage().heapUsed - before) / 2 ** 20).toBeLessThan(400)
  })
})

describe('secrets', () => {
  const secret = fc.oneof(
    fc.uuid(),
    fc.emailAddress(),
    fc.stringMatching(/^sk_live_[a-z0-9]{16,24}$/),
    fc.stringMatching(/^[A-Za-z0-9]{10,20}\d[A-Za-z0-9]{10,20}$/),
    fc.ipV4(),
  )

  test('no secret of a service or a client is in a profile', () => {
    fc.assert(
      fc.property(secret, secret, (own, theirs) => {
        const key = own.replace(/[^\w.-]/g, '_')
        const error = (status: number, target: string): Answer => ({
          status,
          target,
          headers: { 'X-Owner': theirs, 'X-Client': own },
          body: JSON.stringify({
            code: theirs,
            message: `Sorry ${own}, ask ${theirs}`,
            status,
            trace: theirs,
            for: own,
          }),
          sent: { Authorization: `Bearer ${key}`, Cookie: `sid=${own}` },
        })
        const fine = (target: string): Answer => ({
          target,
          headers: { 'X-Owner': theirs, 'X-Client': own },
          body: JSON.stringify([1, 2, 3].map(id => ({ id, name: own, owner: theirs, by: own }))),
          sent: { Authorization: `Bearer ${key}`, 'X-Api': own },
        })
        const learned = learnFrom([
          fine('/v1/pets'),
          fine(`/v1/pets?token=${encodeURIComponent(own)}`),
          error(404, '/v1/pets/77'),
          error(404, '/v1/pets/78'),
          error(404, `/v1/${encodeURIComponent(own)}`),
          error(400, '/v1/pets?limit=0'),
          error(400, '/v1/pets?status=no'),
          error(429, '/v1/pets'),
        ])
        const text = JSON.stringify(learned)
        for (const hidden of [own, theirs, key]) expect(text).not.toContain(hidden)
      }),
      { numRuns: 300 },
    )
  })

  test('a profile does not name the key', () => {
    const service = createStandIn({}, { at: start })
    modes.ban(service)
    expect(JSON.stringify(service.profile())).not.toContain('learner')
  })
})
