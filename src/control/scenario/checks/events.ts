import { exactInt64 } from '../../../base/json/int64.ts'
import { maxDuration, parseDuration } from '../../../base/time/duration.ts'
import { formatInstant, parseInstant } from '../../../base/time/instant.ts'
import type { EventCommand, EventFields, KeyFields } from '../../../generated/scenario-fields.ts'
import { type Problem, type Problems, problemIf } from '../../fields/problem.ts'
import { type Path, showValue, unknownName } from '../../files/show.ts'
import type { Fixtures } from '../../fixtures/fixtures.ts'
import { effectivePetIds, effectivePlans } from '../effective.ts'
import type { ScenarioFile } from '../file.ts'
import { banFields } from '../settings/behaviour.ts'
import { settleAfter } from '../settings/events.ts'
import { clock as clockMap } from '../settings/world.ts'
import { ruleName } from '../settle-rules.ts'
import { checkRule } from './rules.ts'

type Keys = ReadonlyMap<string, KeyFields>

/** Events must name keys, plans, rules and pets that can exist by then, and change what can be changed. */
export function checkEvents(file: ScenarioFile, keys: Keys, fixtures: Fixtures): Problems {
  const events = file.events ?? []
  const known = new Map<string, unknown>(keys)
  const rules = ruleNames(file)
  const own = events.flatMap((event, index) => {
    const { key, change } = event
    const path = ['events', index]
    const problems = [
      ...checkChange(change, [...path, 'change'], file, known),
      ...checkRuleName(change, [...path, 'change', 'name'], rules),
      ...checkPet(event, [...path, 'change', 'id'], file, fixtures),
    ]
    if (change.do === 'addKey') known.set(change.key, change)
    return key === undefined || known.has(key)
      ? problems
      : [{ path: [...path, 'key'], message: unknownName('key', key, [...known.keys()]) }, ...problems]
  })
  return [...own, ...checkMoments(file)]
}

/** The rules of the scenario, and those that its events add. One without a name gets the next free number. */
function ruleNames(file: ScenarioFile): readonly string[] {
  const rules = file.rules ?? []
  const added = (file.events ?? []).flatMap(({ change }) => (change.do === 'addRule' ? [change.rule] : []))
  const isNumbered = added.some(({ name }) => name === undefined)
  const numbered = isNumbered ? [...rules, ...added].map((_, index) => `rule-${index + 1}`) : []
  // A rule that cannot be read leaves a hole in the list.
  const own = Array.from(rules, (rule = {}, index) => ruleName(rule, index))
  return [...own, ...added.flatMap(({ name }) => name ?? []), ...numbered]
}

function checkRuleName(change: EventCommand, path: Path, names: readonly string[]): Problems {
  if (change.do !== 'changeRule' && change.do !== 'deleteRule') return []
  const message =
    names.length === 0 ? 'there are no rules' : unknownName('rule', change.name, [...new Set(names)])
  return problemIf(!names.includes(change.name), path, message)
}

/** How many pets a client may create before an event whose calls are not counted, more than a test creates. */
const mostCreated = 100

function checkPet(event: EventFields, path: Path, file: ScenarioFile, fixtures: Fixtures): Problems {
  const { after, key, change } = event
  if (change.do !== 'changePet' && change.do !== 'deletePet') return []
  const pets = file.pets ?? {}
  const id = exactInt64(change.id)
  const { has, format } = effectivePetIds(pets, fixtures)
  const adding = (file.events ?? []).filter(({ change }) => change.do === 'addPet').length
  const settled = settleAfter(after)
  const created = 'calls' in settled && key === undefined ? settled.calls : mostCreated
  const isGone = (pets.gone ?? []).some(gone => exactInt64(gone) === id)
  const ids =
    format(adding) === '' ? 'the scenario has none' : `the scenario's pets have the ids ${format(adding)}`
  const message = `no pet has the id ${id} by then: ${isGone ? 'pets.gone lists it' : ids}`
  return problemIf(isGone || !has(id, adding + created), path, message)
}

function checkChange(
  change: EventCommand,
  path: Path,
  file: ScenarioFile,
  keys: ReadonlyMap<string, unknown>,
): Problems {
  const plans = effectivePlans(file)
  if (change.do === 'addRule') return checkRule(change.rule, [...path, 'rule'], keys, plans)
  if (!('key' in change)) return []
  const problems: Problem[] = []
  const refuse = (field: string, message: string) => problems.push({ path: [...path, field], message })
  const isNew = change.do === 'addKey'
  if (isNew && keys.has(change.key)) refuse('key', `the key ${showValue(change.key)} already exists`)
  if (!isNew && !keys.has(change.key)) refuse('key', unknownName('key', change.key, [...keys.keys()]))
  if ('plan' in change && typeof change.plan === 'string' && !plans.has(change.plan))
    refuse('plan', unknownName('plan', change.plan, [...plans.keys()]))
  if (change.do === 'banKey' && file.bans === 'off') refuse('do', 'bans are off, so no key can be banned')
  const used = change.do === 'changeKey' ? checkUsed(change) : []
  const state = isNew ? checkKeyState(change, banAfter(file)) : used
  return [...problems, ...state.map(problem => ({ ...problem, path: [...path, ...problem.path] }))]
}

