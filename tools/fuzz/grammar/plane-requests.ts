import fc from 'fast-check'
import { oneOf, textOf, words } from './any-request.ts'
import { hostile, type Schema, valuesOf } from './from-schema.ts'

/** The plane's description of itself, at /__admin/openapi.json. */
export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

interface Operation {
  readonly parameters?: readonly {
    readonly name: string
    readonly in: 'path' | 'query'
    readonly schema: Schema
  }[]
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } }
  readonly responses: Readonly<Record<string, Response>>
}

interface Response {
  readonly description: string
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>
}

export interface PlaneRequest {
  readonly method: string
  /** As in the description; undefined for a path that it does not have. */
  readonly path: string | undefined
  readonly target: string
  /** In UTF-8, as latin1 characters. */
  readonly body: string | undefined
  readonly type: string
}

/** They answer when something happens, or never end. */
const lasting = ['/requests/wait', '/events']

const names = words('demo-free demo-pro 1 7 outage rule-1 w1 ban free-plan 9223372036854775807')
const segment = fc.oneof(
  { weight: 5, arbitrary: names },
  { weight: 1, arbitrary: oneOf('%2F', '%', '%ff', '..', '', '__proto__', '-0', 'x'.repeat(300)) },
  { weight: 1, arbitrary: textOf(0x21, 0x7e).map(encodeURIComponent) },
)
const argument = fc.oneof(
  names,
  oneOf('', '*', '%zz', '%00', '1e3', '-1', 'default', '5xx', 'true'),
  hostile.map(inUrl),
)

function inUrl(value: unknown): string {
  return encodeURIComponent(
    `${typeof value === 'string' ? value.replace(/\p{Surrogate}/gu, '?') : JSON.stringify(value)}`.slice(
      0,
      200,
    ),
  )
}

/** Requests that a description invites, some of them spoilt. `lastingToo`: also those whose answers may not come. */
export function planeRequests(
  { paths, components }: Description,
  snapshots: readonly unknown[],
  lastingToo: boolean,
) {
  const endpoints = Object.entries(paths)
    .filter(([path]) => lasting.includes(path) === lastingToo)
    .flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({ path, method, operation })),
    )
  const requests = endpoints.map(({ path, method, operation }) => {
    const { parameters = [], requestBody } = operation
    const query = fc.record(
      Object.fromEntries(
        parameters.filter(one => one.in === 'query').map(({ name, schema }) => [name, argumentOf(schema)]),
      ),
      { requiredKeys: [] },
    )
    const schema = requestBody?.content['application/json'].schema
    const values =
      path === '/snapshot' ? fc.constantFrom(...snapshots) : schema && valuesOf(schema, components.schemas)
    return fc.record({
      method: fc.constant(method.toUpperCase()),
      path: fc.constant(path),
      target: fc.tuple(pathOf(path), query).map(([path, query]) => `/__admin${path}${queryOf(query)}`),
      body: values === undefined ? rarely(fc.json()) : bodyOf(values),
      type: oneOf(
        'application/json',
        'application/json',
        'application/json',
        'application/json; charset=utf-8',
        'text/plain',
      ),
    })
  })
  return fc.oneof(...requests)
}

function argumentOf(schema: Schema): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 3, arbitrary: valuesOf(schema, {}).map(inUrl) },
    { weight: 1, arbitrary: argument },
  )
}

function pathOf(path: string): fc.Arbitrary<string> {
  const parts = path.split(/\{\w+\}/)
  return fc
    .array(segment, { minLength: parts.length - 1, maxLength: parts.length - 1 })
    .map(given => parts.map((part, index) => part + (given[index] ?? '')).join(''))
}

function queryOf(query: Readonly<Record<string, string | undefined>>): string {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${value}`)
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

function rarely(texts: fc.Arbitrary<string>): fc.Arbitrary<string | undefined> {
  return fc.option(texts.map(inLatin1), { nil: undefined, freq: 8 })
}

function bodyOf(values: fc.Arbitrary<unknown>): fc.Arbitrary<string | undefined> {
  return fc.oneof(
    { weight: 20, arbitrary: values.map(value => inLatin1(JSON.stringify(value) ?? 'null')) },
    { weight: 1, arbitrary: textOf(0, 0xff) },
    { weight: 1, arbitrary: values.chain(value => cut(inLatin1(JSON.stringify(value) ?? 'null'))) },
    { weight: 1, arbitrary: fc.constant(undefined) },
  )
}

function cut(text: string): fc.Arbitrary<string> {
  return fc.nat(text.length).map(place => text.slice(0, place))
}

function inLatin1(text: string): string {
  return Buffer.from(text).toString('latin1')
}
