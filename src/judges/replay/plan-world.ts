import { shippedFixtures } from '../../control/fixtures/fixtures.ts'
import type { ScenarioFile } from '../../control/scenario/file.ts'
import { settle } from '../../control/scenario/settle/settle.ts'
import { createEmulator } from '../../emulator/emulator.ts'
import type { Observer } from '../../emulator/journal/exchange.ts'
import type { Scenario } from '../../emulator/worlds/scenario.ts'
import type { Quota } from '../../service/plans/plan.ts'
import type { WantedCall } from './wanted-call.ts'

/** A plan to replay at. */
export interface PlanChoice {
  readonly name: string
  readonly quota: Quota
}

const key = 'replay'

/**
 * What a replay takes from a scenario: its plans, limits and bans. It has no pets, since no answer but a refusal matters,
 * and no rules and events: what they inject is not the plan's.
 */
export function replayScenario(name: string, { plans, limits, bans }: ScenarioFile): Scenario {
  return settle(
    name,
    { ...(plans && { plans }), ...(limits && { limits }), ...(bans && { bans }), pets: { count: 0 } },
    shippedFixtures,
  )
}

/** An emulator for one caller with a fresh key of a plan, whose clock runs with the calls. */
export function openPlan(
  scenario: Scenario,
  { name, quota }: PlanChoice,
  startedAt: number,
  observe: Observer,
) {
  const start = {
    plan: name,
    quota,
    used: { minute: 0, day: 0 },
    strikes: 0,
    bannedForMs: undefined,
    revoked: false,
    expiresAt: undefined,
  }
  const defects: unknown[] = []
  const emulator = createEmulator({
    scenario: { ...scenario, key, clock: { at: startedAt, scale: 1 }, keys: new Map([[key, start]]) },
    startedAt,
    journal: { entries: 0, bytes: 0 },
    onError: error => defects.push(error),
  })
  emulator.observe(observe)
  const headers = ['Host', '127.0.0.1', 'Authorization', `Bearer ${key}`]
  return ({ method, target }: WantedCall, at: number): void => {
    const call = { method, target, headers, body: undefined, scheme: 'http', client: '127.0.0.1' } as const
    emulator.handle({ ...call, receivedAt: at })
    // A defect of pet-mock: throw it with its stack.
    if (defects.length > 0) throw defects[0]
  }
}
