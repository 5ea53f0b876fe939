import { jsonIn } from '../../../base/json/read.ts'
import { writeJson } from '../../../base/json/write.ts'
import {
  anyText,
  type Constraint,
  choices,
  flags,
  int64sOrDigits,
  numbers,
  wholeNumbers,
} from '../../../base/text/constraint.ts'
import { clockScales, sandboxNames, sharedRates } from '../../../emulator/worlds/constraints.ts'
import { readExtra } from '../../../service/pets/pet.ts'
import { check } from '../../fields/check.ts'
import {
  type ChosenShape,
  list,
  names,
  pair,
  record,
  type Shape,
  type TaggedShape,
  variants,
} from '../../fields/field.ts'
import { fillDefaults } from '../../fields/fill-defaults.ts'
import { isMap } from '../../fields/values.ts'
import { ownPet } from '../../fixtures/shapes.ts'
import { type Snapshot, snapshotVersion } from '../../snapshot/saved.ts'
import { banFields, conventions, deprecation, limits } from './behaviour.ts'
import { eventCommand } from './events.ts'
import { match, ruleNames, savedFault, statuses, then } from './rules.ts'
import { scenario as settings } from './scenario.ts'
import { count, instant, ms, settled } from './settled.ts'
import { headerNames, headerValues } from './texts.ts'
import { clock, key as keyMap, pets as petsMap } from './world.ts'

/* Snapshots: settled scenarios, and worlds. pet-mock reads them as untrusted. The rules come first. */

const jsonText = {
  ...anyText,
  expected: 'a text of JSON',
  accepts: (value: unknown) => typeof value === 'string' && jsonIn(value) !== undefined,
}

const optional = (fields: Readonly<Record<string, Shape>>) => record({}, fields)

const delay: TaggedShape = {
  type: 'tagged',
  tag: 'kind',
  options: {
    fixed: record({ kind: choices('fixed'), ms }),
    uniform: record({ kind: choices('uniform'), fromMs: ms, toMs: ms }),
    lognormal: record({ kind: choices('lognormal'), medianMs: ms, p99Ms: ms }),
  },
}

const answer = record(
  { status: statuses, headers: names(headerNames, headerValues), body: anyText },
  { code: anyText, message: anyText, isServices: flags },
)

const savedRule = record(
  {
    name: ruleNames,
    match: optional({
      operation: match.fields.operation.shape,
      method: anyText,
      path: anyText,
      key: anyText,
      plan: anyText,
      query: names(anyText, anyText),
      body: jsonText,
    }),
    when: optional({
      first: count,
      every: count,
      afterCalls: count,
      afterMs: ms,
      between: pair(ms, 'a list of two numbers'),
      probability: numbers('a number from 0 to 1', 0, 1),
    }),
    effect: optional({ delay, answer, fault: savedFault, direction: then.fields.direction.shape }),
  },
  { times: count, ttlMs: ms, off: flags },
)

const int64 = int64sOrDigits('a whole number of at most 64 bits')
/** A client's clock may stand anywhere, in a test with fake timers. */
const wall = numbers('milliseconds since the epoch', -8.64e15, 8.64e15)
/** Of a clock, from real time. */
const offset = numbers('milliseconds of at most a day, ahead or behind', -86_400_000, 86_400_000)
const scale: Constraint = { ...clockScales, accepts: value => value === 0 || clockScales.accepts(value) }
/** Large enough for every request, and small enough that ids stay exact. */
const exchangeId = wholeNumbers('a whole number from 1 to 2^52', 1, 2 ** 52)
const version = choices(snapshotVersion)
const quota = record({ minute: count, day: count })

/** Answers contain this text as it is. */
const extraText: Constraint = {
  ...anyText,
  expected: 'an object as JSON text, without white space and without fields of a pet',
  accepts: value => {
    const extra = (typeof value === 'string' && readExtra(value)) || {}
    const names = Object.keys(extra)
    const hasOwn = names.some(name => Object.hasOwn(ownPet.fields, name))
    return names.length > 0 && writeJson(extra) === value && !hasOwn
  },
}

const { shape: status } = petsMap.fields.defaultStatus
const pet = record({ id: int64, name: anyText, categoryId: int64 }, { status, extra: extraText })
const petList = { firstId: int64, nextId: int64, list: list(pet) }

