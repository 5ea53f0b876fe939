import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { openProxy } from '../../../src/doors/proxy/open-proxy.ts'
import { judgeOf, loadContract } from '../../../src/library/files/load-contract.ts'
import { createSecrets } from '../../../src/service/keys/mask.ts'
import { unjudgedTexts } from '../../support/reports.ts'
import { limits, serveToy, type Toy } from './toy-service.ts'

const start = Date.parse('2026-05-04T10:00:05Z')
const startSeconds = start / 1_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: start })
})
afterEach(() => {
  vi.useRealTimers()
})

interface Step {
  readonly target?: string
  readonly method?: string
  /** Sent as JSON. */
  readonly body?: unknown
  readonly key?: string | null
  readonly headers?: Readonly<Record<string, string>>
  /** Calls at the same time. */
  readonly times?: number
  /** Before the call, in milliseconds. */
  readonly after?: number
}

/** The report on a service after calls through a proxy, each 20 ms after the one before. */
async function judge(
  toy: Toy,
  steps: readonly Step[],
  {
    plan,
    judgesContract = false,
  }: { readonly plan?: string | undefined; readonly judgesContract?: boolean } = {},
) {
  const proxy = await openProxy({
    upstream: await serveToy(toy),
    host: '127.0.0.1',
    port: 0,
    allowedHosts: [],
    token: undefined,
    loadContract: async () => judgeOf(await loadContract(undefined)),
    hasOwnContract: false,
    judgesContract,
    plan,
    cors: undefined,
    rewriteLinks: false,
    journal: { entries: 10, bytes: 1_000_000 },
    secrets: createSecrets([]),
    log: {
      call: undefined,
      breaches: undefined,
      notice: () => {},
      refusal: () => {},
      failure: error => {
        throw error
      },
    },
  })
  const agent = new Agent({ keepAlive: true })
  onTestFinished(async () => {
    agent.destroy()
    await proxy.close(0)
  })
  const call = async ({ target = '/pets', method = 'GET', body, key = 'demo-free', headers = {} }: Step) => {
    const authorization = key === null ? {} : { Authorization: `Bearer ${key}` }
    const options = { agent, method, headers: { ...authorization, ...headers } }
    const sent = request(`http://127.0.0.1:${proxy.door.port}/v1${target}`, options)
    const [response]: IncomingMessage[] = await once(sent.end(body && JSON.stringify(body)), 'response')
    await once(response?.resume() ?? sent, 'end')
  }
  for (const step of steps) {
    vi.setSystemTime(Date.now() + (step.after ?? 20))
    await Promise.all(Array.from({ length: step.times ?? 1 }, () => call(step)))
  }
  const reports = await proxy.reports()
  const report = reports.find(({ judge: name }) => name === 'service')
  const contract = reports.find(({ judge: name }) => name === 'contract')
  return {
    conduct: reports.find(({ judge: name }) => name === 'conduct')?.findings ?? [],
    judged: contract?.facts[0]?.value,
    broken: contract?.findings.map(({ id, severity }) => `${severity} ${id}`) ?? [],
    unjudgedByContract: contract === undefined ? [] : unjudgedTexts(contract),
    found: report?.findings.map(({ id }) => id) ?? ['no report'],
    unjudged: report === undefined ? [] : unjudgedTexts(report),
    findings: report?.findings ?? [],
  }
}

const pets = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ id: at + 1, name: 'Rex', categoryId: 1, status: 'sold' }))
const many = (count: number, step: Step = {}): readonly Step[] => Array.from({ length: count }, () => step)
const error = (status: number, headers: Readonly<Record<string, string | undefined>> = {}) => ({
  status,
  headers,
})
const without = {
  'x-ratelimit-limit': undefined,
  'x-ratelimit-remaining': undefined,
  'x-ratelimit-reset': undefined,
}
const end = startSeconds + 40
const refused = { ...limits(0, end), 'retry-after': '40' }
const dateAfter = (seconds: number) => new Date(start + seconds * 1_000).toUTCString()
const link = (target: string) => ({ link: `<${target}>; rel="next"` })

