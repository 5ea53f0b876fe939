import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { openProxy } from '../../../src/doors/proxy/open-proxy.ts'
import { createSecrets } from '../../../src/service/keys/mask.ts'
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
  readonly key?: string | null
  readonly headers?: Readonly<Record<string, string>>
  /** Calls at the same time. */
  readonly times?: number
  /** Before the call, in milliseconds. */
  readonly after?: number
}

/** The report on a service after calls through a proxy, each 20 ms after the one before. */
async function judge(toy: Toy, steps: readonly Step[]) {
  const proxy = await openProxy({
    upstream: await serveToy(toy),
    host: '127.0.0.1',
    port: 0,
    allowedHosts: [],
    token: undefined,
    contract: undefined,
    contractMode: 'off',
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
  const call = async ({ target = '/pets', method = 'GET', key = 'demo-free', headers = {} }: Step) => {
    const authorization = key === null ? {} : { Authorization: `Bearer ${key}` }
    const options = { agent, method, headers: { ...authorization, ...headers } }
    const sent = request(`http://127.0.0.1:${proxy.door.port}/v1${target}`, options)
    const [response]: IncomingMessage[] = await once(sent.end(), 'response')
    await once(response?.resume() ?? sent, 'end')
  }
  for (const step of steps) {
    vi.setSystemTime(Date.now() + (step.after ?? 20))
    await Promise.all(Array.from({ length: step.times ?? 1 }, () => call(step)))
  }
  const reports = await proxy.reports()
  const report = reports.find(({ judge: name }) => name === 'service')
  return {
    conduct: reports.find(({ judge: name }) => name === 'conduct')?.findings ?? [],
    found: report?.findings.map(({ id }) => id) ?? ['no report'],
    notes: report?.notes.join('\n') ?? '',
    findings: report?.findings ?? [],
  }
}

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
  test.each<[fault: string, id: string, toy: Toy, steps: readonly Step[]]>([
    ['Remaining stays', 'limit-counts-down', () => ({ headers: limits(59, end) }), many(8)],
    [
      'Remaining stays low, for seconds',
      'limit-counts-down',
      () => ({ headers: limits(9, end) }),
      many(12, { after: 300 }),
    ],
    [
      'Remaining rises',
      'limit-counts-down',
      ({ number }) => ({ headers: limits(number, end) }),
      many(12, { after: 300 }),
    ],
    [
      'two instances count alone',
      'limit-counts-down',
      ({ number }) => ({ headers: limits(59 - Math.floor((number - 1) / 2) - 10 * (number % 2), end) }),
      many(20, { after: 300 }),
    ],
    [
      'Reset moves ahead',
      'limit-reset-steady',
      ({ number }) => ({ headers: limits(60 - number, end + 5 * number) }),
      many(6),
    ],
    [
      'Reset moves to and fro',
      'limit-reset-steady',
      ({ number }) => ({ headers: limits(60 - number, end + 5 * (number % 2)) }),
      many(8),
    ],
    ['Reset is in the past', 'limit-reset-ahead', () => ({ headers: limits(59, end - 100) }), many(1)],
    [
      'Reset is in milliseconds',
      'limit-reset-seconds',
      () => ({ headers: limits(59, end * 1_000) }),
      many(1),
    ],
    ['Reset is the seconds left', 'limit-reset-seconds', () => ({ headers: limits(59, 40) }), many(1)],
    ['a 404 has no limit headers', 'limit-headers', () => error(404, without), [{ target: '/pets/9' }]],
    ['a 401 has no limit headers', 'limit-headers', () => error(401, without), [{ key: null }]],
    [
      'a 429 has no Reset',
      'limit-headers',
      () => error(429, { ...refused, 'x-ratelimit-reset': undefined }),
      many(1),
    ],
    ['Retry-After is absent', 'retry-missing', () => error(429, limits(0, end)), many(1)],
    [
      'Retry-After is in the past',
      'retry-past',
      () => error(429, { ...refused, 'retry-after': dateAfter(-60) }),
      many(1),
    ],
    [
      'Retry-After is a timestamp',
      'retry-format',
      () => error(429, { ...refused, 'retry-after': `${end}` }),
      many(1),
    ],
    [
      'Retry-After is a word',
      'retry-format',
      () => error(429, { ...refused, 'retry-after': 'soon' }),
      many(1),
    ],
    [
      'Retry-After disagrees with Reset',
      'retry-agrees',
      () => error(429, { ...refused, 'retry-after': '10' }),
      many(1),
    ],
    ['a success without a key', 'auth-missing', () => ({}), [{ key: null }]],
    [
      'another status in the Error',
      'error-status',
      () => ({ status: 404, body: { code: 'a', message: 'b', status: 400 } }),
      [{ target: '/pets/9' }],
    ],
    [
      'a cursor that leads to its own page',
      'page-continues',
      () => ({ headers: link('/v1/pets?cursor=a') }),
      many(3, { target: '/pets?cursor=a' }),
    ],
    [
      'cursors that go round',
      'page-continues',
      ({ request: { url } }) => ({ headers: link(url === '/v1/pets' ? '?cursor=a' : '/v1/pets') }),
      [{}, { target: '/pets?cursor=a' }, {}],
    ],
  ])('%s: %s', async (fault, id, toy, steps) => {
    const { found, findings } = await judge(toy, steps)
    expect(found).toEqual([id])
    expect(`${findings[0]?.evidence[0]?.detail} ×${findings[0]?.count}`).toBe(details[fault])
  })
})