/** The clock moves forward only: an event must not name a moment that is over by then. Real time is not known here. */
function checkMoments({ clock, ...file }: ScenarioFile): Problems {
  const events = file.events ?? []
  const start = parseInstant(clock?.at ?? '')
  if (start === undefined) return []
  const isReset = events.some(({ change }) => change.do === 'resetClock')
  /** The earliest instant of the clock after each event. */
  const reached: number[] = []
  return events.flatMap((event, index) => {
    const sure = isReset ? [] : reached.filter((_, other) => isBefore(events[other], event))
    const after = settleAfter(event.after)
    const now = Math.max('ms' in after ? start + after.ms : start, ...sure)
    const { field, to } = moveOf(event, now)
    reached.push(Math.max(to, now))
    if (to >= now) return []
    const message = `the clock is at ${formatInstant(now)} by then, and only a reset moves it back: expected a later instant`
    return [{ path: ['events', index, 'change', field], message }]
  })
}

/** Where an event moves the clock, and the field that says so. */
function moveOf({ change }: EventFields, now: number): { readonly field: string; readonly to: number } {
  if (change.do === 'freezeClock') return { field: 'at', to: parseInstant(change.at ?? '') ?? now }
  if (change.do !== 'advanceClock') return { field: 'do', to: now }
  return { field: 'to', to: parseInstant(change.to ?? '') ?? now + (parseDuration(change.by ?? '') ?? 0) }
}

/** Whether an event, earlier in the file, surely happens before another one. */
function isBefore(earlier: EventFields | undefined, event: EventFields): boolean {
  if (earlier === undefined || earlier.key !== event.key) return false
  const [one, other] = [settleAfter(earlier.after), settleAfter(event.after)]
  if ('calls' in one) return 'calls' in other && one.calls <= other.calls
  return 'ms' in other && one.ms <= other.ms
}

/** The strikes that ban a key; undefined: bans are off. */
export function banAfter({ bans }: ScenarioFile): number | undefined {
  return bans === 'off' ? undefined : (bans?.after ?? banFields.fields.after.default)
}

export function checkStanding(file: ScenarioFile, keys: Keys): Problems {
  const after = banAfter(file)
  return [...keys].flatMap(([name, key]) =>
    checkKeyState(key, after).map(({ path, message }) => ({ path: ['keys', name, ...path], message })),
  )
}

/** A key must start in a state that calls can lead to. `after`: see `banAfter`. */
export function checkKeyState(key: KeyFields, after: number | undefined): Problems {
  const isBanned = typeof key.banned === 'string' && after === undefined
  const message = 'bans are off, so no key can be banned: remove banned, or "bans: off"'
  return [...checkUsed(key), ...problemIf(isBanned, ['banned'], message), ...checkStrikes(key, after)]
}

/** Both windows open with the same call (A05). */
export function checkUsed({ used }: Pick<KeyFields, 'used'>): Problems {
  const { minute, day } = used ?? {}
  if (typeof minute !== 'number' || typeof day !== 'number' || day >= minute) return []
  const message = `the calls of this minute count for the day too: expected day to be at least ${minute}, found ${day}`
  return [{ path: ['used'], message }]
}

function checkStrikes({ banned, strikes }: KeyFields, after: number | undefined): Problems {
  if (after === undefined || typeof banned === 'string') return []
  const message = `a key with ${after} refused calls is banned (bans.after): expected fewer strikes, or the time left of its ban, such as banned: 90s`
  return problemIf((strikes ?? 0) >= after, ['strikes'], message)
}

/** On a slow clock a ban lasts longer for its client. It must still end in a year of four digits (A08). */
export function checkPace({ clock, bans }: ScenarioFile, keys: Keys): Problems {
  if (clock?.frozen === true) return []
  const scale = clock?.scale ?? clockMap.fields.scale.default
  const own = bans === 'off' ? undefined : bans
  const lengths = [
    [['bans', 'for'], own?.for],
    [['bans', 'escalate', 'max'], own?.escalate?.max],
    ...[...keys].map(([name, { banned }]) => [['keys', name, 'banned'], banned] as const),
  ] as const
  return lengths.flatMap(([path, length]) => {
    const isTooLong = (parseDuration(length ?? '') ?? 0) / scale > maxDuration
    const message = `on a clock of scale ${scale}, ${showValue(length)} is more than 100 years`
    return problemIf(isTooLong, path, message)
  })
}
