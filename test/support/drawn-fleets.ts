import fc from 'fast-check'
import { shippedFixtures } from '../../src/control/fixtures/fixtures.ts'
import type { ScenarioFile } from '../../src/control/scenario/file.ts'
import { settle } from '../../src/control/scenario/settle/settle.ts'
import type { Fleet, Group } from '../../src/judges/fleet/fleet.ts'

export const fleetKey = 'fleet-key'

/** A fleet on one key, at `startedAt`, 12 h after a day began in UTC. */
export function fleetOf(
  {
    minute,
    day,
    scenario = {},
    ...fleet
  }: {
    readonly minute: number
    readonly day: number
    readonly scenario?: Partial<ScenarioFile>
    readonly length: number
    readonly seed?: number
  },
  ...groups: readonly Partial<Group>[]
): Fleet {
  const file = {
    pets: { count: 1 },
    plans: { own: { minute, day } },
    keys: { [fleetKey]: { plan: 'own' } },
    ...scenario,
  } as ScenarioFile
  return {
    scenario: settle('fleet', file, shippedFixtures),
    startedAt: Date.UTC(2026, 2, 2, 12),
    seed: 1,
    ...fleet,
    groups: groups.map((group, place) => ({
      name: `group ${place}`,
      instances: 1,
      key: fleetKey,
      call: { method: 'GET', target: '/v1/pets' },
      demand: { perMs: 1 / 1_000, arrivals: 'even', byHour: undefined },
      latency: 0,
      start: 0,
      restarts: undefined,
      deploys: [],
      ...group,
    })),
  }
}

/** Groups that differ in all that a fleet can have. */
export const drawnGroup = fc.record({
  instances: fc.integer({ min: 1, max: 12 }),
  demand: fc.record({
    perMs: fc.double({ min: 0.05, max: 4, noNaN: true }).map(perSecond => perSecond / 1_000),
    arrivals: fc.constantFrom('even' as const, 'poisson' as const),
    byHour: fc
      .option(fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 24, maxLength: 24 }), { nil: undefined })
      .map(hours => hours?.map((weight, hour) => (hour >= 12 ? weight + 1 : weight))),
  }),
  latency: fc.integer({ min: 0, max: 3_000 }),
  start: fc.constantFrom(0, 0, 45_500),
  restarts: fc.constantFrom(undefined, undefined, 200_000),
  deploys: fc.constantFrom([], [], [100_000, 333_333]),
})