describe('a faulty service is found', () => {
  test.each<[fault: string, finding: string, toy: Toy, steps: readonly Step[]]>([
    [
      'Remaining stays',
      'limit-counts-down: 59 remained before the call, 59 after ×5',
      () => ({ headers: limits(59, end) }),
      many(8),
    ],
    [
      'Remaining stays low, for seconds',
      'limit-counts-down: 9 remained before the call, 9 after ×3',
      () => ({ headers: limits(9, end) }),
      many(12, { after: 300 }),
    ],
    [
      'Remaining rises',
      'limit-counts-down: 9 remained before the call, 10 after ×3',
      ({ number }) => ({ headers: limits(number, end) }),
      many(12, { after: 300 }),
    ],
    [
      'two instances count alone',
      'limit-counts-down: 44 remained before the call, 54 after ×5',
      ({ number }) => ({ headers: limits(59 - Math.floor((number - 1) / 2) - 10 * (number % 2), end) }),
      many(20, { after: 300 }),
    ],
    [
      'Reset moves ahead',
      `limit-reset-steady: X-RateLimit-Reset was ${end + 15}, then ${end + 20} ×2`,
      ({ number }) => ({ headers: limits(60 - number, end + 5 * number) }),
      many(6),
    ],
    [
      'Reset moves to and fro',
      `limit-reset-steady: X-RateLimit-Reset was ${end + 5}, then ${end} ×5`,
      ({ number }) => ({ headers: limits(60 - number, end + 5 * (number % 2)) }),
      many(8),
    ],
    [
      'Reset is in the past',
      'limit-reset-ahead: X-RateLimit-Reset is 60 s before Date ×1',
      () => ({ headers: limits(59, end - 100) }),
      many(1),
    ],
    [
      'Reset is in milliseconds',
      `limit-reset-seconds: X-RateLimit-Reset is ${end}000, which looks like milliseconds ×1`,
      () => ({ headers: limits(59, end * 1_000) }),
      many(1),
    ],
    [
      'Reset is the seconds left',
      'limit-reset-seconds: X-RateLimit-Reset is 40, which looks like the seconds left ×1',
      () => ({ headers: limits(59, 40) }),
      many(1),
    ],
    [
      'Reset is no number',
      'limit-reset-seconds: X-RateLimit-Reset is soon, which is no number ×1',
      () => ({ headers: { ...limits(59, end), 'x-ratelimit-reset': 'soon' } }),
      many(1),
    ],
    [
      'Reset is two days ahead',
      'limit-reset-ahead: X-RateLimit-Reset is 172840 s after Date ×1',
      () => ({ headers: limits(59, end + 2 * 86_400) }),
      many(1),
    ],
    [
      'a list has no limit headers',
      'limit-headers: without x-ratelimit-limit and x-ratelimit-remaining and x-ratelimit-reset ×1',
      () => ({ headers: without }),
      many(1),
    ],
    [
      'orders have no limit headers',
      'limit-headers: without x-ratelimit-limit and x-ratelimit-remaining and x-ratelimit-reset ×1',
      () => ({ headers: without, body: [] }),
      [{ target: '/store/orders' }],
    ],
    [
      'orders need no key',
      'auth-missing: the call has no key, the status is 200 ×1',
      () => ({ body: [] }),
      [{ target: '/store/orders', key: null }],
    ],
    [
      'Remaining has a fraction',
      'limit-integers: x-ratelimit-remaining: 58.5 ×1',
      () => ({ headers: { ...limits(59, end), 'x-ratelimit-remaining': '58.5' } }),
      many(1),
    ],
    [
      'Remaining has a plus sign',
      'limit-plain: x-ratelimit-remaining: +59 ×1',
      () => ({ headers: { ...limits(59, end), 'x-ratelimit-remaining': '+59' } }),
      many(1),
    ],
    [
      'more remain than the limit allows',
      'limit-remaining-range: 99 of 60 remain ×1',
      () => ({ headers: limits(99, end) }),
      many(1),
    ],
    [
      'six pets for limit=5',
      'list-limit: 6 animals, at most 5 allowed ×1',
      () => ({ body: pets(6) }),
      [{ target: '/pets?limit=5' }],
    ],
    [
      '21 pets without a limit',
      'list-default: 21 animals ×1',
      () => ({ body: pets(21) }),
      [{ target: '/pets?status=sold' }],
    ],
    [
      'available pets for status=sold',
      'list-filter: the animal 1 has the status “available”, not sold ×1',
      () => ({ body: [{ id: 1, name: 'Rex', categoryId: 1, status: 'available' }] }),
      [{ target: '/pets?status=sold' }],
    ],
    [
      'pets without a status for status=sold',
      'list-filter-absent: the animal 1 has no status ×1',
      () => ({ body: [{ id: 1, name: 'Rex', categoryId: 1 }] }),
      [{ target: '/pets?status=sold' }],
    ],
    [
      'a pet is created pending that was sent as sold',
      'create-as-sent: status is “pending”, not “sold” ×1',
      () => ({ status: 201, body: { id: 4, name: 'Rex', categoryId: 1, status: 'pending' } }),
      [{ method: 'POST', body: { name: 'Rex', categoryId: 1, status: 'sold' } }],
    ],
    [
      '/pets/3 answers pet 4',
      'get-same: the id is 4, not 3 ×1',
      () => ({ body: { id: 4, name: 'Rex', categoryId: 1 } }),
      [{ target: '/pets/3' }],
    ],
    [
      'a pet beyond 2^53 gets the one beside it',
      'get-same: the id is 9007199254740994, not 9007199254740993 ×1',
      () => ({ text: '{"id":9007199254740994,"name":"Rex","categoryId":1}' }),
      [{ target: '/pets/9007199254740993' }],
    ],
    [
      'Remaining stays, one call each ten seconds, of two a minute',
      'limit-counts-down: 1 remained before the call, 1 after ×1',
      ({ number }) => ({ headers: limits(1, end + 20 + (number % 2), 2) }),
      many(4, { after: 10_000 }),
    ],
    [
      'a byte order mark',
      'json-no-mark: the body begins with U+FEFF ×1',
      () => ({ text: '\ufeff[]' }),
      many(1),
    ],
    [
      'a bad body is reported before a missing key',
      'auth-first: the call has no key, the status is 400 ×1',
      () => error(400),
      [{ method: 'POST', body: {}, key: null }],
    ],
    [
      'a 404 has no limit headers',
      'limit-headers: without x-ratelimit-limit and x-ratelimit-remaining and x-ratelimit-reset ×1',
      () => error(404, without),
      [{ target: '/pets/9' }],
    ],
    [
      'a 401 has no limit headers',
      'limit-headers: without x-ratelimit-limit and x-ratelimit-remaining and x-ratelimit-reset ×1',
      () => error(401, without),
      [{ key: null }],
    ],
    [
      'a 429 has no Reset',
      'limit-headers: without x-ratelimit-reset ×1',
      () => error(429, { ...refused, 'x-ratelimit-reset': undefined }),
      many(1),
    ],
    [
      'Retry-After is absent',
      'retry-missing: Retry-After is missing ×1',
      () => error(429, limits(0, end)),
      many(1),
    ],
    [
      'Retry-After is in the past',
      'retry-past: Retry-After is Mon, 04 May 2026 09:59:05 GMT, 60 s before Date ×1',
      () => error(429, { ...refused, 'retry-after': dateAfter(-60) }),
      many(1),
    ],
    [
      'Retry-After is a timestamp',
      `retry-format: Retry-After is ${end}, which looks like a Unix timestamp ×1`,
      () => error(429, { ...refused, 'retry-after': `${end}` }),
      many(1),
    ],
    [
      'Retry-After is a word',
      'retry-format: Retry-After is soon ×1',
      () => error(429, { ...refused, 'retry-after': 'soon' }),
      many(1),
    ],
    [
      'Retry-After disagrees with Reset',
      'retry-agrees: Retry-After is 10, which ends 30 s before X-RateLimit-Reset ×1',
      () => error(429, { ...refused, 'retry-after': '10' }),
      many(1),
    ],
    [
      'a success without a key',
      'auth-missing: the call has no key, the status is 200 ×1',
      () => ({}),
      [{ key: null }],
    ],
    [
      'another status in the Error',
      'error-status: the Error has 400, the response 404 ×1',
      () => ({ status: 404, body: { code: 'a', message: 'b', status: 400 } }),
      [{ target: '/pets/9' }],
    ],
    [
      'a cursor that leads to its own page',
      'page-continues: the links led back to this page, with the same animals ×2',
      () => ({ headers: link('/v1/pets?cursor=a') }),
      many(3, { target: '/pets?cursor=a' }),
    ],
    [
      'cursors that go round',
      'page-continues: the links led back to this page, with the same animals ×1',
      ({ request: { url } }) => ({ headers: link(url === '/v1/pets' ? '?cursor=a' : '/v1/pets') }),
      [{}, { target: '/pets?cursor=a' }, {}],
    ],
  ])('%s: %s', async (_fault, finding, toy, steps) => {
    const { findings } = await judge(toy, steps)
    const found = findings.map(({ id, evidence, count }) => `${id}: ${evidence[0]?.detail} ×${count}`)
    expect(found).toEqual([finding])
  })
})

