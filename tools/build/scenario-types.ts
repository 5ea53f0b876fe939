import { durationPattern } from '../../src/base/time/duration.ts'
import type { Field, MapShape, Shape } from '../../src/control/fields/field.ts'
import {
  banFields,
  brownout,
  conventions,
  deprecation,
  escalation,
  limits,
} from '../../src/control/scenario/settings/behaviour.ts'
import { event, eventCommand } from '../../src/control/scenario/settings/events.ts'
import { rehearsal, rehearsedClock, rehearsedConduct } from '../../src/control/scenario/settings/rehearsal.ts'
import { drawnDelay, match, rule, then, when } from '../../src/control/scenario/settings/rules.ts'
import { command, scenarioFile as scenario } from '../../src/control/scenario/settings/scenario-file.ts'
import { advanceStep, callStep, expectation } from '../../src/control/scenario/settings/walkthrough.ts'
import { clock, key, pets, quota, sharedUse, used } from '../../src/control/scenario/settings/world.ts'

/** The maps that have a name of their own, and what the name is for. */
const named = new Map<Shape, readonly [name: string, about: string]>([
  [clock, ['ClockFields', 'Where the clock starts, and how it runs.']],
  [quota, ['QuotaFields', 'Calls in each window.']],
  [used, ['UsedFields', 'Calls already made in each window.']],
  [sharedUse, ['SharedUseFields', 'Another client that uses the same key.']],
  [key, ['KeyFields', 'An API key, as it is when a world starts.']],
  [pets, ['PetsFields', 'The pets in the store.']],
  [limits, ['LimitsFields', 'How the rate limits work.']],
  [escalation, ['EscalationFields', 'How much longer each further ban is.']],
  [banFields, ['BansFields', 'When refused calls ban a key, and for how long.']],
  [brownout, ['BrownoutFields', 'A time when the operation answers as if removed.']],
  [conventions, ['ConventionFields', 'What the service does in its own way.']],
  [conventions.fields.order.shape, ['OrderFields', 'The order of some checks.']],
  [
    conventions.fields.responses.shape,
    ['ResponsesFields', 'What responses have besides what the specification names.'],
  ],
  [deprecation, ['DeprecationFields', 'The deprecation and the removal of GET /pets/{petId}.']],
  [match, ['MatchFields', 'The calls that a rule is about; without a field, any.']],
  [when, ['WhenFields', 'Which matching calls a rule acts on, counted per key; without a field, all.']],
  [drawnDelay, ['DrawnDelay', 'A delay that is drawn anew for each call: one of the two.']],
  [then, ['ThenFields', 'What a rule does: an answer, a delay, a fault, or several of these.']],
  [rule, ['RuleFields', 'An injected fault, and when it happens.']],
  [event, ['EventFields', 'A change that happens once, while a client runs.']],
  [rehearsedConduct, ['RehearsedConductFields', 'Which findings about conduct fail a client.']],
  [rehearsedClock, ['RehearsedClockFields', 'The clock of a rehearsal: a scale, or frozen.']],
  [rehearsal, ['RehearsalFields', 'What is expected of a client in a situation.']],
  [expectation, ['Expectation', 'What an answer must be.']],
  [callStep, ['CallStep', 'A step that makes calls.']],
  [advanceStep, ['AdvanceStep', 'A step that moves the clock.']],
])

/** The types of scenarios and commands as programs write them, from the declarations of their fields. */
export function scenarioTypes(): string {
  const own = Array.from(named, ([shape, [name, about]]) =>
    shape.type === 'map' ? `/** ${about} */\nexport type ${name} = ${mapType(shape)}\n` : '',
  )
  const { walkthrough } = scenario.fields
  return [
    "import type { Int64, JsonObject, JsonValue } from '../base/json/value.ts'\nimport type { Duration } from '../base/time/duration.ts'\n",
    ...own,
    '/** A change that an event of a scenario may make. */',
    `export type EventCommand = ${Object.values(eventCommand.options).map(mapType).join(' | ')}\n`,
    '/** A step of a walkthrough. */',
    `export type StepFields<Snapshot> = ${typeOf(walkthrough.shape.each)}\n`,
    '/** A situation. It lists what differs from the default. Durations are texts such as `90s`, instants such as `2026-03-02T09:00:00Z`. */',
    `export type ScenarioFields<Snapshot> = ${mapType(scenario)}\n`,
    '/** A change to a running emulator. */',
    `export type CommandFields<Snapshot> = EventCommand | ${otherCommands()}\n`,
  ].join('\n')
}

function otherCommands(): string {
  const others = Object.entries(command.options).filter(([name]) => !(name in eventCommand.options))
  return others.map(([, shape]) => mapType(shape)).join(' | ')
}

function mapType({ fields, nullable }: MapShape): string {
  const rows = Object.entries(fields).map(([name, field]) => {
    const none = field.required ? '' : nullable ? ' | null | undefined' : ' | undefined'
    const property = /^\w+$/.test(name) ? name : `'${name}'`
    return `/** ${explain(field)} */\nreadonly ${property}${field.required ? '' : '?'}: ${typeOf(field.shape)}${none}\n`
  })
  return `{\n${rows.join('')}}`
}

function explain(field: Field): string {
  return field.default === undefined ? field.about : `${field.about} Default: \`${field.default}\`.`
}

function typeOf(shape: Shape): string {
  const name = named.get(shape)?.[0]
  if (name !== undefined) return name
  // Programs may hold a method as any string.
  if (shape === match.fields.method.shape) return 'string'
  switch (shape.type) {
    case 'map':
      return mapType(shape)
    case 'names':
      return `Readonly<Record<string, ${typeOf(shape.each)}${shape.nullable ? ' | null | undefined' : ''}>>`
    case 'list':
      return shape === scenario.fields.walkthrough.shape
        ? 'readonly StepFields<Snapshot>[]'
        : `readonly ${bracketed(typeOf(shape.each))}[]`
    case 'pair':
      return `readonly [from: ${typeOf(shape.each)}, to: ${typeOf(shape.each)}]`
    case 'either':
    case 'variants':
      return shape.options.map(typeOf).join(' | ')
    case 'json':
      return shape.isMap ? 'JsonObject' : 'JsonValue'
    case 'tagged':
      return shape === eventCommand ? 'EventCommand' : 'CommandFields<Snapshot>'
    case 'chosen':
      return shape.schema === undefined ? 'ScenarioFields<Snapshot>' : 'Snapshot'
    default:
      return shape.schema.pattern === durationPattern ? 'Duration' : leafType(shape.schema)
  }
}

function bracketed(type: string): string {
  return type.includes(' | ') ? `(${type})` : type
}

function leafType({
  const: only,
  enum: values = only === undefined ? undefined : [only],
  type,
  format,
}: Readonly<Record<string, unknown>>): string {
  if (Array.isArray(values))
    return values.map(value => (typeof value === 'string' ? `'${value}'` : `${value}`)).join(' | ')
  if (format === 'int64') return 'Int64'
  const types = Array.isArray(type) ? type : [type]
  return types.map(each => (each === 'integer' ? 'number' : `${each}`)).join(' | ')
}
