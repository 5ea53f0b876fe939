import { addInt64 } from '../../base/json/int64.ts'
import { withoutUndefined } from '../../base/json/is-object.ts'
import type { Int64 } from '../../base/json/value.ts'
import { readClock } from '../../base/time/clock.ts'
import { formatDuration } from '../../base/time/duration.ts'
import { formatInstant } from '../../base/time/instant.ts'
import type { Rule, When } from '../../emulator/rules/rule.ts'
import { isRetired, type RuleStatus } from '../../emulator/rules/rule-book.ts'
import type { Scenario } from '../../emulator/worlds/scenario.ts'
import type { World } from '../../emulator/worlds/world.ts'
import type {
  ClockFields,
  EventFields,
  KeyFields,
  PetsFields,
  QuotaFields,
  RuleFields,
} from '../../generated/scenario-fields.ts'
import { type BanSettings, banEnd, readStrikes } from '../../service/bans/ban.ts'
import type { Key } from '../../service/keys/key.ts'
import { readWindows } from '../../service/limits/limiter.ts'
import type { PetStore } from '../../service/pets/store.ts'
import { isSameQuota, type Quota, shippedPlans } from '../../service/plans/plan.ts'
import type { Fixtures } from '../fixtures/fixtures.ts'
import { checkEvents } from '../scenario/checks/events.ts'
import { checkRule } from '../scenario/checks/rules.ts'
import { effectiveKeys } from '../scenario/effective.ts'
import type { ScenarioFile } from '../scenario/file.ts'
import { scenario as fields } from '../scenario/settings/scenario.ts'
import { settlePets } from '../scenario/settle/settle.ts'
import { formatRule } from '../scenario/show.ts'
import { behaviourFields } from './behaviour-fields.ts'

/**
 * A world's present state as a scenario, which starts where the world is. Open windows start anew at the first call of their
 * key, with the calls that are used. Undefined: it has too many pets that must be written out. `now`: the door's time.
 */
export function situationOf(world: World, now: number, fixtures: Fixtures): ScenarioFile | undefined {
  const { scenario, keys } = world
  const at = readClock(world.clock, now)
  const pets = petFields(world.pets, scenario, fixtures)
  if (pets === undefined) return undefined
  const plans = plansOf(world)
  const rules = ruleFields(world, at, plans)
  const file: ScenarioFile = {
    title: scenario.title,
    description: scenario.description,
    key: keys.has(scenario.key) ? scenario.key : undefined,
    seed: scenario.seed === fields.fields.seed.default ? undefined : scenario.seed,
    clock: clockFields(world, at, now),
    plans: planFields(plans),
    keys: keyFields(world, at, fixtures, plans),
    pets,
    rules: rules.length === 0 ? undefined : rules,
    events: eventFields(world, at),
    ...behaviourFields(scenario.behaviour),
  }
  // The events that can still happen: a key, a pet or a rule may be gone.
  const problems = checkEvents(file, effectiveKeys(file, fixtures), fixtures)
  const left = file.events?.filter((_, index) => !problems.some(({ path }) => path[1] === index))
  return withoutUndefined({ ...file, events: left?.length === 0 ? undefined : left })
}

/** A clock that shows real time needs no setting. */
function clockFields({ clock: { scale } }: World, at: number, now: number): ClockFields | undefined {
  if (scale === 0) return { at: formatInstant(at), frozen: true }
  if (scale !== 1) return { at: formatInstant(at), scale }
  return Math.abs(at - now) < 1_000 ? undefined : { at: formatInstant(at) }
}

type Plans = ReadonlyMap<string, Quota>

/** The plans of the scenario, and those that only keys still have: a changed file may have lost them. */
function plansOf({ keys, scenario: { plans } }: World): Plans {
  const lost = [...keys.values()].filter(({ plan }) => !plans.has(plan))
  return new Map([...plans, ...lost.map(({ plan, quota }) => [plan, quota] as const)])
}

/** The plans that differ from the shipped ones; null: the world has no such plan. */
function planFields(plans: Plans): Readonly<Record<string, QuotaFields | null>> | undefined {
  const shipped: Readonly<Record<string, Quota>> = shippedPlans
  const gone = Object.keys(shipped).filter(name => !plans.has(name))
  const own = [...plans].filter(([name, quota]) => !isSameQuota(quota, shipped[name]))
  return some([...gone.map(name => [name, null] as const), ...own])
}

/** The keys that differ from the fixtures', at an instant; null: the world has no such key. */
function keyFields(
  { keys, scenario }: World,
  at: number,
  fixtures: Fixtures,
  plans: Plans,
): Readonly<Record<string, KeyFields | null>> | undefined {
  const gone = Object.keys(fixtures.keys).filter(name => !keys.has(name))
  const own = [...keys].flatMap(([name, key]) => {
    const fields = fieldsOf(key, at, plans.get(key.plan), scenario.behaviour.bans)
    const isUsual = Object.keys(fields).length === 1 && fixtures.keys[name] === key.plan
    return isUsual ? [] : [[name, fields] as const]
  })
  return some([...gone.map(name => [name, null] as const), ...own])
}

