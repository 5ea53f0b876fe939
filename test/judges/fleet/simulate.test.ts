import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { createBucket } from '../../../src/judges/fleet/bucket.ts'
import { restartsOf } from '../../../src/judges/fleet/fleet.ts'
import { type CreatePolicy, policies } from '../../../src/judges/fleet/policy.ts'
import { simulate } from '../../../src/judges/fleet/simulate.ts'
import { drawnGroup, fleetOf } from '../../support/drawn-fleets.ts'

const names = Object.keys(policies)
const createOf = (name: string) =>
  policies[name] ?? (() => ({ next: () => undefined, seen: () => undefined }))

interface Settings {
  readonly minute: number
  readonly day: number
  readonly isCalendar: boolean
  readonly after: number
  readonly forMs: number
  readonly graceMs: number
  readonly extend: boolean
}

/** The limits and bans of the specification (A05 to A10), written anew: the statuses of calls at these instants. */
function model({ minute, day, isCalendar, after, forMs, graceMs, extend }: Settings) {
  const windows = [
    { ms: 60_000, most: minute, used: 0, end: Number.NEGATIVE_INFINITY },
    { ms: 86_400_000, most: day, used: 0, end: Number.NEGATIVE_INFINITY },
  ]
  let [strikes, firstAt, bannedUntil] = [0, 0, Number.NEGATIVE_INFINITY]
  // Instants are whole milliseconds; windows and bans begin on a whole second.
  return (instant: number): number => {
    const at = Math.round(instant)
    const second = Math.floor(at / 1_000) * 1_000
    if (at < bannedUntil) {
      if (extend) bannedUntil = Math.max(bannedUntil, second + forMs)
      return 403
    }
    if (bannedUntil > 0) {
      bannedUntil = Number.NEGATIVE_INFINITY
      strikes = 0
    }
    for (const window of windows) if (at >= window.end) window.used = 0
    if (windows.every(({ used, most }) => used < most)) {
      for (const window of windows) {
        if (window.used === 0)
          window.end = isCalendar ? (Math.floor(at / window.ms) + 1) * window.ms : second + window.ms
        window.used += 1
      }
      strikes = 0
      return 200
    }
    if (strikes > 0 && at - firstAt < graceMs) return 429
    if (strikes === 0) firstAt = at
    strikes += 1
    if (strikes < after) return 429
    bannedUntil = second + forMs
    return 403
  }
}

const settings = fc.record({
  minute: fc.integer({ min: 1, max: 30 }),
  day: fc.integer({ min: 20, max: 400 }),
  isCalendar: fc.boolean(),
  after: fc.integer({ min: 1, max: 12 }),
  forMs: fc.constantFrom(20_000, 90_000, 300_000),
  graceMs: fc.constantFrom(0, 0, 2_000),
  extend: fc.boolean(),
})

test('each call of 1,000 drawn fleets has the status that an independent model gives to its instant', async () => {
  const seen = new Map<number, number>()
  await fc.assert(
    fc.asyncProperty(
      settings,
      fc.array(drawnGroup, { minLength: 1, maxLength: 2 }),
      fc.constantFrom(...names),
      fc.integer({ min: 1, max: 1e6 }),
      async (drawn, groups, policy, seed) => {
        const { isCalendar, after, forMs, graceMs, extend } = drawn
        const scenario = {
          limits: { window: isCalendar ? 'calendar' : 'first-call' },
          bans: { after, for: `${forMs}ms`, grace: `${graceMs}ms`, extend, status: 403 },
        } as const
        const fleet = fleetOf({ ...drawn, scenario, length: 900_000, seed }, ...groups)
        const statusOf = model(drawn)
        await simulate(fleet, {
          name: policy,
          create: createOf(policy),
          mostCalls: 600,
          onCall: (at, _key, status) => {
            expect(status).toBe(statusOf(at))
            seen.set(status, (seen.get(status) ?? 0) + 1)
          },
        })
      },
    ),
    { numRuns: 1_000 },
  )
  for (const status of [200, 429, 403]) expect(seen.get(status)).toBeGreaterThan(5_000)
}, 120_000)

test('the same fleet gives the same bytes, and another seed others', async () => {
  const run = async (seed: number) =>
    JSON.stringify(
      await simulate(
        fleetOf(
          { minute: 10, day: 500, length: 3_600_000, seed },
          {
            instances: 3,
            demand: { perMs: 0.5 / 1_000, arrivals: 'poisson', byHour: undefined },
            deploys: [600_000],
          },
        ),
        { name: 'exponential', create: createOf('exponential'), mostCalls: 1e5 },
      ),
    )
  expect(await run(1)).toBe(await run(1))
  expect(await run(1)).not.toBe(await run(2))
})

