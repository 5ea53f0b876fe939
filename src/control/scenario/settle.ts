import type { ClockStart } from '../../base/time/clock.ts'
import { parseDuration } from '../../base/time/duration.ts'
import { parseInstant } from '../../base/time/instant.ts'
import type { KeyStart, Scenario } from '../../emulator/worlds/scenario.ts'
import { type BanSettings, defaultBanSettings } from '../../service/bans/settings.ts'
import { type DeprecationSettings, defaultDeprecationSettings } from '../../service/deprecation/settings.ts'
import { defaultLimitSettings } from '../../service/limits/settings.ts'
import type { PetStore } from '../../service/pets/store.ts'
import type { Quota } from '../../service/plans/plan.ts'
import { about } from '../files/show.ts'
import type { Fixtures } from '../fixtures/fixtures.ts'
import { crossCheck } from './checks/cross-check.ts'
import { effectiveKeys, effectivePlans, featuredKey } from './effective.ts'
import type {
  BansFields,
  ClockFields,
  DeprecationFields,
  KeyFields,
  QuotaFields,
  ScenarioFile,
} from './file.ts'
import { type OnPetsMade, settlePets } from './settle-pets.ts'
import { settleRules } from './settle-rules.ts'

export interface SettleOptions {
  /** Pets that were made from the same fields before: they are not made again. */
  readonly pets?: PetStore | undefined
  readonly onPetsMade?: OnPetsMade | undefined
}

/**
 * A scenario with every setting decided. What `extends` names must have been merged before. Throws, with every
 * complaint, when `crossCheck` has any.
 */
export function settle(
  name: string,
  file: ScenarioFile,
  fixtures: Fixtures,
  options: SettleOptions = {},
): Scenario {
  const complaints = crossCheck(file, fixtures)
  if (complaints.length === 0) return settleChecked(name, file, fixtures, options)
  throw new Error(
    `The scenario ${name} cannot be: ${complaints.map(({ path, message }) => about(path, message)).join('; ')}`,
  )
}

/** Settles a scenario in which `crossCheck` has found nothing: for who has told of its complaints himself. */
export function settleChecked(
  name: string,
  file: ScenarioFile,
  fixtures: Fixtures,
  { pets, onPetsMade }: SettleOptions = {},
): Scenario {
  const plans = effectivePlans(file)
  const keys = effectiveKeys(file, fixtures)
  const seed = file.seed ?? 1
  return {
    name,
    title: file.title ?? name,
    description: file.description ?? undefined,
    key: featuredKey(file, keys) ?? '',
    seed,
    reset: file.reset ?? false,
    clock: settleClock(file.clock ?? {}),
    plans: new Map([...plans].map(([plan, quota]) => [plan, quotaOf(quota)])),
    keys: new Map([...keys].map(([text, fields]) => [text, settleKey(fields, plans)])),
    pets: pets ?? settlePets(file.pets ?? {}, seed, fixtures, onPetsMade),
    orders: fixtures.orders,
    rules: settleRules(file.rules ?? []),
    behaviour: {
      limits: withDefaults(defaultLimitSettings, file.limits ?? {}),
      bans: file.bans === 'off' ? undefined : settleBans(file.bans ?? {}),
      pageSize: file.pageSize ?? 'reject',
      pagination: file.pagination ?? 'link',
      defaultStatus: file.pets?.defaultStatus ?? undefined,
      deprecation: settleDeprecation(file.deprecation ?? {}),
    },
  }
}

function settleClock({ at, frozen, scale }: ClockFields): ClockStart {
  return { at: instant(at), scale: frozen === true ? 0 : (scale ?? 1) }
}

function settleKey(fields: KeyFields, plans: ReadonlyMap<string, QuotaFields>): KeyStart {
  const plan = fields.plan ?? ''
  return {
    plan,
    quota: withDefaults(quotaOf(plans.get(plan)), fields.limits ?? {}),
    // What was used this minute was used this day, too.
    used: { minute: fields.used?.minute ?? 0, day: fields.used?.day ?? fields.used?.minute ?? 0 },
    strikes: fields.strikes ?? 0,
    bannedForMs: duration(fields.banned),
    revoked: fields.revoked ?? false,
    expiresAt: instant(fields.expires),
  }
}

function quotaOf(fields: QuotaFields | undefined): Quota {
  return { minute: fields?.minute ?? 0, day: fields?.day ?? 0 }
}

function settleBans(fields: BansFields): BanSettings {
  const { escalate } = fields
  return {
    after: fields.after ?? defaultBanSettings.after,
    forMs: duration(fields.for) ?? defaultBanSettings.forMs,
    graceMs: duration(fields.grace) ?? defaultBanSettings.graceMs,
    escalate: escalate
      ? { factor: escalate.factor ?? 2, maxMs: duration(escalate.max) ?? 86_400_000 }
      : undefined,
    extend: fields.extend ?? defaultBanSettings.extend,
    status: fields.status ?? defaultBanSettings.status,
  }
}

function settleDeprecation(fields: DeprecationFields): DeprecationSettings {
  return {
    since: instant(fields.since),
    removedAt: instant(fields.removedAt) ?? defaultDeprecationSettings.removedAt,
    after: fields.after ?? defaultDeprecationSettings.after,
    brownouts: (fields.brownouts ?? []).map(({ from, to }) => ({
      from: instant(from) ?? 0,
      to: instant(to) ?? 0,
    })),
  }
}

function withDefaults<T extends object>(
  defaults: T,
  given: { readonly [Name in keyof T]?: T[Name] | null | undefined },
): T {
  const said = Object.entries(given).filter(([, value]) => value !== null && value !== undefined)
  return { ...defaults, ...Object.fromEntries(said) }
}

function instant(text: string | null | undefined): number | undefined {
  return text === null || text === undefined ? undefined : parseInstant(text)
}

function duration(text: string | null | undefined): number | undefined {
  return text === null || text === undefined ? undefined : parseDuration(text)
}
