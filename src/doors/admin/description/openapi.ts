import { check } from '../../../control/fields/check.ts'
import type { Field } from '../../../control/fields/field.ts'
import { jsonSchema } from '../../../control/fields/json-schema.ts'
import { scenarioFile } from '../../../control/scenario/settings/scenario-file.ts'
import { type ProblemCode, problems } from '../../../service/call/problems.ts'
import { adminPath } from '../routing/address.ts'
import type { RequestPart } from '../routing/request-fields.ts'
import type { Route, RouteGroup } from '../routing/route.ts'
import type { JsonSchema } from '../routing/views.ts'
import * as view from '../routing/views.ts'

export type Operation = ReturnType<typeof describeRoute>
export type Description = ReturnType<typeof describePlane>

/** Describes the plane in OpenAPI 3.1, from the table that serves it. */
export function describePlane(groups: readonly RouteGroup[], version: string) {
  const components = createComponents()
  const paths: Record<string, Record<string, Operation>> = {}
  for (const { name, routes } of groups) {
    for (const route of routes) {
      paths[route.path] = {
        ...paths[route.path],
        [route.method.toLowerCase()]: describeRoute(route, name, components),
      }
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'The admin plane of pet-mock',
      version,
      description:
        'Inspects and changes a running pet-mock. Calls here use no quota and are not in the journal. Answers have int64s beyond 2^53 as strings, and requests may send them as strings.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: adminPath, description: 'This server.' }],
    security: [{}, { adminToken: [] }],
    tags: groups.map(({ name, about }) => ({ name, description: about })),
    paths,
    components: {
      securitySchemes: {
        adminToken: {
          type: 'http',
          scheme: 'bearer',
          description:
            'The value of --admin-token. Required if it is set, or if other machines can reach the server.',
        },
      },
      schemas: components.all,
    },
  }
}

function describeRoute(route: Route, tag: string, components: ReturnType<typeof createComponents>) {
  const { id, about, body, answer, sandbox, params, query } = route
  const parameters = [
    ...describeParameters('path', params),
    ...describeParameters('query', query).filter(({ name }) => name !== 'sandbox' || sandbox !== 'none'),
  ]
  const { type = 'application/json', status = 200, schema = view.anyText } = answer
  const requestBody = body && describeBody(body)
  const responses: Readonly<Record<string, object>> = {
    [status]: { description: answer.about, content: { [type]: { schema: components.move(schema) } } },
    ...describeRefusals(route),
  }
  return {
    operationId: id,
    tags: [tag],
    summary: about,
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses,
  }
}

/** A command without fields has no body. */
function describeBody(body: RequestPart<unknown>) {
  const { shape } = body
  if (shape.type === 'map' && Object.keys(shape.fields).length === 0) return undefined
  const required = check(shape, {}).length > 0
  return { required, content: { 'application/json': { schema: schemaOf(body) } } }
}

function describeParameters(place: 'path' | 'query', part: RequestPart<unknown>) {
  const { properties = {}, required = [] } = schemaOf(part)
  return Object.entries(properties).map(([name, { description = name, ...schema }]) => ({
    name,
    in: place,
    required: required.includes(name),
    description,
    schema,
  }))
}

const everywhere: readonly ProblemCode[] = [
  'invalid_parameter',
  'invalid_admin_token',
  'admin_plane_closed',
  'host_not_allowed',
  'origin_not_allowed',
  'internal_error',
]
const withBody: readonly ProblemCode[] = [
  'invalid_command',
  'invalid_json',
  'unsupported_media_type',
  'request_timeout',
  'body_too_large',
  'too_many_bodies',
]

function describeRefusals({ refusals, body }: Route): Readonly<Record<string, object>> {
  const byStatus = new Map<number, Set<ProblemCode>>()
  for (const code of [...everywhere, ...(body === undefined ? [] : withBody), ...refusals]) {
    const status = problems[code]
    byStatus.set(status, new Set([...(byStatus.get(status) ?? []), code]))
  }
  const schema = { $ref: '#/components/schemas/Error' }
  return Object.fromEntries(
    Array.from(byStatus, ([status, codes]) => {
      const description = [...codes].map(code => `\`${code}\``).join(', ')
      return [status, { description, content: { 'application/json': { schema } } }]
    }),
  )
}

const refTo = (name: string) => `#/components/schemas/${name}`

/** The schema of a declared shape. A whole scenario within it is a reference. */
export function schemaOf({ shape, about, examples }: Pick<Field, 'shape'> & Partial<Field>): JsonSchema {
  return {
    ...jsonSchema(shape, refTo('Scenario')),
    ...(about && { description: about }),
    ...(examples !== undefined && examples.length > 0 && { examples }),
  }
}

/** The schemas of a description that have a name of their own. */
function createComponents() {
  const all: Record<string, JsonSchema> = { Scenario: schemaOf({ shape: scenarioFile }), Error: errorSchema }
  const move = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(move)
    if (typeof part !== 'object' || part === null) return part
    const { title, ...rest } = Object.fromEntries(
      Object.entries(part).map(([name, inner]) => [name, name === 'examples' ? inner : move(inner)]),
    )
    // A property may be called title, too: its schema is no string.
    if (typeof title !== 'string') return title === undefined ? rest : { title, ...rest }
    all[title] = rest
    return { $ref: refTo(title) }
  }
  return {
    all,
    /** Moves the named schemas within a schema here, and leaves references to them. */
    move: (schema: JsonSchema) => move(schema) as JsonSchema,
  }
}

const errorSchema: JsonSchema = {
  type: 'object',
  required: ['code', 'message', 'status'],
  properties: {
    code: { type: 'string', description: 'Machine-readable error code.', examples: ['invalid_command'] },
    message: { type: 'string', description: 'Every mistake.' },
    status: { type: 'integer', description: 'The HTTP status code.', examples: [400] },
  },
}
