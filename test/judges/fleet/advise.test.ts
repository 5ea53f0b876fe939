import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { type Advice, adviseFleet } from '../../../src/judges/fleet/advise.ts'
import { createBucket } from '../../../src/judges/fleet/bucket.ts'
import type { Fleet } from '../../../src/judges/fleet/fleet.ts'
import { type CreatePolicy, policies } from '../../../src/judges/fleet/policy.ts'
import { simulate } from '../../../src/judges/fleet/simulate.ts'
import { drawnGroup, fleetOf } from '../../support/drawn-fleets.ts'

const mostCalls = 1e5

const run = (fleet: Fleet, create: CreatePolicy) =>
  simulate(fleet, { name: 'tried', create, mostCalls }).then(({ figures }) => figures)

/** A limiter with the advised numbers alone, and no answer to a refusal but its wait. */
const limiterOf = ({ kind, quota = { minute: 0, day: 0 } }: Advice, isCalendar: boolean): CreatePolicy => {
  const shared = createBucket(quota, isCalendar ? 'calendar' : 'first-call')
  return ({ now }) => {
    const own = kind === 'shared' ? shared : createBucket(quota, isCalendar ? 'calendar' : 'any')
    return {
      next: () => own.take(now()),
      seen: ({ status }) => (status === 429 ? own.take(now() + 60_000) : undefined),
    }
  }
}

const adviceOf = async (fleet: Fleet, kind: Advice['kind']) =>
  (await adviseFleet(fleet, new Map(), mostCalls)).find(one => one.kind === kind)

test('the advised settings of 50 drawn fleets hold', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(drawnGroup, { minLength: 1, maxLength: 2 }),
      fc.integer({ min: 5, max: 60 }),
      fc.integer({ min: 100, max: 1_000 }),
      fc.boolean(),
      fc.boolean(),
      async (groups, minute, day, isCalendar, isSteady) => {
        const scenario = { limits: { window: isCalendar ? 'calendar' : 'first-call' } } as const
        const kept = groups.map(group => {
          const demand = isSteady ? { ...group.demand, byHour: undefined } : group.demand
          return { ...group, demand, restarts: undefined, deploys: [] }
        })
        const fleet = fleetOf({ minute, day, scenario, length: 10_800_000 }, ...kept)
        const shared = await adviceOf(fleet, 'shared')
        const split = await adviceOf(fleet, 'split')
        expect(shared?.proof).toBeDefined()
        if (shared?.proof === undefined) return
        const figures = await run(fleet, limiterOf(shared, isCalendar))
        expect(figures.banned.count).toBe(0)
        const most = Math.min(figures.wanted, figures.quota)
        // What a quiet hour leaves of the minutes' quota is of no use to a busy one.
        if (isSteady) expect(figures.served * figures.wanted).toBeGreaterThanOrEqual(0.98 * most - 2)
        expect(Math.abs(figures.served - shared.proof.served)).toBeLessThanOrEqual(0.02)
        if (split?.proof === undefined) return
        const own = await run(fleet, limiterOf(split, isCalendar))
        expect(own.banned.count).toBe(0)
        expect(Math.abs(own.served - split.proof.served)).toBeLessThanOrEqual(0.02)
      },
    ),
    { numRuns: 50 },
  )
}, 120_000)

describe('where nothing works', () => {
  const fleet = fleetOf(
    {
      minute: 60,
      day: 1_000,
      length: 7_200_000,
      scenario: { keys: { 'fleet-key': { plan: 'own', used: { minute: 0, day: 1_000 } } } } as never,
    },
    { instances: 5 },
  )

  it('the advice says so and why, and no other setting works', async () => {
    for (const kind of ['shared', 'split'] as const) {
      const advice = await adviceOf(fleet, kind)
      expect(advice).not.toHaveProperty('proof')
      expect(advice?.text).toBe('does not work: the service refuses every call')
    }
    for (const part of [1, 0.5, 0.25, 0.125])
      for (const name of ['bucket-shared', 'bucket-split', 'pacing', 'pause'])
        for (const instances of [1, 5]) {
          const create = policies[name]
          if (create === undefined) throw new Error(name)
          const groups = fleet.groups.map(group => ({ ...group, instances }))
          const { figures } = await simulate({ ...fleet, groups }, { name, create, mostCalls, part })
          expect(figures.served, `${name} ${part} ${instances}`).toBe(0)
        }
  })
})