function fieldsOf(key: Key, at: number, quota: Quota | undefined, bans: BanSettings | undefined): KeyFields {
  const { minute, day } = readWindows(key.windows, key.quota, at)
  const { count, bannedUntil } = readStrikes(key.strikes, at, bans)
  const { othersPerMinute } = key.windows
  return {
    plan: key.plan,
    // The calls of this minute count for the day too.
    ...((minute.used > 0 || day.used > 0) && {
      used: { minute: minute.used, day: Math.max(minute.used, day.used) },
    }),
    ...(bannedUntil === undefined
      ? count > 0 && { strikes: count }
      : { banned: formatDuration(bannedUntil - banEnd(at, 0)) }),
    ...(key.revoked && { revoked: true }),
    ...(key.expiresAt !== undefined && { expires: formatInstant(key.expiresAt) }),
    ...(othersPerMinute !== undefined && { sharedUse: { perMinute: othersPerMinute } }),
    ...(!isSameQuota(key.quota, quota) && { limits: { ...key.quota } }),
  }
}

function some<T>(entries: readonly (readonly [string, T])[]): Readonly<Record<string, T>> | undefined {
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

/**
 * The rules that can still act, with what is left of their time. Their counts of calls start anew. One that is off may be
 * switched on. A key or a plan of a rule may be gone.
 */
function ruleFields({ rules, keys }: World, at: number, plans: Plans): readonly RuleFields[] {
  return rules.list().flatMap(status => {
    const left = isRetired(status, at) ? undefined : remainder(status, at)
    const fields = left === undefined ? [] : [formatRule(left)]
    return fields.filter(rule => checkRule(rule, [], keys, plans).length === 0)
  })
}

function remainder({ rule, since, acted, off }: RuleStatus, at: number): Rule | undefined {
  const elapsed = at - since
  const { times, ttlMs } = rule
  const when = later(rule.when, elapsed)
  if (when === undefined) return undefined
  return {
    ...rule,
    off,
    when,
    times: times === undefined ? undefined : times - acted,
    ttlMs: ttlMs === undefined ? undefined : ttlMs - elapsed,
  }
}

/** Undefined: it holds no more. */
function later(when: When, elapsed: number): When | undefined {
  const { afterMs, between } = when
  if (between !== undefined && between[1] <= elapsed) return undefined
  return {
    ...when,
    afterMs: afterMs === undefined || afterMs <= elapsed ? undefined : afterMs - elapsed,
    between: between && [Math.max(0, between[0] - elapsed), between[1] - elapsed],
  }
}

/** The events that have not happened, with the calls and the time that are left until they do. */
function eventFields({ events, scenario }: World, at: number): readonly EventFields[] {
  const states = events.save()
  return scenario.events.flatMap(({ after, key, change }, index) => {
    const { since = at, calls = 0, happened = false } = states[index] ?? {}
    if (happened) return []
    const left = 'calls' in after ? after.calls - calls : formatDuration(after.ms - (at - since))
    return [{ after: typeof left === 'number' && left < 1 ? '0s' : left, ...(key && { key }), change }]
  })
}

/** The largest store that has a situation. A snapshot takes any number. */
const mostPets = 100_000
/** The most pets that a file writes out. */
const mostAdded = 10_000

/**
 * The pets of a store, as a scenario file has them: those that the fixtures and the seed give, as long as they are the same,
 * and all later ones written out. Undefined: they are too many.
 */
function petFields(
  store: PetStore,
  { seed, behaviour, pets }: Pick<Scenario, 'seed' | 'behaviour' | 'pets'>,
  fixtures: Fixtures,
): PetsFields | undefined {
  const { firstId, nextId } = store
  const hasOwnIds = fixtures.pets.some(({ id }) => id !== undefined)
  let count = hasOwnIds ? pets.size : Number(BigInt(nextId) - BigInt(firstId))
  if (count > mostPets) return undefined
  const { defaultStatus } = behaviour
  const setting = { firstId: firstId as PetsFields['firstId'], ...(defaultStatus && { defaultStatus }) }
  const usual = settlePets({ count, ...setting }, seed, fixtures)
  const gone: Int64[] = []
  let from = usual.nextId
  for (const { id, pet } of store.differences(usual)) {
    if (pet === undefined) gone.push(id)
    else if (!hasOwnIds) {
      count = Number(BigInt(id) - BigInt(firstId))
      from = id
      break
    }
  }
  const left = Number(BigInt(nextId) - BigInt(from))
  if (left > mostAdded) return undefined
  const add = Array.from({ length: Math.max(0, left) }, (_, index) => {
    const id = addInt64(from, index)
    const pet = store.get(id)
    if (pet === undefined) gone.push(id)
    const { name, categoryId, status } = pet ?? nobody
    return { name, categoryId, ...(status && { status }) }
  })
  const written = {
    count,
    ...setting,
    ...(gone.length > 0 && { gone }),
    ...(add.length > 0 && { add }),
  } as PetsFields
  // A file cannot give an id or extra members to a pet, or take its only status.
  return settlePets(written, seed, fixtures).equals(store) ? written : undefined
}

/** Takes the place of a deleted pet, whose id is used up. */
const nobody = { name: 'deleted', categoryId: 1, status: undefined }