/** A window of the last minute, whose Reset is a minute ahead. */
function sliding(limit: number, resetOf: (now: number, oldest: number) => number): Toy {
  let calls: number[] = Array.from({ length: 30 }, (_, index) => startSeconds - 58 + index)
  return ({ now }) => {
    calls = [...calls.filter(at => at > now - 60), now]
    return { headers: limits(limit - calls.length, resetOf(now, calls[0] ?? now), limit) }
  }
}

function tokenBucket(limit: number): Toy {
  let tokens = limit
  let last: number | undefined
  return () => {
    const at = Date.now()
    last ??= at
    tokens = Math.min(limit, tokens + ((at - last) * limit) / 60_000) - 1
    last = at
    const full = Math.ceil((at + ((limit - tokens) * 60_000) / limit) / 1_000)
    return { headers: limits(Math.floor(tokens), full, limit) }
  }
}

/** Counts in a window from its first call, and forgets everything at the calls in `restarts`. */
function fixed(restarts: readonly number[], step = 1, isCalendar = false): Toy {
  let used = 0
  let reset = 0
  return ({ number, now }) => {
    if (restarts.includes(number) || now >= reset) {
      used = 0
      reset = isCalendar ? Math.ceil((now + 1) / 60) * 60 : now + 60
    }
    used += step
    return { headers: limits(60 - used, reset) }
  }
}

