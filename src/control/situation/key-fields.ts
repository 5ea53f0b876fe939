import { formatDuration } from '../../base/time/duration.ts'
import { formatInstant } from '../../base/time/instant.ts'
import type { World } from '../../emulator/worlds/world.ts'
import type { KeyFields, QuotaFields } from '../../generated/scenario-fields.ts'
import { banEnd, readStrikes } from '../../service/bans/ban.ts'
import type { Key } from '../../service/keys/key.ts'
import { readWindows } from '../../service/limits/limiter.ts'
import type { Quota } from '../../service/plans/plan.ts'
import { shippedPlans } from '../../service/plans/plan.ts'
import type { Fixtures } from '../fixtures/fixtures.ts'

/** The plans that differ from the shipped ones; null: the world has no such plan. */
export function planFields({ scenario }: World): Readonly<Record<string, QuotaFields | null>> | undefined {
  const shipped: Readonly<Record<string, Quota>> = shippedPlans
  const gone = Object.keys(shipped).filter(name => !scenario.plans.has(name))
  const own = [...scenario.plans].filter(([name, quota]) => !isSame(quota, shipped[name]))
  return some([...gone.map(name => [name, null] as const), ...own])
}

/** The keys that differ from the fixtures', at an instant; null: the world has no such key. */
export function keyFields(
  { keys, scenario }: World,
  at: number,
  fixtures: Fixtures,
): Readonly<Record<string, KeyFields | null>> | undefined {
  const gone = Object.keys(fixtures.keys).filter(name => !keys.has(name))
  const own = [...keys].flatMap(([name, key]) => {
    const fields = fieldsOf(key, at, scenario.plans.get(key.plan), scenario.behaviour.bans !== undefined)
    const isUsual = Object.keys(fields).length === 1 && fixtures.keys[name] === key.plan
    return isUsual ? [] : [[name, fields] as const]
  })
  return some([...gone.map(name => [name, null] as const), ...own])
}

function fieldsOf(key: Key, at: number, quota: Quota | undefined, canBan: boolean): KeyFields {
  const { minute, day } = readWindows(key.windows, key.quota, at)
  const { count, bannedUntil } = readStrikes(key.strikes, at)
  const isBanned = bannedUntil !== undefined && canBan
  const { othersPerMinute } = key.windows
  return {
    plan: key.plan,
    // The calls of this minute count for the day too.
    ...((minute.used > 0 || day.used > 0) && {
      used: { minute: minute.used, day: Math.max(minute.used, day.used) },
    }),
    ...(isBanned ? { banned: formatDuration(bannedUntil - banEnd(at, 0)) } : count > 0 && { strikes: count }),
    ...(key.revoked && { revoked: true }),
    ...(key.expiresAt !== undefined && { expires: formatInstant(key.expiresAt) }),
    ...(othersPerMinute !== undefined && { sharedUse: { perMinute: othersPerMinute } }),
    ...(!isSame(key.quota, quota) && { limits: { ...key.quota } }),
  }
}

function isSame(one: Quota, other: Quota | undefined): boolean {
  return one.minute === other?.minute && one.day === other.day
}

function some<T>(entries: readonly (readonly [string, T])[]): Readonly<Record<string, T>> | undefined {
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}