test('the smallest plan suffices, and the next smaller one does not', async () => {
  const group = { instances: 4, demand: { perMs: 5 / 60_000, arrivals: 'even', byHour: undefined } } as const
  const fleet = fleetOf({ minute: 60, day: 1_000, length: 86_400_000 }, group)
  const advice = await adviceOf(fleet, 'plan')
  // 7,200 calls a day: Pro has 10,000, Free 1,000.
  expect(advice).toMatchObject({ plan: 'pro', proof: { served: 1, refused: 0 } })
})

describe('in words, of a fleet', () => {
  const adviceTo = async (perMinute: number, scenario: object, instances: number, minute: number) => {
    const demand = { perMs: perMinute / 60_000, arrivals: 'even', byHour: undefined } as const
    const fleet = fleetOf({ minute, day: 100_000, length: 600_000, scenario }, { instances, demand })
    const used = new Map([['pause', await run(fleet, policies.pause ?? neverCalls)]])
    return (await adviseFleet(fleet, used, mostCalls)).map(({ title, text }) => `${title}: ${text}`)
  }
  it('in which one more instance would be safe by chance, fewer are advised all the same', async () => {
    const demand = { perMs: 8 / 60_000, arrivals: 'poisson', byHour: undefined } as const
    const fleet = fleetOf({ minute: 5, day: 100_000, length: 300_000 }, { demand })
    const of = (instances: number) => ({ ...fleet, groups: fleet.groups.map(one => ({ ...one, instances })) })
    const figuresOf = (instances: number) => run(of(instances), policies.pause ?? neverCalls)
    const five = await figuresOf(5)
    expect([five.banned.count > 0, (await figuresOf(6)).banned.count]).toEqual([true, 0])
    const advice = await adviseFleet(of(5), new Map([['pause', five]]), mostCalls)
    expect(advice.find(({ kind }) => kind === 'instances')?.instances).toBe(4)
  })

  const neverCalls: CreatePolicy = () => ({ next: () => undefined, seen: () => undefined })

  it('whose instances wait for themselves, fewer instances are safe', async () => {
    expect(await adviceTo(20, {}, 6, 10)).toEqual([
      'one limiter for all: 10 calls a minute and 100,000 calls a day: no ban, no call refused, 50 % of the jobs done (the quota has room for 50 %)',
      'a limiter in each: 1 call a minute and 16,666 calls a day each: no ban, no call refused, 30 % of the jobs done (the quota has room for 50 %)',
      'the smallest plan: Free suffices with one limiter for all: no ban, no call refused, 100 % of the jobs done',
      'pause: at most 3 of 6 instances are safe for the same jobs: no ban, 55 calls refused, 50 % of the jobs done (the quota has room for 50 %)',
    ])
  })

  it('whose key others use, the settings that serve most are best, also if some calls are refused', async () => {
    const keys = { 'fleet-key': { plan: 'own', sharedUse: { perMinute: 30 } } }
    const [shared] = await adviceTo(240, { bans: 'off', keys }, 2, 60)
    expect(shared).toMatch(/^one limiter for all: 60 calls a minute and .*: no ban, 1 call refused, /)
  })
})

test('the safe number of instances has no ban, and one more has', async () => {
  const group = {
    instances: 12,
    demand: { perMs: 50 / 60_000, arrivals: 'even', byHour: undefined },
  } as const
  const fleet = fleetOf({ minute: 60, day: 1_000, length: 86_400_000 }, group)
  const pause = policies.pause
  if (pause === undefined) throw new Error('no pause')
  const used = new Map([['pause', await run(fleet, pause)]])
  const advice = (await adviseFleet(fleet, used, mostCalls)).find(({ kind }) => kind === 'instances')
  const safe = advice?.instances ?? 0
  const bans = async (instances: number) =>
    (await run({ ...fleet, groups: fleet.groups.map(one => ({ ...one, instances })) }, pause)).banned.count
  expect(await bans(safe)).toBe(0)
  expect(await bans(safe + 1)).toBeGreaterThan(0)
})
