import { exactInt64 } from '../../../base/json/int64.ts'
import type { ClockStart } from '../../../base/time/clock.ts'
import { parseDuration } from '../../../base/time/duration.ts'
import { parseInstant } from '../../../base/time/instant.ts'
import { parseOffset } from '../../../emulator/worlds/constraints.ts'
import type { Conventions, KeyStart, Profile, Scenario } from '../../../emulator/worlds/scenario.ts'
import { petNames } from '../../../generated/pet-names.ts'
import type { ClockFields, KeyFields, PetsFields, QuotaFields } from '../../../generated/scenario-fields.ts'
import type { BanSettings } from '../../../service/bans/ban.ts'
import type { DeprecationSettings } from '../../../service/deprecation/deprecation.ts'
import type { LimitSettings } from '../../../service/limits/limiter.ts'
import type { NewPet } from '../../../service/pets/pet.ts'
import { PetStore } from '../../../service/pets/store.ts'
import type { Quota } from '../../../service/plans/plan.ts'
import { about } from '../../files/show.ts'
import { createPetMaker, type Fixtures } from '../../fixtures/fixtures.ts'
import { underScenario } from '../../profile/serve.ts'
import { crossCheck } from '../checks/cross-check.ts'
import { effectiveKeys, effectivePetIds, effectivePlans, featuredKey } from '../effective.ts'
import type { ScenarioFile } from '../file.ts'
import { banFields, conventions, deprecation, limits } from '../settings/behaviour.ts'
import { settleAfter } from '../settings/events.ts'
import { scenario } from '../settings/scenario.ts'
import { defaultsOf, settleMap, withDefaults } from '../settings/settled.ts'
import { clock, key, used } from '../settings/world.ts'
import { settleRules } from '../settle-rules.ts'

/** A scenario with every setting decided. Merge `extends` before. Throws all that `crossCheck` finds. */
export function settle(name: string, file: ScenarioFile, fixtures: Fixtures, profile?: Profile): Scenario {
  const problems = crossCheck(whole(file, profile), fixtures).map(({ path, message }) => about(path, message))
  if (problems.length > 0) throw new Error(`The scenario ${name} is invalid: ${problems.join('; ')}`)
  return settleChecked(name, file, fixtures, { profile })
}

function whole(given: ScenarioFile, profile: Profile | undefined): ScenarioFile {
  return profile === undefined ? given : underScenario(given, profile)
}

interface SettleOptions {
  readonly pets?: PetStore | undefined
  readonly onPetsMade?: OnPetsMade | undefined
  /** What was learned about the service: it lies below the scenario. */
  readonly profile?: Profile | undefined
}

/** Like `settle`, for callers that already ran `crossCheck`. `pets`: generated from the same fields before. */
export function settleChecked(
  name: string,
  given: ScenarioFile,
  fixtures: Fixtures,
  { pets, onPetsMade, profile }: SettleOptions = {},
): Scenario {
  const file = whole(given, profile)
  const usual = defaultsOf(scenario)
  const plans = effectivePlans(file)
  const keys = effectiveKeys(file, fixtures)
  const seed = file.seed ?? usual.seed
  return {
    name,
    title: file.title ?? name,
    description: file.description ?? undefined,
    key: featuredKey(file, keys) ?? '',
    seed,
    reset: file.reset ?? usual.reset,
    clock: settleClock(file.clock ?? {}),
    plans: new Map([...plans].map(([plan, quota]) => [plan, quotaOf(quota)])),
    keys: new Map([...keys].map(([text, fields]) => [text, settleKey(fields, plans)])),
    pets: pets ?? settlePets(file.pets ?? {}, seed, fixtures, onPetsMade),
    orders: fixtures.orders,
    rules: settleRules(file.rules ?? []),
    events: (file.events ?? []).map(({ after, key, change }) => ({ after: settleAfter(after), key, change })),
    behaviour: {
      limits: settleMap<LimitSettings>(limits, file.limits ?? {}),
      bans: file.bans === 'off' ? undefined : settleMap<BanSettings>(banFields, file.bans ?? {}),
      ...settleMap<Conventions>(conventions, file),
      defaultStatus: file.pets?.defaultStatus ?? undefined,
      deprecation: settleMap<DeprecationSettings>(deprecation, file.deprecation ?? {}),
    },
    origin: { given, profile },
    ...(file.walkthrough?.length && { walkthrough: file.walkthrough }),
  }
}

