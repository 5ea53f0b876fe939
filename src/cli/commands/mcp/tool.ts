import { anyText, type Constraint } from '../../../base/text/constraint.ts'
import { check } from '../../../control/fields/check.ts'
import { type Field, type Fields, field, itemMap } from '../../../control/fields/field.ts'
import { jsonSchema } from '../../../control/fields/json-schema.ts'
import { isMap } from '../../../control/fields/values.ts'
import { about } from '../../../control/files/show.ts'
import { routes } from '../../../doors/admin/routes/routes.ts'
import type { Route } from '../../../doors/admin/routing/route.ts'
import type { Ask, OperationId } from '../../../library/client/ask-plane.ts'

export type Input = Readonly<Record<string, unknown>>

export interface ToolCall {
  /** The URL of the admin plane. */
  readonly admin: string
  /** Calls an operation of the plane, for the sandbox of the call. */
  readonly ask: Ask
  /** The same, for the default sandbox if that of the call does not exist yet. */
  readonly askKnown: Ask
  readonly sandbox: string | undefined
}

/** What an agent's program may assume of a tool. */
export interface Hints {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
  /** Every tool reaches one server of this machine only. */
  readonly openWorldHint: false
}

export interface Tool {
  readonly name: string
  /** For the model: what the tool does and when to use it. */
  readonly about: string
  readonly hints: Hints
  /** Its own fields, without `url` and `sandbox`. */
  readonly fields: Fields
  /** The field `sandbox` of the route behind it. */
  readonly sandbox: Field
  readonly problems: (input: Input) => readonly string[]
  readonly act: (input: Input, call: ToolCall) => Promise<object>
}

export const reads: Hints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}

/** Every change can end something: a window, a ban, a rule, a key. */
export function changes(isIdempotent: boolean): Hints {
  return { readOnlyHint: false, destructiveHint: true, idempotentHint: isIdempotent, openWorldHint: false }
}

interface Declared extends Pick<Tool, 'name' | 'about' | 'hints' | 'act'> {
  /** The operation of the admin plane whose sandboxes it has. */
  readonly calls: OperationId
  readonly fields?: Fields
}

/** A tool whose fields are checked as they are declared. */
export function declareTool({ calls, fields = {}, ...declared }: Declared): Tool {
  return { ...declared, fields, sandbox: sandboxOf(calls), problems: input => problemsOf(fields, input) }
}

export const urlField = field(
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

export function sandboxOf(id: string): Field {
  const { sandbox } = fieldsOf(routeOf(id).query)
  if (sandbox === undefined) throw new Error(`The route ${id} has no sandbox`)
  return sandbox
}

/** A field for an API key that also takes its label. */
export function keyField({ about, examples, required }: Field): Field {
  const labels = 'A label that get_status shows, such as demo-f…, also names a key.'
  return { shape: keyOrNone, about: `${about} ${labels}`, examples, required }
}

const keyOrNone: Constraint = {
  type: 'text',
  expected: 'an API key',
  accepts: value => value === null || typeof value === 'string',
  schema: { type: ['string', 'null'] },
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
  const schema = jsonSchema(itemMap({ ...fields, sandbox, url: urlField }), scenario)
  const shorten = (name: string, value: unknown) => {
    if (name === 'pattern' && typeof value === 'string') return undefined
    return isMap(value) && value.$ref === scenario ? anyScenario : value
  }
  return JSON.parse(JSON.stringify(schema, shorten))
}

const anyScenario = {
  type: 'object',
  description:
    'A scenario as in a file. docs/scenarios.md and schemas/scenario.schema.json of the package have its fields.',
}
