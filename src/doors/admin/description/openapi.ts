import { check } from '../../../control/fields/check.ts'
import { type ProblemCode, problems } from '../../../service/call/problems.ts'
import { adminPath } from '../routing/address.ts'
import type { RequestPart } from '../routing/request-fields.ts'
import type { Route, RouteGroup } from '../routing/route.ts'
import * as view from '../routing/views.ts'
import { createComponents, schemaOf } from './components.ts'

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
