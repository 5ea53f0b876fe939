import { type Description, describePlane } from '../../src/doors/admin/description/openapi.ts'
import type { RouteGroup } from '../../src/doors/admin/routing/route.ts'
import type { JsonSchema } from '../../src/doors/admin/routing/views.ts'
import { gates } from '../../src/emulator/journal/exchange.ts'

/** The operations of the admin plane as types, from its own description, for the dashboard's client. */
export function planeTypes(groups: readonly RouteGroup[], keys: readonly string[]): string {
  const { paths, components } = describePlane(groups, '')
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
  const named = Object.entries(components.schemas).map(
    ([name, schema]) => `export type ${nameOf(name)} = ${typeOf(schema)}\n`,
  )
  const types = operations.map(
    ({ operation }) => `  readonly ${operation.operationId}: ${callOf(operation)}\n`,
  )
  const routes = operations.map(
    ({ method, path, operation }) => `  ${operation.operationId}: '${method} ${path}',\n`,
  )
  return `${named.join('\n')}
/** What each operation of the admin plane takes and returns. */
export interface PlaneOperations {
${types.join('')}}

export const planeRoutes = {
${routes.join('')}} as const satisfies Record<keyof PlaneOperations, string>

/** The gates of a call, in their order (A01). */
export const planeGates = ${JSON.stringify(gates)} as const

/** The keys of the fixtures, which are no secrets. */
export const shippedKeys: readonly string[] = ${JSON.stringify(keys)}
`
}

type Operation = Description['paths'][string][string]

function callOf({ parameters = [], requestBody, responses }: Operation): string {
  const within = (place: string) =>
    parameters
      .filter(parameter => parameter.in === place)
      .map(({ name, required, schema }) => field(name, required, schema))
      .join('; ')
  const body = requestBody?.content['application/json'].schema
  const bodyType = body === undefined ? 'undefined' : typeOf(body)
  return `{ readonly params: { ${within('path')} }; readonly query: { ${within('query')} }; readonly body: ${bodyType}; readonly answer: ${answerOf(responses)} }`
}

function answerOf(responses: Operation['responses']): string {
  const [success] = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  const { content = {} } = (success?.[1] ?? {}) as {
    readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>>
  }
  const json = content['application/json']
  return json === undefined ? 'string' : typeOf(json.schema)
}

/** A type's name must not hide one of the language. */
function nameOf(title: string): string {
  return `Plane${title}`
}

function typeOf(schema: JsonSchema | boolean): string {
  if (typeof schema === 'boolean') return schema ? 'unknown' : 'never'
  const { $ref: ref, enum: values, anyOf, type, properties } = schema
  if (ref !== undefined) return nameOf(ref.split('/').at(-1) ?? '')
  if (values !== undefined) return union(values.map(value => JSON.stringify(value)))
  if ('const' in schema) return JSON.stringify(schema.const)
  if (type === undefined && anyOf !== undefined && properties === undefined) return union(anyOf.map(typeOf))
  const types = typeof type === 'string' ? [type] : (type ?? [])
  return types.length === 0 ? 'unknown' : union(types.map(one => simpleType(one, schema)))
}

function simpleType(type: string, schema: JsonSchema): string {
  switch (type) {
    case 'integer':
    case 'number':
      return 'number'
    case 'array':
      return `readonly (${typeOf((schema.items ?? {}) as JsonSchema)})[]`
    case 'object':
      return objectType(schema)
    default:
      return type
  }
}

function objectType({ properties = {}, required = [], additionalProperties }: JsonSchema): string {
  const rows = Object.entries(properties).map(
    ([name, schema]) => `${describe(schema)}${field(name, required.includes(name), schema)}`,
  )
  if (rows.length > 0) return `{\n${rows.join('\n')}\n}`
  const values = typeof additionalProperties === 'object' ? (additionalProperties as JsonSchema) : {}
  return `Readonly<Record<string, ${typeOf(values)}>>`
}

function field(name: string, isRequired: boolean, schema: JsonSchema): string {
  const property = /^\w+$/.test(name) ? name : `'${name}'`
  return `readonly ${property}${isRequired ? '' : '?'}: ${typeOf(schema)}${isRequired ? '' : ' | undefined'}`
}

function describe({ description }: JsonSchema): string {
  return description === undefined ? '' : `/** ${description.replaceAll('*/', '* /')} */ `
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ') || 'never'
}