describe('a lawful service is not accused', () => {
  test.each<[about: string, toy: Toy, steps: readonly Step[]]>([
    ['a fixed window', fixed([]), many(50)],
    ['windows that roll', fixed([]), many(50, { after: 3_000 })],
    ['a key that others use', fixed([], 3), many(15, { after: 500 })],
    ['parallel calls', fixed([]), many(4, { times: 10 })],
    ['restarts', fixed([5, 10, 15, 20]), many(25, { after: 300 })],
    ['restarts in windows by the clock', fixed([5, 10, 15, 20], 1, true), many(25, { after: 300 })],
    ['a sliding window', sliding(60, now => now + 60), many(25, { after: 700 })],
    [
      'a sliding window whose Reset is its oldest call',
      sliding(60, (_, oldest) => oldest + 60),
      many(25, { after: 700 }),
    ],
    ['rare calls in a sliding window', sliding(60, now => now + 60), many(8, { after: 61_000 })],
    ['a token bucket', tokenBucket(60), many(30, { after: 1_000 })],
    ['a token bucket of 300', tokenBucket(300), many(30, { after: 200 })],
    [
      'a change of the plan',
      ({ number }) => ({ headers: number > 4 ? limits(300 - number, end, 300) : limits(60 - number, end) }),
      many(8),
    ],
    [
      'several clients with keys of their own',
      ({ key, number }) => ({ headers: limits(60 - Math.ceil(number / 2), key === 'a' ? end : end + 9) }),
      Array.from({ length: 12 }, (_, index) => ({ key: index % 2 === 0 ? 'a' : 'b' })),
    ],
    [
      'the window with the fewest left, of two',
      ({ number }) => ({
        headers: number % 2 ? limits(60 - number, end) : limits(60 - number, end + 70_000, 1_000),
      }),
      many(12),
    ],
    ['made-up answers', () => ({ status: 429, headers: { ...without, 'x-pet-mock': 'storm' } }), many(8)],
    ['cached answers', () => ({ headers: { ...limits(59, end - 900), age: '900' } }), many(8)],
    ['errors that do not count', () => error(404, limits(59, end)), many(8, { target: '/pets/9' })],
    [
      'one 502 in 40 calls',
      ({ number }) =>
        number === 9
          ? { status: 502, headers: without, text: '<h1>502</h1>' }
          : { headers: limits(60 - number, end) },
      many(40),
    ],
    ['an error that a gateway may have sent', () => error(413, without), many(3)],
    ['an error with limits that nobody documents', () => error(409), many(3)],
    ['a redirect with a Reset in the past', () => error(302, limits(59, end - 100)), many(1)],
    ['a caching proxy', () => ({ headers: { ...limits(59, end - 900), 'x-cache-status': 'HIT' } }), many(8)],
    ['a key in a cookie', () => ({}), [{ key: null, headers: { Cookie: 'session=a' } }]],
    ['a key in the query', () => ({}), [{ key: null, target: '/pets?api_key=a' }]],
    ['an unknown path without a key', () => ({}), [{ key: null, target: '/about' }]],
    ['a call outside the base path', () => error(404, without), [{ target: '/../other' }]],
    ['a preflight', () => ({ status: 204, headers: without }), [{ method: 'OPTIONS', key: null }]],
    ['a read-only key', () => error(403), [{ method: 'POST', body: { name: 'Rex', categoryId: 1 } }]],
    [
      'no orders, with a key or without',
      () => error(404, without),
      [{ target: '/store/orders' }, { target: '/store/orders', key: null }],
    ],
    ['a cursor that brings its limit along', () => ({ body: pets(50) }), [{ target: '/pets?cursor=x' }]],
    ['a limit out of range that is clamped', () => ({ body: pets(100) }), [{ target: '/pets?limit=500' }]],
    ['a status that nobody knows', () => ({ body: pets(2) }), [{ target: '/pets?status=lost' }]],
    [
      'a pet beyond 2^53',
      () => ({ text: '{"id":9007199254740993,"name":"Rex","categoryId":1}' }),
      [{ target: '/pets/9007199254740993' }],
    ],
    ['a right 429', () => error(429, refused), many(1)],
    [
      'a right 429 with a date',
      () => error(429, { ...refused, 'retry-after': new Date(end * 1_000).toUTCString() }),
      many(1),
    ],
    [
      'a ban that ends after the window',
      () => ({
        status: 429,
        headers: { ...refused, 'retry-after': '300' },
        body: { code: 'api_key_banned', message: 'No.', status: 429 },
      }),
      many(2),
    ],
    ['Retry-After two seconds before Reset', () => error(429, { ...refused, 'retry-after': '38' }), many(1)],
    [
      'an error that is no Error, with a status of its own',
      () => ({ status: 404, body: { message: 'No.', status: 17 } }),
      [{ target: '/pets/9' }],
    ],
    [
      'a ban of two days',
      () => error(429, { ...limits(0, end + 2 * 86_400), 'retry-after': `${40 + 2 * 86_400}` }),
      many(1),
    ],
    ['no limits at all', () => ({ headers: limits(0, 0, 0) }), many(8)],
    [
      'a page that is asked for again',
      ({ request: { url } }) => ({ headers: url === '/v1/pets' ? link('/v1/pets?cursor=a') : {} }),
      [{}, {}, { target: '/pets?cursor=a' }, { target: '/pets?cursor=a' }, {}, { target: '/pets?cursor=a' }],
    ],
    [
      'one cursor for all pages, each with other animals',
      ({ number }) => ({
        headers: link('/v1/pets?cursor=a'),
        body: [{ id: number, name: 'Rex', categoryId: 1 }],
      }),
      many(5, { target: '/pets?cursor=a' }),
    ],
    ['a slow answer at the end of a window', () => ({ headers: limits(0, startSeconds - 3) }), many(1)],
  ])('%s', async (about, toy, steps) => {
    const { findings, unjudged } = await judge(toy, steps)
    expect(findings.filter(({ severity }) => severity !== 'info')).toEqual([])
    expect(findings.map(({ title }) => title)).toEqual(notesOf[about] ?? [])
    expect(unjudged).toEqual(about in doubts ? [doubts[about]] : [])
  })
})

