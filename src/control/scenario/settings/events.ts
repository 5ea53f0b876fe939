import {
  anyDuration,
  anyInstant,
  anyText,
  type Constraint,
  choices,
  flags,
  int64sOrDigits,
} from '../../../base/text/constraint.ts'
import { durationPattern, parseDuration } from '../../../base/time/duration.ts'
import { banLengths, keyNames, quotas } from '../../../emulator/worlds/constraints.ts'
import { petStatuses } from '../../../service/pets/pet.ts'
import {
  either,
  type Field,
  type Fields,
  field,
  itemMap,
  list,
  type MapShape,
  map,
  required,
  type TaggedShape,
} from '../../fields/field.ts'
import { rule } from './rules.ts'
import { addedPet, clock, key as keyMap } from './world.ts'

/* Commands that change one world and keep its scenario. The events of a scenario may have these. */

const key = required(keyNames, 'The API key.', ['demo-free'])
const id = required(
  int64sOrDigits('the id of a pet (a whole number of at most 64 bits)'),
  "The pet's id. Beyond 2^53, its digits may be sent as text.",
  [5, '9007199254740993'],
)
const { name, categoryId } = addedPet.fields
const status = field(choices(...petStatuses), "The pet's status; null: none.", ['sold'])
const { used, limits, revoked, expires, strikes, banned } = keyMap.fields
const plan = required(anyText, "The key's plan.", ['free', 'pro'])
/** A field of a new thing, where a change may leave it out. */
const optional = ({ shape, about, examples }: Field) => field(shape, about, examples)

export type Commands = Readonly<
  Record<string, readonly [about: string, fields?: Fields, needs?: MapShape['needs']]>
>

/** Only `resetClock`, `reset` and `loadSnapshot` move a clock back. */
const clockCommands: Commands = {
  freezeClock: [
    'Freezes the clock.',
    {
      at: field(anyInstant, 'A later instant to freeze at. Default: the present one.', [
        '2026-03-02T09:30:00Z',
      ]),
    },
  ],
  advanceClock: [
    'Moves the clock forward, by a duration or to an instant.',
    {
      by: field(anyDuration, 'The duration.', ['60s']),
      to: field(anyInstant, 'The instant.', ['2030-12-05T00:00:00Z']),
    },
    { how: 'oneOf', names: ['by', 'to'], expected: 'either by, a duration, or to, an instant' },
  ],
  resumeClock: ['Lets the clock run.', { scale: clock.fields.scale }],
  resetClock: [
    "Resets the clock to the scenario's start. Going back in time ends windows, strikes and bans.",
  ],
}

const keyCommands: Commands = {
  addKey: ['Adds an API key.', { key, plan, used, strikes, banned, revoked, expires, limits }],
  changeKey: [
    'Changes the given fields of a key.',
    { key, plan: keyMap.fields.plan, used, limits, revoked, expires },
  ],
  deleteKey: ['Deletes a key. Its calls then get 401.', { key }],
  banKey: [
    'Bans a key from now on.',
    { key, for: field(banLengths, "The length of the ban. Default: that of the scenario's bans.", ['2m']) },
  ],
  unbanKey: ['Lifts the ban of a key and clears its strikes.', { key }],
}

const petCommands: Commands = {
  addPet: ['Adds a pet with the next id.', { name, categoryId, status }],
  changePet: [
    'Changes the given fields of a pet.',
    { id, name: optional(name), categoryId: optional(categoryId), status },
  ],
  deletePet: ['Deletes a pet. Its id is not used again.', { id }],
}

const ruleCommands: Commands = {
  addRule: [
    'Adds a rule before all others. Its time starts now.',
    {
      rule: required(rule, 'A rule, as in a scenario. It replaces one with the same name.', [
        { name: 'outage', then: { status: 503 } },
      ]),
    },
  ],
  changeRule: [
    'Switches a rule on or off. It keeps its place, its counts and its time.',
    {
      name: required(anyText, 'The name of the rule.', ['outage']),
      on: required(flags, 'Whether the rule acts.', [false]),
    },
  ],
  deleteRule: ['Deletes a rule.', { name: required(anyText, 'The name of the rule.', ['outage']) }],
}

export const changeCommands: Commands = { ...clockCommands, ...keyCommands, ...petCommands, ...ruleCommands }

export function tagged(commands: Commands): TaggedShape {
  const options = Object.entries(commands).map(([name, [about, fields, needs]]) => [
    name,
    map({ do: required(choices(name), about, [name]), ...fields }, needs),
  ])
  return { type: 'tagged', tag: 'do', options: Object.fromEntries(options) }
}

/* Events: changes that a scenario makes by itself while a client runs. */

const callsPattern = /^[1-9][0-9]{0,14} calls?$/
const expected = 'a number of calls or a duration, such as 5, 5 calls or 20s'
const callsText: Constraint = {
  ...anyDuration,
  expected,
  accepts: value => (typeof value === 'string' && callsPattern.test(value)) || anyDuration.accepts(value),
  schema: { type: 'string', anyOf: [{ pattern: callsPattern.source }, { pattern: durationPattern }] },
}

export const eventCommand = tagged(changeCommands)

export const event = itemMap({
  after: required(
    either(expected, quotas, callsText),
    'After this many calls, or after this time from the start. The change happens when the next call arrives.',
    ['5 calls', '20s'],
  ),
  key: field(keyNames, 'Only calls with this key count. Default: every call.', ['demo-free']),
  change: required(eventCommand, 'The change: a command for the clock, a key, a pet or a rule.', [
    { do: 'changeKey', key: 'demo-free', revoked: true },
  ]),
})

export const events = list(event)

/** `after`, decided: a number of calls, or milliseconds. */
export function settleAfter(after: number | string): { readonly calls: number } | { readonly ms: number } {
  if (typeof after === 'number') return { calls: after }
  if (callsPattern.test(after)) return { calls: Number.parseInt(after, 10) }
  return { ms: parseDuration(after) ?? 0 }
}
