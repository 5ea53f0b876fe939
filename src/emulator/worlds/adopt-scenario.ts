import { readClock, startClock } from '../../base/time/clock.ts'
import { copyKey, type Key } from '../../service/keys/key.ts'
import { isSameQuota, type Quota } from '../../service/plans/plan.ts'
import type { KeyStart, Scenario } from './scenario.ts'
import { deleteKey, looksOf, startKey, type World } from './world.ts'

/**
 * Replaces the scenario of a world that goes on. Settings, plans, keys and rules apply at once. Pets, counts, bans and
 * the clock stay, and so do the counts of a rule with the same name.
 */
export function adoptScenario(world: World, scenario: Scenario, wall: number): void {
  const before = world.scenario
  const at = readClock(world.clock, wall)
  world.scenario = scenario
  Object.assign(world, looksOf(scenario, world.pets))
  world.rules.replace(scenario.rules, at)
  world.events.replace(scenario.events, at)
  for (const key of before.keys.keys()) {
    if (!scenario.keys.has(key)) deleteKey(world, key)
  }
  for (const key of world.keys.values()) {
    const quotaWas = quotaIn(before, key)
    adoptKey(key, before.keys.get(key.text), scenario.keys.get(key.text))
    const quota = quotaIn(scenario, key)
    if (quota !== undefined && isSameQuota(key.quota, quotaWas)) key.quota = quota
  }
  for (const [text, start] of scenario.keys) {
    if (!before.keys.has(text) && !world.keys.has(text)) world.keys.set(text, startKey(text, start, at))
  }
}

/** Applies what the scenario changes about a key. The rest may have been changed by hand, and stays. */
function adoptKey(key: Key, was: KeyStart | undefined, is: KeyStart | undefined): void {
  if (is === undefined) return
  if (is.plan !== was?.plan) {
    key.plan = is.plan
    key.quota = is.quota
  }
  if (is.revoked !== was?.revoked) key.revoked = is.revoked
  if (is.expiresAt !== was?.expiresAt) key.expiresAt = is.expiresAt
  key.windows.othersPerMinute = is.sharedPerMinute
}

function quotaIn({ keys, plans }: Scenario, { text, plan }: Key): Quota | undefined {
  const start = keys.get(text)
  return start?.plan === plan ? start.quota : plans.get(plan)
}

/** Whether a world is as it started: it recorded no call, and nobody changed it. */
export function isUnused(world: World): boolean {
  const { firstExchange, nextExchange, pets, clock, keys, rules, scenario } = world
  const { at, scale } = startClock(scenario.clock, clock.wall)
  return (
    nextExchange === firstExchange &&
    pets.revision === 0 &&
    clock.at === at &&
    clock.scale === scale &&
    rules.size === scenario.rules.length &&
    rules.list().every(({ rule, added, off }) => !added && off === rule.off) &&
    keys.size === scenario.keys.size &&
    [...keys.values()].every(key => {
      const start = scenario.keys.get(key.text)
      if (start === undefined) return false
      return JSON.stringify(copyKey(key)) === JSON.stringify(copyKey(startKey(key.text, start, at)))
    })
  )
}
