import type { CheckedAs } from './check-service.ts'
import { error, hasStatus, header, without } from './edits.ts'
import { fixedWindows, slidingCounter, slidingLog, tokenBucket } from './limiters.ts'
import { type Traits, usual } from './traits.ts'
import type { Variation, Variations } from './variation.ts'

const always = () => true
const is429 = hasStatus(429)

const limited = (limiter: Traits['limiter'], as: CheckedAs = {}): Variation => ({
  traits: { limiter },
  as: { exhausts: true, ...as },
})
/** A minute is about to end. */
const lastSecond = Date.UTC(2026, 2, 2, 12, 0, 59)
const late = (seconds: number) => new Date(seconds * 1_000).toUTCString()
const banning = (banAfter: number, banStatus: number, banFor = 300_000): Variation => ({
  traits: { banAfter, banStatus, banFor },
  as: { exhausts: true },
})
const others = (every: number, most: number) => () => {
  let calls = 0
  let state = 5
  const used = () => {
    calls += 1
    state = (state * 48_271) % 2_147_483_647
    return calls % every === 0 ? 1 + (state % most) : 0
  }
  return { limiter: (quota: Traits['quota']) => fixedWindows(quota, { others: used }) }
}

export const ofLimits: Variations = {
  'windows on the full minute': limited(quota => fixedWindows(quota, { isCalendar: true })),
  'the headers of the day': limited(quota => fixedWindows(quota, { shows: 'day' })),
  'the headers of the tightest window': limited(quota => fixedWindows(quota, { shows: 'tightest' })),
  'the headers of the day, on the calendar': limited(quota =>
    fixedWindows(quota, { shows: 'day', isCalendar: true }),
  ),
  'a bucket that fills all the time': limited(tokenBucket),
  'a bucket of a service that is slow': limited(tokenBucket, { latency: 700 }),
  'a bucket of a service that is quick': limited(tokenBucket, { latency: 1 }),
  'a sliding window': limited(slidingLog),
  'a sliding window of a service that is slow': limited(slidingLog, { latency: 900 }),
  'a sliding window of two counters': limited(slidingCounter),
  'a bucket of ten requests': limited(quota => tokenBucket(quota, 10)),
  'a slow service': limited(fixedWindows, { latency: 1_500 }),
  'errors are not counted': {
    traits: { cost: (_, status) => (status < 400 ? 1 : 0) },
    as: { exhausts: true },
  },
  'only unknown animals are not counted': { traits: { cost: (_, status) => (status === 404 ? 0 : 1) } },
  'Reset with a fraction': {
    traits: header(always, 'x-ratelimit-reset', value => `${value}.25`),
    as: { exhausts: true },
  },
  'Reset rounded down': {
    traits: header(always, 'x-ratelimit-reset', value => `${Number(value) - 1}`),
    as: { exhausts: true },
  },
  'Reset rounded down, in the last second of a window': {
    traits: {
      limiter: quota => fixedWindows(quota, { isCalendar: true }),
      ...header(always, 'x-ratelimit-reset', value => `${Number(value) - 1}`),
    },
    as: { start: lastSecond, latency: 5 },
  },
  'Date of a clock that is ahead, at the end of a window': {
    traits: {
      limiter: quota => fixedWindows(quota, { isCalendar: true }),
      ...header(always, 'date', (_, { at }) => new Date(at + 4_000).toUTCString()),
    },
    as: { start: lastSecond - 1_000, latency: 20 },
  },
  'Date of a clock that is minutes ahead': {
    traits: header(always, 'date', (_, { at }) => new Date(at + 200_000).toUTCString()),
  },
  'a bucket with Reset in the next whole second': {
    traits: {
      limiter: tokenBucket,
      ...header(always, 'x-ratelimit-reset', (_, { at }) => `${Math.floor(at / 1_000) + 1}`),
    },
  },
  'a bucket with Reset in the next whole second, long before Date': {
    traits: {
      limiter: tokenBucket,
      ...header(always, 'x-ratelimit-reset', (_, { at }) => `${Math.ceil((at - 1_400) / 1_000)}`),
    },
    as: { latency: 1_500 },
  },
  'a bucket with Reset rounded down': {
    traits: {
      limiter: tokenBucket,
      limitHeaders: (standing, call, status) => ({
        ...usual.limitHeaders(standing, call, status),
        'x-ratelimit-reset': `${Math.floor(standing.resetAt / 1_000)}`,
      }),
    },
    as: { latency: 210 },
  },
  'Reset of each call, without Date': {
    traits: {
      ...without(always, 'date'),
      limitHeaders: (standing, call, status) => ({
        ...usual.limitHeaders(standing, call, status),
        'x-ratelimit-reset': `${Math.floor(call.at / 1_000)}`,
      }),
    },
  },
  'Reset from the seconds left': {
    traits: {
      limitHeaders: (standing, call, status) => ({
        ...usual.limitHeaders(standing, call, status),
        'x-ratelimit-reset': `${Math.floor(call.at / 1_000) + Math.round((standing.resetAt - call.at) / 1_000)}`,
      }),
    },
    as: { exhausts: true, latency: 130 },
  },
  'Retry-After rounded down': {
    traits: { retryAfter: seconds => `${Math.max(0, seconds - 1)}` },
    as: { exhausts: true },
  },
  'Retry-After with some seconds more': {
    traits: { retryAfter: seconds => `${seconds + 3}` },
    as: { exhausts: true },
  },
  'Retry-After as a date': {
    traits: { retryAfter: (seconds, at) => late(Math.ceil(at / 1_000) + seconds) },
    as: { exhausts: true },
  },
  'Retry-After as a date, and no Date': {
    traits: {
      retryAfter: (seconds, at) => late(Math.ceil(at / 1_000) + seconds),
      ...without(always, 'date'),
    },
    as: { exhausts: true },
  },
  'a 429 as text': {
    traits: { refusalText: 'Slow down', ...header(is429, 'content-type', () => 'text/plain') },
    as: { exhausts: true },
  },
  'a 429 without a body': {
    traits: { refusalText: '', ...without(is429, 'content-type') },
    as: { exhausts: true },
  },
  'a 429 of another shape': {
    traits: { refusalText: '{"error":{"type":"rate_limit"}}' },
    as: { exhausts: true },
  },
  'no bans': { traits: { banAfter: undefined }, as: { exhausts: true } },
  'a ban after two refusals': banning(2, 429),
  'a ban of 403': banning(2, 403),
  'a ban of 401': banning(2, 401),
  'a ban of 90 seconds': banning(3, 429, 90_000),
  'a key that others use sometimes': { traits: others(5, 1), as: { exhausts: true } },
  'a key that others use a lot': { traits: others(2, 3), as: { exhausts: true } },
  'a key that others use all the time': { traits: others(1, 2), as: { exhausts: true } },
  'callers without a key get 429 soon': {
    traits: () => {
      let calls = 0
      return {
        edit: reply => {
          calls += reply.status === 401 ? 1 : 0
          return reply.status === 401 && calls === 3
            ? {
                ...reply,
                ...error(429),
                headers: { ...reply.headers, 'retry-after': '20', 'x-ratelimit-remaining': '0' },
              }
            : reply
        },
      }
    },
  },
  'a limit by address for callers without a key': {
    traits: header(hasStatus(401), 'x-ratelimit-limit', () => '10000'),
  },
}