describe('figures', () => {
  const even = (perSecond: number) => ({
    perMs: perSecond / 1_000,
    arrivals: 'even' as const,
    byHour: undefined,
  })
  const run = (fleet: ReturnType<typeof fleetOf>, policy: string, options = {}) =>
    simulate(fleet, { name: policy, create: createOf(policy), mostCalls: 1e5, ...options }).then(
      ({ figures }) => figures,
    )

  it('of a demand below the quota: all done, with the latency as their age', async () => {
    const fleet = fleetOf(
      { minute: 60, day: 1e6, length: 3_600_000 },
      { instances: 4, demand: even(0.5), latency: 200 },
    )
    expect(await run(fleet, 'none')).toMatchObject({
      wanted: 1_800,
      served: 1,
      calls: 1_800,
      refused: 0,
      banned: { count: 0, ms: 0 },
      age: { p50: expect.closeTo(200, -1), p99: expect.closeTo(200, -1) },
      fairness: 1,
      quota: 3_600,
      unused: 0.5,
    })
  })

  it('of a demand of twice the quota, each refused job given up: a minute of calls, then a ban, and so on', async () => {
    // 60 calls in 30 s are served, then ten strikes in 5 s lead to a ban of 300 s: a round takes 335 s.
    const fleet = fleetOf({ minute: 60, day: 1e6, length: 3_300_000 }, { instances: 2, demand: even(2) })
    const figures = await run(fleet, 'none')
    expect(figures.wanted).toBe(6_600)
    expect(figures.banned.count).toBe(10)
    expect(figures.calls - figures.refused).toBe(600)
    expect(figures.served).toBeCloseTo(600 / 6_600, 10)
    expect(figures.banned.ms).toBeGreaterThan(2_900_000)
  })

  it('counts jobs that nobody came to, and the calls at once after a reset', async () => {
    const fleet = fleetOf({ minute: 10, day: 1e6, length: 600_000 }, { instances: 5, demand: even(1) })
    const shared = await run(fleet, 'bucket-shared')
    expect(shared).toMatchObject({ wanted: 600, refused: 0, banned: { count: 0 } })
    expect(shared.served).toBeCloseTo(100 / 600, 2)
    expect((await run(fleet, 'retry-after')).herd).toBeGreaterThan(20)
  })

  it('counts the calls of one second after each window as a herd, and no others', async () => {
    const scenario = { bans: 'off', limits: { window: 'calendar' } } as const
    const fleet = fleetOf(
      { minute: 60, day: 1e6, length: 300_000, scenario },
      { instances: 20, demand: even(1) },
    )
    // Each call waits for the next minute.
    const create: CreatePolicy = ({ now }) => ({
      next: () => Math.floor(now() / 60_000) * 60_000 + 60_000,
      seen: () => undefined,
    })
    expect((await simulate(fleet, { name: 'own', create, mostCalls: 1e5 })).figures.herd).toBe(20)
  })

  it('counts no herd of calls a second apart where an event moves the clock over the end of a window', async () => {
    const events = [{ after: '30 calls', change: { do: 'advanceClock', by: '40s' } }]
    const fleet = fleetOf(
      { minute: 60, day: 1e6, length: 180_000, scenario: { events } as never },
      { demand: even(1) },
    )
    const { calls, refused, herd } = await run(fleet, 'none')
    expect([calls, refused]).toEqual([180, 0])
    expect(herd).toBeLessThanOrEqual(1)
  })

  it('cuts a storm', async () => {
    const fleet = fleetOf({ minute: 1, day: 1e6, length: 86_400_000 }, { instances: 5, demand: even(50) })
    const { calls, cut } = await run(fleet, 'fixed', { mostCalls: 5_000 })
    expect(calls).toBe(5_000)
    expect(cut).toBeGreaterThan(1_000)
    expect(cut).toBeLessThan(120_000)
  })

  it('shows less for instances that get less done', async () => {
    const groups = [
      { instances: 1, demand: even(0.5) },
      { instances: 1, demand: even(0.5), key: 'other' },
    ]
    const keys = { 'fleet-key': { plan: 'own' }, other: { plan: 'own', revoked: true } }
    const fleet = fleetOf({ minute: 60, day: 1e6, length: 600_000, scenario: { keys } }, ...groups)
    expect(await run(fleet, 'none')).toMatchObject({ served: 0.5, fairness: 0.5 })
  })
})

test('rules of the scenario act: a delay lengthens the age, a broken connection has the status 0', async () => {
  const rules = [{ times: 1, then: { fault: 'reset' } }, { then: { delay: '700ms' } }]
  const fleet = fleetOf({ minute: 60, day: 1e6, length: 60_000, scenario: { rules } as never }, {})
  const statuses: number[] = []
  const { figures } = await simulate(fleet, {
    name: 'own',
    create: ({ now }) => ({
      next: now,
      seen: ({ status, headers, body }, { attempt }) => {
        statuses.push(status)
        expect([Object.keys(headers).length > 0, body.length > 0]).toEqual([status > 0, status > 0])
        return status === 0 && attempt === 1 ? now() + 5 : undefined
      },
    }),
    mostCalls: 1e5,
  })
  expect(statuses.slice(0, 3)).toEqual([0, 200, 200])
  expect(figures.age.p50).toBeGreaterThan(690)
  expect(figures.served).toBeGreaterThan(0.95)
})