const broken = 'Broken: every request must get a complete response, other than 5xx'

/** The notes among the findings. */
const notesOf: Readonly<Record<string, readonly string[]>> = {
  'one 502 in 40 calls': [`${broken}: 1 of 40 calls (2.5 %) got 502. Up to 5 % are a note.`],
}

const remaining = '(limit-counts-down): the number did not fall, as in a sliding window or after a restart'
const keyless = '(auth-missing): another header or parameter may have a key'

/** What has no verdict, in which case. Of the others, everything is judged. */
const doubts: Readonly<Record<string, string>> = {
  restarts: `4 calls ${remaining}`,
  'restarts in windows by the clock': `4 calls ${remaining}`,
  'a sliding window': `16 calls ${remaining}`,
  'an error that a gateway may have sent':
    '3 calls (limit-headers): a gateway before the service may have sent the error',
  'a key in a cookie': `1 call ${keyless}`,
  'a key in the query': `1 call ${keyless}`,
  'no orders, with a key or without':
    '2 calls (limit-headers): a gateway before the service may have sent the error',
  'a ban that ends after the window': '2 calls (retry-agrees): the key is banned',
}

test.each<[about: string, toy: Toy, steps: readonly Step[], note: RegExp]>([
  [
    'a moving Reset',
    sliding(60, now => now + 60),
    many(25, { after: 3_000 }),
    /limit-reset-steady\): X-RateLimit-Reset moved/,
  ],
  ['a restart', fixed([5]), many(8), /1 call \(limit-counts-down\): .* after a restart/],
  ['an error of a gateway', () => error(413, without), many(2), /2 calls \(.*gateway/],
  [
    'Retry-After of 0',
    () => error(429, { ...limits(0, startSeconds), 'retry-after': '0' }),
    many(1),
    /\(retry-past\): Retry-After is 0/,
  ],
])('in doubt, it is not judged, and the reason is given: %s', async (_, toy, steps, note) => {
  const { found, unjudged } = await judge(toy, steps)
  expect(found).toEqual([])
  expect(unjudged).toContainEqual(expect.stringMatching(note))
})

