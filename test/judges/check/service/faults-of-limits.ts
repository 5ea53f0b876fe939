import { edit, type Faults, hasStatus, header, isGet, isMade, pathOf, without } from './edits.ts'
import { type Call, type Reply, usual } from './traits.ts'

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
  'no Reset': { traits: without(always, 'x-ratelimit-reset'), finds: 'limit-headers' },
  'no limit headers on 401': {
    traits: { hasLimits: (_, { status }) => status !== 401 },
    finds: 'limit-headers',
  },
  'no limit headers on 404': {
    traits: { hasLimits: (_, { status }) => status !== 404 },
    finds: 'limit-headers',
  },
  'no limit headers on 400': {
    traits: { hasLimits: (_, { status }) => status !== 400 },
    finds: 'limit-headers',
  },
  'no limit headers on 201': {
    traits: { hasLimits: (_, { status }) => status !== 201 },
    finds: 'limit-headers',
  },
  'a limit of no plan': { traits: header(always, 'x-ratelimit-limit', () => '100'), finds: 'limit-of-plan' },
  'a limit with its window': {
    traits: header(always, 'x-ratelimit-limit', value => `${value}, ${value};w=60`),
    finds: 'limit-integers',
  },
  'Remaining with a fraction': {
    traits: header(always, 'x-ratelimit-remaining', value => `${value}.0`),
    finds: 'limit-integers',
  },
  'Remaining below zero': {
    traits: header(isMade, 'x-ratelimit-remaining', () => '-1'),
    finds: 'limit-integers',
  },
  'Remaining above the limit': { traits: remaining(left => left + 500), finds: 'limit-remaining-range' },
  'Remaining that stands still': { traits: remaining(() => 42), finds: 'limit-counts-down' },
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
    finds: 'limit-counts-down',
  },
  'Remaining that counts up': {
    traits: {
      limitHeaders: (standing, call, status) => ({
        ...usual.limitHeaders(standing, call, status),
        'x-ratelimit-remaining': `${standing.limit - standing.remaining}`,
      }),
    },
    finds: 'limit-counts-down',
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
    finds: 'limit-counts-down',
  },
  'getPet is not counted': { traits: costs(isOne, 0), finds: 'limit-counts-down' },
  'createPet is not counted': { traits: costs(isPosted, 0), finds: 'limit-counts-down' },
  'lists are not counted': { traits: costs(isListed, 0), finds: 'limit-counts-down' },
  'getPet counts twice': { traits: costs(isOne, 2), finds: 'limit-counts-once' },
  'createPet counts twice': { traits: costs(isPosted, 2), finds: 'limit-counts-once' },
  'lists count three times': { traits: costs(isListed, 3), finds: 'limit-counts-once' },
  'every request counts twice': { traits: costs(() => true, 2), finds: 'limit-counts-once' },
  'a call without a key counts for the key': {
    traits: { chargesOthers: ({ headers }) => headers.authorization === undefined },
    finds: 'limit-counts-own',
  },
  'a call with a wrong key counts for the key': {
    traits: { chargesOthers: ({ headers }) => headers.authorization !== undefined },
    finds: 'limit-counts-own',
  },
  'Reset in milliseconds': { traits: reset(seconds => `${seconds}000`), finds: 'limit-reset-seconds' },
  'Reset as the seconds left': { traits: reset(() => '42'), finds: 'limit-reset-seconds' },
  'Reset as a date': {
    traits: reset(seconds => new Date(seconds * 1_000).toISOString()),
    finds: 'limit-reset-seconds',
  },
  'Reset in the past': { traits: reset(seconds => `${seconds - 120}`), finds: 'limit-reset-ahead' },
  'Reset of a minute in an hour': {
    traits: reset(seconds => `${seconds + 3_600}`),
    finds: 'limit-reset-ahead',
  },
  'Reset in two days': { traits: reset(seconds => `${seconds + 172_800}`), finds: 'limit-reset-ahead' },
  'Reset in the past on errors': {
    traits: header(hasStatus(400, 404), 'x-ratelimit-reset', value => `${Number(value) - 600}`),
    finds: 'limit-reset-ahead',
  },
  'errors are not counted': {
    traits: { cost: (_, status) => (status < 400 ? 1 : 0) },
    finds: 'limit-counts-errors',
    isNote: true,
  },
  '500 for every third animal': {
    traits: edit(
      (reply, call) => isGet(reply, call) && /[147]$/.test(call.target),
      () => ({ status: 500, text: '{"code":"c","message":"m","status":500}' }),
    ),
    finds: 'server-error',
  },
  '500 now and then': {
    traits: () => {
      let calls = 0
      return edit(accepted, () => {
        calls += 1
        return calls % 9 === 0 ? { status: 500, text: '{"code":"c","message":"m","status":500}' } : {}
      })
    },
    finds: 'server-error',
  },
}