function settleClock({ at, offset, frozen, scale }: ClockFields): ClockStart {
  const offsetMs = parseOffset(offset ?? '')
  return {
    at: parseInstant(at ?? ''),
    scale: frozen === true ? 0 : (scale ?? clock.fields.scale.default),
    ...(offsetMs !== undefined && { offsetMs }),
  }
}

/** The state of a new key, from fields that were checked. */
export function settleKey(fields: KeyFields, plans: ReadonlyMap<string, QuotaFields>): KeyStart {
  const { strikes, revoked } = defaultsOf(key)
  const plan = fields.plan ?? ''
  const minute = fields.used?.minute ?? used.fields.minute.default
  return {
    plan,
    quota: withDefaults(quotaOf(plans.get(plan)), fields.limits ?? {}),
    // Calls of this minute are calls of this day too.
    used: { minute, day: fields.used?.day ?? minute },
    strikes: fields.strikes ?? strikes,
    bannedForMs: fields.banned ? parseDuration(fields.banned) : undefined,
    revoked: fields.revoked ?? revoked,
    expiresAt: parseInstant(fields.expires ?? ''),
    ...(fields.sharedUse && { sharedPerMinute: fields.sharedUse.perMinute }),
  }
}

function quotaOf(fields: QuotaFields | undefined): Quota {
  return { minute: fields?.minute ?? 0, day: fields?.day ?? 0 }
}

/** Reports progress while many pets are generated: the count so far, and the final one. */
export type OnPetsMade = (made: number, count: number) => void

/** Pets between two reports: a few milliseconds' work. */
const stride = 10_000

/** The store that worlds start with: the fixtures' pets, generated ones up to the count, then the added ones (effectivePetIds). */
export function settlePets(
  fields: PetsFields,
  seed: number,
  fixtures: Fixtures,
  onPetsMade?: OnPetsMade,
): PetStore {
  const { count, first, own, next } = effectivePetIds(fields, fixtures)
  const { defaultStatus } = fields
  const complete = <P extends NewPet>(pet: P): P =>
    pet.status === undefined && defaultStatus ? { ...pet, status: defaultStatus } : pet
  // A program may write 5n, which a set of numbers does not hold.
  const gone = new Set((fields.gone ?? []).map(exactInt64))
  const store = new PetStore(first, petsInOrder(count, seed, fixtures, complete, onPetsMade), gone, own)
  for (const [id, pet] of own) if (!gone.has(id)) store.put(complete(pet))
  if (next !== undefined) store.skipTo(next)
  for (const { name, categoryId, status } of fields.add ?? []) {
    if (gone.has(store.nextId)) store.skip()
    else store.create(complete({ name, categoryId: exactInt64(categoryId), status }))
  }
  return store
}

/** The pets without ids of their own. */
function* petsInOrder(
  count: number,
  seed: number,
  fixtures: Fixtures,
  complete: (pet: NewPet) => NewPet,
  onPetsMade?: OnPetsMade,
): Generator<NewPet> {
  const named = fixtures.pets.slice(0, count)
  for (const pet of named) if (pet.id === undefined) yield complete(pet)
  const categoryIds = fixtures.categories.map(({ id }) => id)
  const make = createPetMaker(seed, petNames, categoryIds)
  for (let made = named.length; made < count; made += 1) {
    yield complete(make(made - named.length))
    if (made % stride === 0) onPetsMade?.(made, count)
  }
}