test('findings name the call, its key is masked, and further ones are counted', async () => {
  const key = 'pk_live_4f9a7c21d0e8'
  const toy: Toy = () => ({ status: 404, body: { code: key, message: 'b', status: 400 } })
  const { findings } = await judge(toy, many(30, { target: `/pets/9?x=${key}`, key }))
  expect(findings).toMatchObject([{ id: 'error-status', severity: 'error', count: 30 }])
  expect(findings[0]?.evidence).toHaveLength(20)
  expect(findings[0]?.evidence[0]).toMatchObject({
    request: 1,
    detail: 'the Error has 400, the response 404',
  })
  expect(JSON.stringify(findings)).not.toContain(key)
})

test('a parameter that the service itself links to is known, and of others nothing is said that was not seen', async () => {
  const toy: Toy = () => ({ headers: link('/v1/pets?page=2') })
  const { conduct } = await judge(toy, [{}, { target: '/pets?page=2' }, { target: '/pets?offset=5' }])
  const found = conduct.filter(({ id }) => id === 'unknown-parameter')
  expect(found).toMatchObject([{ count: 1, evidence: [{ what: 'GET /v1/pets?offset=5 → 200' }] }])
  expect(found[0]?.remedy).toBe('The specification does not name it: correct its name, or remove it.')
})