describe.each([
  ['bucket-shared', false],
  ['bucket-shared', true],
  ['bucket-split', false],
  ['bucket-split', true],
])('%s, calendar windows: %s', (policy, isCalendar) => {
  test('is never refused, unless it forgets', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(drawnGroup, { minLength: 1, maxLength: 2 }),
        fc.integer({ min: 24, max: 90 }),
        async (groups, minute) => {
          const scenario = { limits: { window: isCalendar ? 'calendar' : 'first-call' } } as const
          const kept = groups.map(group => ({ ...group, restarts: undefined, deploys: [] }))
          const fleet = fleetOf({ minute, day: 700, scenario, length: 90_000_000 }, ...kept)
          const { figures } = await simulate(fleet, {
            name: policy,
            create: createOf(policy),
            mostCalls: 1e6,
          })
          expect(figures).toMatchObject({ refused: 0, banned: { count: 0, ms: 0 } })
          if (policy === 'bucket-shared')
            expect(figures.served * figures.wanted).toBeGreaterThanOrEqual(
              0.98 * Math.min(figures.wanted, figures.quota) - 2,
            )
        },
      ),
      { numRuns: 25 },
    )
  })
})

test('a restart asks for the waiting jobs anew, and none is lost', async () => {
  const fleet = fleetOf(
    { minute: 60, day: 1e6, length: 600_000 },
    { instances: 3, demand: { perMs: 0.1 / 1_000, arrivals: 'even', byHour: undefined }, deploys: [100_000] },
  )
  let made = 0
  const { figures } = await simulate(fleet, {
    name: 'own',
    // The first policies wait for ever.
    create: ({ now }) => {
      made += 1
      const isFirst = made <= 3
      return { next: () => (isFirst ? now() + 1e9 : now()), seen: () => undefined }
    },
    mostCalls: 1e5,
  })
  expect(made).toBe(6)
  expect(figures).toMatchObject({ wanted: 60, served: 1 })
})

test('24 h of 20 instances take a paced policy few events', async () => {
  const fleet = fleetOf(
    { minute: 60, day: 1_000, length: 86_400_000 },
    { instances: 20, demand: { perMs: 70 / 60_000, arrivals: 'even', byHour: undefined } },
  )
  for (const policy of ['bucket-shared', 'bucket-split']) {
    const { figures } = await simulate(fleet, { name: policy, create: createOf(policy), mostCalls: 1e5 })
    expect(figures).toMatchObject({ wanted: 100_800, calls: 1_000, refused: 0 })
  }
})

describe('a refusal in the first minute of a quota of two calls', () => {
  /** When calls are made, in milliseconds from the start. */
  async function callsOf(policy: string, instants: readonly number[]): Promise<readonly number[]> {
    const fleet = fleetOf({ minute: 2, day: 1e6, length: 66_000 }, { demand: { instants } })
    const made: number[] = []
    const onCall = (at: number) => void made.push(at - fleet.startedAt)
    await simulate(fleet, { name: policy, create: createOf(policy), mostCalls: 100, onCall })
    return made
  }
  const soonAfter = (at: number) => expect.toSatisfy((made: number) => made >= at && made <= at + 5_000)

  test('delays its own job as long as Retry-After says, with the policy retry-after', async () => {
    expect(await callsOf('retry-after', [0, 1, 1_000, 2_000])).toEqual([0, 1, 1_000, 2_000, 60_000, 60_000])
  })

  test('delays all jobs a little longer than Retry-After says, with the policy pause', async () => {
    const after = soonAfter(60_000)
    expect(await callsOf('pause', [0, 1, 1_000, 2_000])).toEqual([0, 1, 1_000, after, after])
  })
})

test.each<[quota: number, instants: readonly number[]]>([
  [0.5, [30_000, 150_500]],
  [1, [30_000, 60_500]],
  [2, [30_000, 30_000]],
])('a limiter of %d calls a minute by the clock lets two calls through at %j', (minute, instants) => {
  const { take } = createBucket({ minute, day: 1e7 }, 'calendar')
  expect([take(30_000), take(30_000)]).toEqual(instants)
})

test('instances of a group restart one after the other, and all at once with a deploy', () => {
  const { groups } = fleetOf(
    { minute: 60, day: 1e6, length: 0 },
    { instances: 4, restarts: 1_000, deploys: [1_100] },
  )
  const all = [0, 1, 2, 3].map(place => groups.flatMap(group => restartsOf(group, place, 2_000)))
  expect(all).toEqual([
    [250, 1_100, 1_250],
    [500, 1_100, 1_500],
    [750, 1_100, 1_750],
    [1_000, 1_100],
  ])
})
