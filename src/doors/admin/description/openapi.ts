import * as z from 'zod'
import { type ProblemCode, problems } from '../../../service/call/problems.ts'
import { adminPath } from '../routing/address.ts'
import type { Route, RouteGroup } from '../routing/route.ts'
import { createSchemas, type Schemas } from './openapi-schemas.ts'

export type Parameter = ReturnType<typeof describeParameter>
export type Operation = ReturnType<typeof describeRoute>
export type Description = ReturnType<typeof describePlane>

/** Describes the plane in OpenAPI 3.1, from the table that serves it. */
export function describePlane(groups: readonly RouteGroup[], version: string) {
  const schemas = createSchemas()
  const paths: Record<string, Record<string, Operation>> = {}
  for (const { name, routes } of groups) {
    for (const route of routes) {
      paths[route.path] = {
        ...paths[route.path],
        [route.method.toLowerCase()]: describeRoute(route, name, schemas),
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
      schemas: schemas.all(),
    },
  }
}

function describeRoute(route: Route, tag: string, schemas: Schemas) {
  const { id, about, body, answer, sandbox, params, query } = route
  const name = `${id[0]?.toUpperCase()}${id.slice(1)}`
  const inQuery = Object.entries(query.shape).filter(([field]) => field !== 'sandbox' || sandbox !== 'none')
  const parameters = [
    ...Object.entries(params.shape).map(parameter => describeParameter('path', parameter, name, schemas)),
    ...inQuery.map(parameter => describeParameter('query', parameter, name, schemas)),
  ]
  const { type = 'application/json', status = 200 } = answer
  const schema =
    answer.schema === undefined
      ? { type: 'string' as const }
      : schemas.describe(answer.schema, name, 'output')
  const responses: Readonly<Record<string, object>> = {
    [status]: { description: answer.about, content: { [type]: { schema } } },
    ...describeRefusals(route),
  }
  return {
    operationId: id,
    tags: [tag],
    summary: about,
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && hasFields(body) && { requestBody: describeBody(body, name, schemas) }),
    responses,
  }
}

/** A command without fields has no body. */
function hasFields(body: z.ZodType): boolean {
  return !(body instanceof z.ZodObject) || Object.keys(body.shape).length > 0
}

function describeBody(body: z.ZodType, name: string, schemas: Schemas) {
  const schema = schemas.describe(body, name, 'input')
  return { required: !body.safeParse({}).success, content: { 'application/json': { schema } } }
}

function describeParameter(
  place: 'path' | 'query',
  [name, field]: readonly [string, unknown],
  of: string,
  schemas: Schemas,
) {
  const type = field as z.ZodType
  const { description = name, ...schema } = schemas.describe(type, of, 'input')
  const required = place === 'path' || !type.safeParse(undefined).success
  return { name, in: place, required, description, schema }
}

const everywhere: readonly ProblemCode[] = [
  'invalid_parameter',
  'invalid_admin_token',
  'host_not_allowed',
  'origin_not_allowed',
  'internal_error',
]
const withBody: readonly ProblemCode[] = [
  'invalid_command',
  'invalid_json',
  'unsupported_media_type',
  'body_too_large',
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