test.each<[about: string, plan: string | undefined, limit: number, found: readonly string[]]>([
  ['of the plan, a minute', 'pro', 300, []],
  ['of the plan, a day', 'pro', 10_000, []],
  ['of no plan', 'pro', 100, ['limit-of-plan']],
  ['of another plan', 'pro', 60, ['limit-of-plan']],
  ['of no plan, where none is named', undefined, 100, []],
])('the limit is one %s', async (_, plan, limit, ids) => {
  const { found } = await judge(() => ({ headers: limits(50, end, limit) }), many(1), { plan })
  expect(found).toEqual(ids)
})

test.each<[about: string, toy: Toy, step: Step, broken: readonly string[]]>([
  [
    'orders as an object',
    () => ({ body: { orders: [] } }),
    { target: '/store/orders' },
    ['info contract-assumed'],
  ],
  [
    'a fraction in Reset',
    () => ({ headers: { 'x-ratelimit-reset': `${end}.5` }, body: [] }),
    {},
    ['info contract-assumed'],
  ],
  [
    'another 400 of a list',
    () => ({ status: 400, body: { errors: ['limit'] } }),
    { target: '/pets?limit=0' },
    ['info contract-assumed'],
  ],
  [
    'HTML of a gateway, which is a matter of availability',
    () => ({ status: 502, text: '<h1>502</h1>' }),
    {},
    [],
  ],
  ['HTML of a firewall', () => ({ status: 403, text: '<h1>403</h1>' }), {}, ['info error-shape']],
  ['403 for a read-only key', () => error(403), { method: 'POST', body: { name: 'Rex', categoryId: 1 } }, []],
  [
    '401 of orders that is no Error',
    () => ({ status: 401, body: { error: 'key' } }),
    { target: '/store/orders' },
    ['error contract-body'],
  ],
  [
    'orders without Remaining',
    () => ({ headers: { 'x-ratelimit-remaining': undefined }, body: [] }),
    { target: '/store/orders' },
    ['error contract-header'],
  ],
])('what the contract only assumes is a note: %s', async (_, toy, step, expected) => {
  const { broken, judged } = await judge(
    toy,
    [{ headers: { 'Content-Type': 'application/json' }, ...step }],
    {
      judgesContract: true,
    },
  )
  expect(broken).toEqual(expected)
  const isNote = expected[0]?.startsWith('info') === true
  expect(judged?.endsWith('0 broke the contract, 1 differs from what it only assumes')).toBe(isNote)
})

test('one redirect among answers is not judged, and fails nothing', async () => {
  const toy: Toy = ({ number }) =>
    number === 2
      ? { status: 308, headers: { ...without, location: '/v1/pets/' } }
      : { headers: limits(60 - number, end) }
  const told = await judge(toy, many(3), { judgesContract: true })
  const { findings, unjudged, unjudgedByContract, judged } = told
  expect(findings).toEqual([])
  // One report says so.
  expect(unjudgedByContract).toEqual([])
  expect(unjudged).toEqual([
    expect.stringMatching(/^1 call \(.*\): the service redirects it to \/v1\/pets\/$/),
  ])
  expect(judged).toBe('2 calls; 0 broke the contract')
})

test.each<[about: string, toy: Toy, steps: readonly Step[], title: string]>([
  [
    'three 503 in 20 calls',
    ({ number }) =>
      number % 6 === 0 ? error(503, { 'retry-after': '1' }) : { headers: limits(60 - number, end) },
    many(20),
    '3 of 20 calls (15.0 %) got 503. Up to 5 % are a note.',
  ],
  [
    'an operation that always fails, among 97 calls that are answered',
    ({ request: { method }, number }) =>
      method === 'POST' ? error(500, without) : { headers: limits(1_000 - number, end, 1_000) },
    [...many(3, { method: 'POST', body: { name: 'Rex', categoryId: 1 } }), ...many(97)],
    '3 of 100 calls (3.0 %) got 500. createPet got 500 each time.',
  ],
])('%s are one error of availability', async (_, toy, steps, about) => {
  const { findings, broken: contract, judged } = await judge(toy, steps, { judgesContract: true })
  expect(findings).toMatchObject([{ id: 'availability', severity: 'error', title: `${broken}: ${about}` }])
  expect(contract).toEqual([])
  // The contract judges none of the three.
  expect(judged).toBe(`${steps.length - 3} calls; 0 broke the contract`)
})