/** Settings of a scenario that a snapshot has under the same name. */
const { key, seed, reset } = settings.fields

const behaviour = record(
  { limits: settled(limits), deprecation: settled(deprecation) },
  { bans: settled(banFields), defaultStatus: status },
  settled(conventions).fields,
)

const commandText: Constraint = {
  ...anyText,
  expected: 'a text of JSON with a command',
  accepts: value => {
    const command = typeof value === 'string' ? jsonIn(value) : undefined
    return command !== undefined && check(eventCommand, command).length === 0
  },
}

const after = variants('a number of calls or milliseconds', record({ calls: count }), record({ ms }))
const savedEvent = record({ after, change: commandText }, { key: anyText })

const scenario = record(
  {
    name: anyText,
    title: anyText,
    clock: record({}, { at: instant, offsetMs: offset }, { scale: { ...clock.fields.scale, shape: scale } }),
    plans: list(record({ name: anyText, minute: count, day: count })),
    keys: list(
      record(
        { text: anyText, plan: anyText, quota, used: quota },
        { bannedForMs: ms, expiresAt: instant, sharedPerMinute: sharedRates },
        { strikes: keyMap.fields.strikes, revoked: keyMap.fields.revoked },
      ),
    ),
    orders: anyText,
    rules: list(savedRule),
    behaviour,
    pets: record(petList),
  },
  { description: anyText, events: list(savedEvent) },
  { key, seed, reset },
)

const openWindow = record({ used: count }, { opensAt: instant, openedBy: count })
const windows = record(
  { minute: openWindow, day: openWindow },
  { othersPerMinute: sharedRates, refusals: count },
)

const strikes = record({ count, bans: count }, { firstAt: instant, bannedUntil: instant, byHand: flags })
const savedKey = { text: anyText, plan: anyText, quota, revoked: flags, windows, strikes }
const ruleState = {
  rule: savedRule,
  added: flags,
  since: instant,
  calls: names(anyText, count),
  acted: count,
}

const world = {
  clock: record({ at: instant, wall, scale }, { offsetMs: offset }),
  keys: list(record(savedKey, { expiresAt: instant })),
  anonymous: list(record({ client: anyText, windows })),
  rules: record({ seed: count, rules: list(record(ruleState, { off: flags })) }),
  firstExchange: exchangeId,
  nextExchange: exchangeId,
  pets: record({ startsFrom: choices('scenario', 'nothing'), gone: list(int64), ...petList }),
}
const eventState = record({ since: instant, calls: count, happened: flags })
/** Older snapshots lack these. */
const later = {
  events: list(eventState),
  deletedKeys: list(anyText),
  records: list(record({ path: anyText, nextId: int64, list: anyText })),
}
const checksum = { checksum: anyText }

const worldSnapshot = record({ version, scenario, ...world }, { ...later, ...checksum })

const sandboxesSnapshot = record(
  {
    version,
    startsFrom: count,
    dropped: list(record({ name: sandboxNames, nextExchange: exchangeId })),
    scenarios: list(scenario),
    sandboxes: list(record({ name: sandboxNames, scenario: count, ...world }, { ...later, follows: flags })),
  },
  checksum,
)

/** A snapshot of one sandbox or of all. In JSON Schema it is any object: nobody writes one by hand. */
export const snapshot: ChosenShape = { type: 'chosen', choose: formOf, schema: { type: 'object' } }

/** In another version nothing but the version can be checked. */
function formOf(value: unknown): Shape {
  const noSnapshot: Constraint = { ...flags, expected: 'an unchanged snapshot', accepts: () => false }
  if (!isMap(value)) return noSnapshot
  if (typeof value.version === 'number' && value.version !== snapshotVersion)
    return { ...record({ version: { ...version, expected: otherVersion(value.version) } }), open: true }
  return 'sandboxes' in value ? sandboxesSnapshot : worldSnapshot
}

function otherVersion(found: number): string {
  if (found < snapshotVersion) return `${snapshotVersion}`
  return `${snapshotVersion}, the newest version that this pet-mock reads. A newer pet-mock wrote this snapshot: update pet-mock`
}

/** Adds what an older version did not write. */
export function completeSnapshot<T extends Snapshot>(given: T): T {
  return fillDefaults(snapshot, given) as T
}
