import { parseList } from 'structured-headers'
import { expect, test } from 'vitest'
import type { ScenarioFile } from '../../src/control/scenario/file.ts'
import { describeDoors, type TestReply, type TestRequest } from '../support/doors.ts'
import { limitHeaders, readLimits } from '../support/expectations.ts'
import { scenarioOf } from '../support/scenarios.ts'

/** A list of strings with parameters, by a parser of structured fields (RFC 9651). */
function read(text: string | undefined): [name: unknown, parameters: Record<string, unknown>][] {
  return parseList(text ?? '').map(([name, parameters]) => [
    name,
    Object.fromEntries(parameters instanceof Map ? parameters : []),
  ])
}

const dialect = (kind: 'x-ratelimit' | 'ietf' | 'both', file: ScenarioFile = {}) => ({
  scenario: scenarioOf({ ...file, limits: { ...file.limits, dialect: kind } }),
  keepsContract: kind !== 'ietf',
})

const policies = (minute: number, day: number) => [
  ['minute', { q: minute, w: 60, 'pet-mock-only': true }],
  ['day', { q: day, w: 86_400, 'pet-mock-only': true }],
]

/** Seconds from `Date` to the end of the window. */
function secondsLeft(reply: TestReply): number {
  return readLimits(reply).reset - Math.floor(Date.parse(reply.headers.date ?? '') / 1_000)
}

const keys: ScenarioFile['keys'] = {
  late: { plan: 'free', used: { minute: 10, day: 998 } },
  exhausted: { plan: 'free', used: { minute: 60 } },
  struck: { plan: 'free', used: { minute: 60 }, strikes: 9 },
  banned: { plan: 'pro', banned: '90s' },
  huge: { plan: 'free', limits: { minute: 9_007_199_254_740_991, day: 9_007_199_254_740_991 } },
}

const calls: [what: string, request: TestRequest, file: ScenarioFile, status: number, window: string][] = [
  ['a page', {}, {}, 200, 'minute'],
  ['a page for a key with few calls left today', { key: 'late' }, {}, 200, 'day'],
  ['a page, by limits.headers: day', {}, { limits: { headers: 'day' } }, 200, 'day'],
  ['a page, by limits.headers: minute', { key: 'late' }, { limits: { headers: 'minute' } }, 200, 'minute'],
  ['HEAD', { method: 'HEAD' }, {}, 200, 'minute'],
  ['OPTIONS', { method: 'OPTIONS', key: null }, {}, 204, 'minute'],
  ['no key', { key: null }, {}, 401, 'minute'],
  ['no pet', { target: '/v1/pets/999' }, {}, 404, 'minute'],
  ['no path', { target: '/v1/nothing' }, {}, 404, 'minute'],
  ['a wrong method', { method: 'DELETE' }, {}, 405, 'minute'],
  ['the limit', { key: 'exhausted' }, {}, 429, 'minute'],
  ['the limit, as a date', { key: 'exhausted' }, { limits: { retryAfter: 'http-date' } }, 429, 'minute'],
  ['a ban', { key: 'struck' }, {}, 429, 'minute'],
  ['during a ban', { key: 'banned' }, {}, 429, 'minute'],
  ['an injected 429', { headers: [['Prefer', 'code=429']] }, {}, 429, 'minute'],
  ['a calendar', {}, { limits: { window: 'calendar' } }, 200, 'minute'],
]

describeDoors('limits.dialect', open => {
  test.each(calls)('both: %s', async (_, request, file, status, window) => {
    const { send } = await open(dialect('both', { keys, ...file }))
    const reply = await send(request)
    expect(reply.status).toBe(status)
    const { limit, remaining } = readLimits(reply)
    const [minute, day] = request.key === 'banned' ? [300, 10_000] : [60, 1_000]
    expect(read(reply.headers['ratelimit-policy'])).toEqual(policies(minute, day))
    expect(read(reply.headers.ratelimit)).toEqual([[window, { r: remaining, t: secondsLeft(reply) }]])
    expect(limit).toBe(window === 'minute' ? minute : day)
    if (reply.headers['retry-after']?.match(/^\d+$/))
      expect(reply.headers['retry-after']).toBe(`${secondsLeft(reply)}`)
  })

  test.each(calls)('ietf: %s', async (_, request, file, status, window) => {
    const { send } = await open(dialect('ietf', { keys, ...file }))
    const reply = await send(request)
    expect(reply.status).toBe(status)
    for (const name of limitHeaders) expect(reply.headers[name]).toBeUndefined()
    expect(read(reply.headers['ratelimit-policy'])).toHaveLength(2)
    expect(read(reply.headers.ratelimit)[0]?.[0]).toBe(window)
  })

  test.each(calls)('the default: %s', async (_, request, file) => {
    const { send } = await open({ scenario: scenarioOf({ keys, ...file }) })
    const { headers } = await send(request)
    expect([headers.ratelimit, headers['ratelimit-policy']]).toEqual([undefined, undefined])
  })

  test('outside the API there are none', async () => {
    const { send } = await open(dialect('both'))
    const { headers } = await send({ target: '/pets' })
    expect([headers.ratelimit, headers['ratelimit-policy']]).toEqual([undefined, undefined])
  })

  test('they count down to 0, and the window starts anew', async () => {
    const door = await open(dialect('both', { plans: { free: { minute: 2, day: 10 } } }))
    const left: unknown[] = []
    for (const seconds of [0, 10, 20, 30]) {
      const [found] = read((await door.send()).headers.ratelimit)
      left.push([found?.[1].r, found?.[1].t])
      door.advance(seconds * 1_000)
    }
    expect(left).toEqual([
      [1, 60],
      [0, 60],
      [0, 50],
      [0, 30],
    ])
    const reply = await door.send()
    expect([reply.status, read(reply.headers.ratelimit)]).toEqual([200, [['minute', { r: 1, t: 60 }]]])
  })

  test('no number is larger than a structured field may have', async () => {
    const { send } = await open(dialect('both', { keys }))
    const { headers } = await send({ key: 'huge' })
    expect(read(headers['ratelimit-policy'])).toEqual(policies(999_999_999_999_999, 999_999_999_999_999))
    expect(read(headers.ratelimit)[0]?.[1].r).toBe(999_999_999_999_999)
  })

  test('a rule replaces them, and pages can read them', async () => {
    const headers = { ratelimit: '"minute";r=0;t=9' }
    const { send } = await open(dialect('both', { rules: [{ then: { status: 503, headers } }] }))
    const reply = await send({ headers: [['Origin', 'http://localhost:3000']] })
    expect(read(reply.headers.ratelimit)).toEqual([['minute', { r: 0, t: 9 }]])
    expect(reply.headers['access-control-expose-headers']?.split(', ')).toEqual(
      expect.arrayContaining(['RateLimit', 'RateLimit-Policy']),
    )
  })

  test('pages can read limit headers with other names', async () => {
    const names = { limit: 'X-Quota', remaining: 'X-Left', reset: 'off' }
    const { send } = await open({ ...dialect('both', { limits: { names } }), keepsContract: false })
    const { headers } = await send({ headers: [['Origin', 'http://localhost:3000']] })
    const exposed = headers['access-control-expose-headers']?.split(/, ?/) ?? []
    expect(exposed).toEqual(expect.arrayContaining(['X-Quota', 'X-Left', 'RateLimit', 'Retry-After']))
    expect((await send()).headers['access-control-expose-headers']).toBeUndefined()
  })
})
