import { edit, error, type Faults, hasStatus, header, isGet, isMade, pathOf, without } from './edits.ts'
import { type Call, herd, type Reply, usual } from './traits.ts'

const always = () => true
const accepted = ({ status }: Reply) => status < 400
const reset = (change: (seconds: number) => string) =>
  header(
    ({ status }) => status !== 429,
    'x-ratelimit-reset',
    value => change(Number(value)),
  )
const remaining = (change: (left: number) => number) =>
  header(always, 'x-ratelimit-remaining', value => `${change(Number(value))}`)
const costs = (where: (call: Call) => boolean, n: number) => ({
  cost: (call: Call) => (where(call) ? n : 1),
})
const isListed = (call: Call) => pathOf(call) === '/v1/pets' && call.method === 'GET'
const isPosted = ({ method }: Call) => method === 'POST'
const isOne = (call: Call) => pathOf(call).startsWith('/v1/pets/')

/** Numbers without order, the same in each run. */
function createNoise() {
  let state = 17
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state % 50
  }
}

export const faultsOfLimits: Faults = {
  'no Reset': {
    traits: without(always, 'x-ratelimit-reset'),
    finds: 'limit-headers: GET /pets → 401: without x-ratelimit-reset',
  },
  'no limit headers on orders': {
    traits: { hasLimits: ({ target }) => !target.includes('orders') },
    finds:
      'limit-headers: GET /store/orders → 401: without x-ratelimit-limit and x-ratelimit-remaining and x-ratelimit-reset',
  },
  'Remaining with a plus sign': {
    traits: header(always, 'x-ratelimit-remaining', value => `+${value}`),
    finds: 'limit-plain: GET /pets → 200: x-ratelimit-remaining: +58',
    isNote: true,
  },
  'no limit headers on 401': {
    traits: { hasLimits: (_, { status }) => status !== 401 },
    finds:
      'limit-headers: GET /pets → 401: without x-ratelimit-limit and x-ratelimit-remaining and x-ratelimit-reset',
  },
  'no limit headers on 404': {
    traits: { hasLimits: (_, { status }) => status !== 404 },
    finds:
      'limit-headers: GET /pets/none → 404: without x-ratelimit-limit and x-ratelimit-remaining and x-ratelimit-reset',
  },
  'no limit headers on 400': {
    traits: { hasLimits: (_, { status }) => status !== 400 },
    finds:
      'limit-headers: POST /pets → 400: without x-ratelimit-limit and x-ratelimit-remaining and x-ratelimit-reset',
  },
  'no limit headers on 201': {
    traits: { hasLimits: (_, { status }) => status !== 201 },
    finds:
      'limit-headers: POST /pets → 201: without x-ratelimit-limit and x-ratelimit-remaining and x-ratelimit-reset',
  },
  'a limit of no plan': {
    traits: header(always, 'x-ratelimit-limit', () => '100'),
    finds: 'limit-of-plan: GET /pets → 200: 100, but free has 60 and 1000: is --plan right?',
  },
  'a limit with its window': {
    traits: header(always, 'x-ratelimit-limit', value => `${value}, ${value};w=60`),
    finds: 'limit-integers: GET /pets → 200: x-ratelimit-limit: 60, 60;w=60',
  },
  'Remaining with a fraction': {
    traits: header(always, 'x-ratelimit-remaining', value => `${value}.0`),
    finds: 'limit-integers: GET /pets → 200: x-ratelimit-remaining: 58.0',
  },
  'Remaining below zero': {
    traits: header(isMade, 'x-ratelimit-remaining', () => '-1'),
    finds: 'limit-integers: POST /pets → 201: x-ratelimit-remaining: -1',
  },
  'Remaining above the limit': {
    traits: remaining(left => left + 500),
    finds: 'limit-remaining-range: GET /pets → 200: 558 of 60 remain',
  },
  'Remaining that stands still': {
    traits: remaining(() => 42),
    finds:
      'limit-counts-down: GET /pets?limit=1 → 200: 42 remained before the call, 42 after it, 9 times of 9',
  },
  'Remaining without order': {
    traits: () => {
      const noise = createNoise()
      return {
        limitHeaders: (standing, call, status) => ({
          ...usual.limitHeaders(standing, call, status),
          'x-ratelimit-remaining': `${noise()}`,
        }),
      }
    },
    finds:
      'limit-counts-down: GET /pets → 200: 7 remained before the call, 42 after it, with a call without a key in between',
  },
  'Remaining that counts up': {
    traits: {
      limitHeaders: (standing, call, status) => ({
        ...usual.limitHeaders(standing, call, status),
        'x-ratelimit-remaining': `${standing.limit - standing.remaining}`,
      }),
    },
    finds: 'limit-counts-down: GET /pets?limit=1 → 200: 8 remained before the call, 9 after it, 9 times of 9',
  },
  'each operation has a quota of its own': {
    traits: () => {
      const used = new Map<string, number>()
      return {
        limitHeaders: (standing, call, status) => {
          const name = `${call.method}${isOne(call)}`
          used.set(name, (used.get(name) ?? 0) + 1)
          const left = standing.limit - (used.get(name) ?? 0)
          return { ...usual.limitHeaders(standing, call, status), 'x-ratelimit-remaining': `${left}` }
        },
      }
    },
    finds: 'limit-counts-down: GET /pets/7 → 200: 45 remained before the call, 58 after it',
  },
  'getPet is not counted': {
    traits: costs(isOne, 0),
    finds: 'limit-counts-down: GET /pets/7 → 200: 50 remained before the call, 50 after it, 7 times of 7',
  },
  'createPet is not counted': {
    traits: costs(isPosted, 0),
    finds: 'limit-counts-down: POST /pets → 201: 44 remained before the call, 44 after it, 7 times of 7',
  },
  'lists are not counted': {
    traits: costs(isListed, 0),
    finds:
      'limit-counts-down: GET /pets?limit=1 → 200: 60 remained before the call, 60 after it, 9 times of 9',
  },
  'getPet counts twice': {
    traits: costs(isOne, 2),
    finds: 'limit-counts-once: GET /pets/7 → 200: 50 remained before the call, 48 after it, 7 times of 7',
  },
  'getPet counts twice, and a malformed id gets 400': {
    traits: {
      ...costs(isOne, 2),
      ...edit(
        (_, { target }) => target.endsWith('/none'),
        () => error(400),
      ),
    },
    finds: 'limit-counts-once: GET /pets/7 → 200: 50 remained before the call, 48 after it, 7 times of 7',
  },
  'getPet counts twice, with one animal': {
    traits: { pets: herd.slice(0, 1), ...costs(isOne, 2) },
    finds: 'limit-counts-once: GET /pets/7 → 200: 48 remained before the call, 46 after it, 7 times of 7',
  },
  'Remaining is three too high on createPet': {
    traits: header(
      (_, call) => isPosted(call),
      'x-ratelimit-remaining',
      value => `${Number(value) + 3}`,
    ),
    finds: 'limit-counts-down: POST /pets → 201: X-RateLimit-Remaining is 46, not 43: 3 too high each time',
  },
  'Remaining is three too high on 201': {
    traits: header(isMade, 'x-ratelimit-remaining', value => `${Number(value) + 3}`),
    finds: 'limit-counts-down: POST /pets → 201: X-RateLimit-Remaining is 46, not 43: 3 too high each time',
  },
  'createPet counts twice': {
    traits: costs(isPosted, 2),
    finds: 'limit-counts-once: POST /pets → 201: 44 remained before the call, 42 after it, 6 times of 6',
  },
  'lists count three times': {
    traits: costs(isListed, 3),
    finds:
      'limit-counts-once: GET /pets?limit=1 → 200: 36 remained before the call, 33 after it, 7 times of 7',
  },
  'every request counts twice': {
    traits: costs(() => true, 2),
    finds:
      'limit-counts-once: GET /pets?limit=1 → 200: 44 remained before the call, 42 after it, 9 times of 9',
  },
  'a call without a key counts for the key': {
    traits: { chargesOthers: ({ headers }) => headers.authorization === undefined },
    finds:
      'limit-counts-own: GET /pets → 200: 59 remained before the call, 57 after it, with a call without a key in between, 6 times of 6',
  },
  'a call with a wrong key counts for the key': {
    traits: { chargesOthers: ({ headers }) => headers.authorization !== undefined },
    finds:
      'limit-counts-own: GET /pets?limit=100&status=sold → 200: 55 remained before the call, 53 after it, with a call with a wrong key in between, 3 times of 3',
  },
  'Reset in milliseconds': {
    traits: reset(seconds => `${seconds}000`),
    finds:
      'limit-reset-seconds: GET /pets → 200: X-RateLimit-Reset is 1772452867000, which looks like milliseconds',
  },
  'Reset as the seconds left': {
    traits: reset(() => '42'),
    finds: 'limit-reset-seconds: GET /pets → 200: X-RateLimit-Reset is 42, which looks like the seconds left',
  },
  'Reset as a date': {
    traits: reset(seconds => new Date(seconds * 1_000).toISOString()),
    finds:
      'limit-reset-seconds: GET /pets → 200: X-RateLimit-Reset is 2026-03-02T12:01:07.000Z, which is no number',
  },
  'Reset in the past': {
    traits: reset(seconds => `${seconds - 120}`),
    finds: 'limit-reset-ahead: GET /pets → 200: X-RateLimit-Reset is 60 s before Date',
  },
  'Reset is the time of each call': {
    traits: header(accepted, 'x-ratelimit-reset', (_, { at }) => `${Math.floor(at / 1_000)}`),
    finds:
      'limit-reset-ahead: GET /pets?limit=42 → 200: X-RateLimit-Reset is 0 s after Date, and later in none of 33 responses',
  },
  'Reset is three seconds before each call': {
    traits: header(accepted, 'x-ratelimit-reset', (_, { at }) => `${Math.floor(at / 1_000) - 3}`),
    finds:
      'limit-reset-ahead: GET /pets?limit=42 → 200: X-RateLimit-Reset is 3 s before Date, and later in none of 33 responses',
  },
  'Reset is five seconds before each call': {
    traits: header(accepted, 'x-ratelimit-reset', (_, { at }) => `${Math.floor(at / 1_000) - 5}`),
    finds:
      'limit-reset-ahead: GET /pets?limit=42 → 200: X-RateLimit-Reset is 5 s before Date, and later in none of 33 responses',
  },
  'Reset of a minute in an hour': {
    traits: reset(seconds => `${seconds + 3_600}`),
    finds:
      'limit-reset-ahead: GET /pets → 200: X-RateLimit-Reset is 3660 s after Date, and the limit is per minute',
  },
  'Reset in two days': {
    traits: reset(seconds => `${seconds + 172_800}`),
    finds:
      'limit-reset-ahead: GET /pets → 200: X-RateLimit-Reset is 172860 s after Date, and the limit is per minute',
  },
  'Reset in the past on errors': {
    traits: header(hasStatus(400, 404), 'x-ratelimit-reset', value => `${Number(value) - 600}`),
    finds: 'limit-reset-ahead: GET /pets/none → 404: X-RateLimit-Reset is 541 s before Date',
  },
  'errors are not counted': {
    traits: { cost: (_, status) => (status < 400 ? 1 : 0) },
    finds: 'limit-counts-errors: GET /pets/none → 404: 31 remained before the call, 31 after it',
    isNote: true,
  },
  'createPet is refused while requests are left': {
    traits: edit(
      (_, { method }) => method === 'POST',
      ({ headers }) => ({
        ...error(429),
        headers: { ...headers, 'retry-after': '20' },
      }),
    ),
    finds: 'limit-not-early: POST /pets → 429: 44 remained before the call',
  },
  '500 for every third animal': {
    traits: edit(
      (reply, call) => isGet(reply, call) && /[147]$/.test(call.target),
      () => ({ status: 500, text: '{"code":"c","message":"m","status":500}' }),
    ),
    finds: 'availability: GET /pets/7 → 500: the status is 500',
  },
  '500 now and then': {
    traits: () => {
      let calls = 0
      return edit(accepted, () => {
        calls += 1
        return calls % 6 === 0 ? { status: 500, text: '{"code":"c","message":"m","status":500}' } : {}
      })
    },
    finds: 'availability: GET /pets?limit=100 → 500: the status is 500',
  },
}