/** What is said of each fault first, and how often it shows. */
const details: Readonly<Record<string, string>> = {
  'Remaining stays': '59 remained before the call, 59 after ×5',
  'Remaining stays low, for seconds': '9 remained before the call, 9 after ×3',
  'Remaining rises': '9 remained before the call, 10 after ×3',
  'two instances count alone': '44 remained before the call, 54 after ×5',
  'Reset moves ahead': `X-RateLimit-Reset was ${end + 15}, then ${end + 20} ×2`,
  'Reset moves to and fro': `X-RateLimit-Reset was ${end + 5}, then ${end} ×5`,
  'Reset is in the past': 'X-RateLimit-Reset is 60 s before Date ×1',
  'Reset is in milliseconds': `X-RateLimit-Reset is ${end}000, which looks like milliseconds ×1`,
  'Reset is the seconds left': 'X-RateLimit-Reset is 40, which looks like the seconds left ×1',
  'a 404 has no limit headers':
    'without x-ratelimit-limit and x-ratelimit-remaining and x-ratelimit-reset ×1',
  'a 401 has no limit headers':
    'without x-ratelimit-limit and x-ratelimit-remaining and x-ratelimit-reset ×1',
  'a 429 has no Reset': 'without x-ratelimit-reset ×1',
  'Retry-After is absent': 'Retry-After is missing ×1',
  'Retry-After is in the past': 'Retry-After is Mon, 04 May 2026 09:59:05 GMT, 60 s before Date ×1',
  'Retry-After is a timestamp': `Retry-After is ${end}, which looks like a Unix timestamp ×1`,
  'Retry-After is a word': 'Retry-After is soon ×1',
  'Retry-After disagrees with Reset': 'Retry-After is 10, which ends 30 s before X-RateLimit-Reset ×1',
  'a success without a key': 'the call has no key, the status is 200 ×1',
  'another status in the Error': 'the Error has 400, the response 404 ×1',
  'a cursor that leads to its own page': 'the links led back to this page, with the same animals ×2',
  'cursors that go round': 'the links led back to this page, with the same animals ×1',
}

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
  let last = Date.now()
  return () => {
    const at = Date.now()
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
    ['a gateway that fails', () => error(502, without), many(3)],
    ['an error with limits that nobody documents', () => error(409), many(3)],
    ['a redirect with a Reset in the past', () => error(302, limits(59, end - 100)), many(1)],
    ['a caching proxy', () => ({ headers: { ...limits(59, end - 900), 'x-cache-status': 'HIT' } }), many(8)],
    ['a key in a cookie', () => ({}), [{ key: null, headers: { Cookie: 'session=a' } }]],
    ['a key in the query', () => ({}), [{ key: null, target: '/pets?api_key=a' }]],
    ['an unknown path without a key', () => ({}), [{ key: null, target: '/about' }]],
    ['a call outside the base path', () => error(404, without), [{ target: '/../other' }]],
    ['a preflight', () => ({ status: 204, headers: without }), [{ method: 'OPTIONS', key: null }]],
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
    const { findings, notes } = await judge(toy, steps)
    expect(findings).toEqual([])
    expect(notes).toBe(doubts[about] ?? '')
  })
})

const remaining =
  'whether X-RateLimit-Remaining counts down, because it did not fall, as in a sliding window or after a restart'
const keyless =
  'whether a success without Authorization is right, because another header or parameter may have a key'

/** What has no verdict, in which case. Of the others, everything is judged. */
const doubts: Readonly<Record<string, string>> = {
  restarts: `Not judged (4 times): ${remaining}.`,
  'restarts in windows by the clock': `Not judged (4 times): ${remaining}.`,
  'a sliding window': `Not judged (16 times): ${remaining}.`,
  'a gateway that fails':
    'Not judged (3 times): whether an error must have the rate limit headers, because a gateway before the service may have sent it.',
  'a key in a cookie': `Not judged (once): ${keyless}.`,
  'a key in the query': `Not judged (once): ${keyless}.`,
  'a ban that ends after the window':
    'Not judged (2 times): whether Retry-After agrees with X-RateLimit-Reset, because the key is banned.',
}

test.each<[about: string, toy: Toy, steps: readonly Step[], note: RegExp]>([
  [
    'a moving Reset',
    sliding(60, now => now + 60),
    many(25, { after: 3_000 }),
    /Not judged .*X-RateLimit-Reset is right, because it moved/,
  ],
  [
    'a restart',
    fixed([5]),
    many(8),
    /Not judged \(once\): whether X-RateLimit-Remaining counts down, because .* after a restart\./,
  ],
  ['a gateway that fails', () => error(502, without), many(2), /Not judged \(2 times\): .*gateway/],
  [
    'Retry-After of 0',
    () => error(429, { ...limits(0, startSeconds), 'retry-after': '0' }),
    many(1),
    /Retry-After is right, because it is 0/,
  ],
])('in doubt, a note has the reason: %s', async (_, toy, steps, note) => {
  const { found, notes } = await judge(toy, steps)
  expect(found).toEqual([])
  expect(notes).toMatch(note)
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
