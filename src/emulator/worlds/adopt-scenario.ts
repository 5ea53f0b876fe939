import { readClock, startClock } from '../../base/time/clock.ts'
import type { Key } from '../../service/keys/key.ts'
import { Pages } from '../../service/pets/list-pets.ts'
import type { KeyStart, Scenario } from './scenario.ts'
import { startKey, type World } from './world.ts'

/**
 * Replaces the scenario of a world that goes on. Settings, plans, keys and rules apply at once. Pets, counts, bans and
 * the clock stay, and so do the counts of a rule with the same name.
 */
export function adoptScenario(world: World, scenario: Scenario, wall: number): void {
  const before = world.scenario.keys
  const at = readClock(world.clock, wall)
  world.scenario = scenario
  world.pages = new Pages(world.pets, scenario.behaviour)
  world.rules.replace(scenario.rules, at)
  for (const key of before.keys()) {
    if (!scenario.keys.has(key)) world.keys.delete(key)
  }
  for (const [text, start] of scenario.keys) {
    const key = world.keys.get(text)
    if (key !== undefined) adoptKey(key, before.get(text), start)
    else if (!before.has(text)) world.keys.set(text, startKey(text, start, at))
  }
}

/** Applies what the scenario changes about a key. The rest may have been changed by hand, and stays. */
function adoptKey(key: Key, was: KeyStart | undefined, is: KeyStart): void {
  const { plan, quota, revoked, expiresAt } = is
  if (plan !== was?.plan || quota.minute !== was.quota.minute || quota.day !== was.quota.day) {
    key.plan = plan
    key.quota = quota
  }
  if (revoked !== was?.revoked) key.revoked = revoked
  if (expiresAt !== was?.expiresAt) key.expiresAt = expiresAt
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
    rules.list().every(({ added }) => !added) &&
    keys.size === scenario.keys.size &&
    [...keys.values()].every(key => isAsStarted(key, scenario.keys.get(key.text)))
  )
}

function isAsStarted(key: Key, start: KeyStart | undefined): boolean {
  return (
    start !== undefined &&
    key.plan === start.plan &&
    key.quota.minute === start.quota.minute &&
    key.quota.day === start.quota.day &&
    key.revoked === start.revoked &&
    key.expiresAt === start.expiresAt &&
    key.windows.minute.used === start.used.minute &&
    key.windows.day.used === start.used.day &&
    key.strikes.count === start.strikes &&
    (key.strikes.bannedUntil === undefined) === (start.bannedForMs === undefined)
  )
}
