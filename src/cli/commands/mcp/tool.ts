import type { ToolAnnotations } from '@modelcontextprotocol/server'
import { anyText, type Constraint, choices } from '../../../base/text/constraint.ts'
import { check } from '../../../control/fields/check.ts'
import {
  type Field,
  type Fields,
  field,
  itemMap,
  type MapShape,
  required,
  type TaggedShape,
} from '../../../control/fields/field.ts'
import { jsonSchema } from '../../../control/fields/json-schema.ts'
import { isMap } from '../../../control/fields/values.ts'
import { about } from '../../../control/files/show.ts'
import type { Command, CommandName } from '../../../control/scenario/file.ts'
import { command as commands } from '../../../control/scenario/settings/scenario-file.ts'
import { fieldsToSend } from '../../../doors/admin/fields-to-send.ts'
import { routes } from '../../../doors/admin/routes/routes.ts'
import type { Route } from '../../../doors/admin/routing/route.ts'
import type { Ask, OperationId } from '../../../library/client/ask-plane.ts'

export type Input = Readonly<Record<string, unknown>>

export interface ToolCall {
  readonly admin: string
  /** Calls an operation of the plane, for the sandbox of the call. */
  readonly ask: Ask
  /** The same, for the default sandbox if that of the call does not exist yet. */
  readonly askKnown: Ask
  readonly sandbox: string | undefined
}

interface DescribedTool {
  readonly name: string
  /** For the model: what the tool does and when to use it. */
  readonly about: string
  readonly hints: ToolAnnotations
  /** Its own fields, without those of `placeOf`. */
  readonly fields: Fields
  readonly problems: (input: Input) => readonly string[]
}

export interface ServerTool extends DescribedTool {
  /** The field `sandbox` of the route behind it. */
  readonly sandbox: Field
  readonly act: (input: Input, call: ToolCall) => Promise<object>
}

/** A tool that reads a file, and needs no server. */
export interface FileTool extends DescribedTool {
  readonly sandbox?: undefined
  readonly act: (input: Input) => Promise<object>
}

export type Tool = ServerTool | FileTool

export const reads: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}

/** Every change can end something: a window, a ban, a rule, a key. */
export function changes(isIdempotent: boolean): ToolAnnotations {
  return { readOnlyHint: false, destructiveHint: true, idempotentHint: isIdempotent, openWorldHint: false }
}

interface Declared extends Pick<ServerTool, 'name' | 'about' | 'hints' | 'act'> {
  /** The operation of the admin plane whose sandboxes it has. */
  readonly calls: OperationId
  readonly fields?: Fields
  /** Default: those of its fields. */
  readonly problems?: ServerTool['problems']
}

export function declareTool({ calls, fields = {}, ...declared }: Declared): ServerTool {
  const { sandbox } = fieldsOf(routeOf(calls).query)
  if (sandbox === undefined) throw new Error(`The route ${calls} has no sandbox`)
  return { problems: input => problemsOf(fields, input), ...declared, fields, sandbox }
}

const urlField = field(
  anyText,
  'The base URL of the server. Only needed if several servers run on this machine.',
  ['http://127.0.0.1:7387/v1'],
)

/** A route of the admin plane, by its operation id. The id of a command is its name. */
export function routeOf(id: string): Route {
  const route = routes.find(route => route.id === id)
  if (route === undefined) throw new Error(`There is no route ${id}`)
  return route
}

export function fieldsOf(part: Route['query'] | undefined): Fields {
  return part?.shape.type === 'map' ? part.shape.fields : {}
}

/** A field for an API key that also takes its label. */
export function keyField({ about, examples, required }: Field): Field {
  const labels = 'A label that get_status shows, such as demo-f…, also names a key.'
  const keyOrNone: Constraint = {
    type: 'text',
    expected: 'an API key',
    accepts: value => value === null || typeof value === 'string',
    schema: { type: ['string', 'null'] },
  }
  return { shape: keyOrNone, about: `${about} ${labels}`, examples, required }
}

/** What is wrong with the fields of a map, in the words of the admin plane. */
export function problemsOf(fields: Fields, input: Input): readonly string[] {
  return check(itemMap(fields), input).map(({ path, message }) => about(path, message))
}

/**
 * The JSON Schema of a tool's input, for the model. It has no patterns, and only says that a scenario is an object: both would make
 * the list of tools long. The declarations check them.
 */
export function inputSchema({ fields, sandbox }: Tool): Readonly<Record<string, unknown>> {
  const scenario = 'scenario'
  const schema = jsonSchema(itemMap({ ...fields, ...placeOf(sandbox) }), scenario)
  const shorten = (name: string, value: unknown) => {
    if (name === 'pattern' && typeof value === 'string') return undefined
    return isMap(value) && value.$ref === scenario ? anyScenario : value
  }
  return JSON.parse(JSON.stringify(schema, shorten))
}

/** The fields that say where a tool acts. */
export const placeOf = (sandbox: Field | undefined): Fields => (sandbox ? { sandbox, url: urlField } : {})

const anyScenario = {
  type: 'object',
  description:
    'A scenario as in a file. docs/scenarios.md and schemas/scenario.schema.json of the package have its fields.',
}

interface CommandTool extends Pick<ServerTool, 'name' | 'about'> {
  /** With several, the field `do` chooses. */
  readonly do: readonly [CommandName, ...CommandName[]]
  readonly isIdempotent: boolean
}

/** A tool that sends one of these commands. Its fields, their checks and their descriptions are those of the commands. */
export function commandTool({ do: names, isIdempotent, ...declared }: CommandTool): ServerTool {
  const [first] = names
  const shape: TaggedShape = {
    type: 'tagged',
    tag: 'do',
    options: Object.fromEntries(names.map(option => [option, optionOf(option)])),
  }
  const toCommand = (input: Input) => (names.length === 1 ? { do: first, ...input } : input)
  return declareTool({
    ...declared,
    hints: changes(isIdempotent),
    calls: first,
    fields: names.length === 1 ? ownFields(first) : merge(names),
    problems: input => check(shape, toCommand(input)).map(({ path, message }) => about(path, message)),
    act: (input, { ask }) => {
      // The command's own shape has checked every field.
      const command = toCommand(input) as Command
      return ask(command.do, fieldsToSend(command))
    },
  })
}

function optionOf(name: CommandName): MapShape {
  const option = commands.options[name]
  if (option === undefined) throw new Error(`There is no command ${name}`)
  return option
}

function ownFields(name: CommandName): Fields {
  const { do: _tag, key, ...fields } = optionOf(name).fields
  return { ...(key && { key: keyField(key) }), ...fields }
}

/** The fields of several commands, and `do`, which chooses. One is required if each of them requires it; else it says which commands take it. */
function merge(names: readonly CommandName[]): Fields {
  const all = names.map(name => ({ name, fields: ownFields(name) }))
  const choice = names.map(name => `${name}: ${optionOf(name).fields.do?.about}`).join(' ')
  const merged: Record<string, Field> = { do: required(choices(...names), choice, []) }
  for (const [name, field] of all.flatMap(({ fields }) => Object.entries(fields))) {
    const takers = all.filter(({ fields }) => Object.hasOwn(fields, name))
    const isCommon = takers.length === all.length
    const about = isCommon ? field.about : `${takers.map(taker => taker.name).join(', ')}: ${field.about}`
    const required = isCommon && takers.every(({ fields }) => fields[name]?.required)
    merged[name] ??= { ...field, about, required }
  }
  return merged
}
