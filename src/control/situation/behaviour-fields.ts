import { formatDuration, parseDuration } from '../../base/time/duration.ts'
import { formatInstant } from '../../base/time/instant.ts'
import type { Behaviour } from '../../emulator/worlds/scenario.ts'
import type { BansFields, DeprecationFields, LimitsFields } from '../../generated/scenario-fields.ts'
import type { BanSettings } from '../../service/bans/ban.ts'
import type { DeprecationSettings } from '../../service/deprecation/deprecation.ts'
import type { ScenarioFile } from '../scenario/file.ts'
import { banFields, deprecation, limits } from '../scenario/settings/behaviour.ts'
import { defaultsOf } from '../scenario/settings/defaults.ts'
import { scenario } from '../scenario/settings/scenario.ts'

/** The settings of what the specification leaves open, as a scenario file has them: those that differ from the defaults. */
export function behaviourFields(behaviour: Behaviour): ScenarioFile {
  const { pageSize, pagination } = behaviour
  const usual = defaultsOf(scenario)
  return {
    limits: unusual<LimitsFields>({ ...behaviour.limits }, defaultsOf(limits)),
    bans: behaviour.bans === undefined ? 'off' : unusual(formatBans(behaviour.bans), defaultsOf(banFields)),
    ...(pageSize !== usual.pageSize && { pageSize }),
    ...(pagination !== usual.pagination && { pagination }),
    deprecation: unusual(formatDeprecation(behaviour.deprecation), defaultsOf(deprecation)),
  }
}

function formatBans({ after, forMs, graceMs, escalate, extend, status }: BanSettings): BansFields {
  return {
    after,
    for: formatDuration(forMs),
    grace: formatDuration(graceMs),
    escalate: escalate && { factor: escalate.factor, max: formatDuration(escalate.maxMs) },
    extend,
    status,
  }
}

function formatDeprecation({ since, removedAt, after, brownouts }: DeprecationSettings): DeprecationFields {
  return {
    since: since === undefined ? undefined : formatInstant(since),
    removedAt: formatInstant(removedAt),
    after,
    brownouts:
      brownouts.length === 0
        ? undefined
        : brownouts.map(({ from, to }) => ({ from: formatInstant(from), to: formatInstant(to) })),
  }
}

/** The fields that differ from the defaults. Undefined if none does. */
export function unusual<T extends object>(
  fields: T,
  defaults: Readonly<Record<string, unknown>>,
): T | undefined {
  const own = Object.entries(fields).filter(
    ([name, value]) => value !== undefined && value !== null && !isUsual(value, defaults[name]),
  )
  return own.length === 0 ? undefined : (Object.fromEntries(own) as T)
}

function isUsual(value: unknown, usual: unknown): boolean {
  if (value === usual) return true
  if (typeof value !== 'string' || typeof usual !== 'string') return false
  const length = parseDuration(value)
  return length !== undefined && length === parseDuration(usual)
}
