import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  bundle,
  getLineColLocation,
  lint,
  lintFromString,
  loadConfig,
  type NormalizedProblem,
} from '@redocly/openapi-core'
import { describe, expect, test } from 'vitest'
import { parse, parseDocument } from 'yaml'
import * as z from 'zod'
import { isWithoutContent } from '../../../src/control/scenario/checks/rules.ts'
import { problems } from '../../../src/service/call/problems.ts'

const file = fileURLToPath(new URL('../../../openapi.yaml', import.meta.url))
const text = readFileSync(file, 'utf8')
const config = await loadConfig({
  configPath: fileURLToPath(new URL('../../support/redocly.yaml', import.meta.url)),
})

describe('the lint', () => {
  test('finds nothing', async () => {
    expect((await lint({ ref: file, config })).map(inOneLine)).toEqual([])
  })

  const answer = 'paths /pets get responses 200'
  const pet = `${answer} content application/json examples page value 0`
  const error = 'components responses Unauthorized content application/json examples missing value'
  const header = 'components headers X-RateLimit-Reset'
  test.each([
    ['a missing field', `${pet} name`, undefined, 'no-invalid-media-type-examples'],
    ['a field of another type', `${pet} id`, '1', 'no-invalid-media-type-examples'],
    ['a status that is none', `${pet} status`, 'lost', 'no-invalid-media-type-examples'],
    ['an unknown field', `${error} hint`, 'sign up', 'no-invalid-media-type-examples'],
    ['a limit out of range', 'components parameters Limit example', 500, 'no-invalid-parameter-examples'],
    ['a header out of range', `${header} schema examples 0`, 1772442060000, 'no-invalid-schema-examples'],
    ['a lost reference', `${answer} headers Link $ref`, '#/components/headers/Next', 'no-unresolved-refs'],
    ['an undefined scheme', 'components securitySchemes bearerAuth', undefined, 'security-defined'],
  ])('finds %s', async (_, place, value, rule) => {
    const path = place.split(' ')
    const broken = parseDocument(text)
    if (value === undefined) broken.deleteIn(path)
    else broken.setIn(path, value)
    const found = await lintFromString({ source: String(broken), absoluteRef: file, config })
    expect(found.map(problem => problem.ruleId)).toContain(rule)
  })

  test('finds nothing in an unchanged copy', async () => {
    const copy = String(parseDocument(text))
    expect((await lintFromString({ source: copy, absoluteRef: file, config })).map(inOneLine)).toEqual([])
  })
})

const Assumed = z.array(z.string())
const Header = z.object({
  required: z.boolean().optional(),
  schema: z.object({ type: z.string().optional() }),
})
const ErrorExample = z.strictObject({ code: z.string(), message: z.string(), status: z.number() })
const Response = z.object({
  headers: z.record(z.string(), Header).default({}),
  content: z
    .object({
      'application/json': z.object({
        schema: z.unknown(),
        examples: z.record(z.string(), z.object({ value: z.unknown() })),
      }),
    })
    .optional(),
})
const Operation = z.object({
  operationId: z.string(),
  security: z.unknown().optional(),
  deprecated: z.boolean().optional(),
  'x-deprecated-sunset': z.string().optional(),
  'x-stability': z.string().optional(),
  responses: z.record(z.string(), Response),
})
const Contract = z.object({
  openapi: z.string(),
  info: z.object({ version: z.string() }),
  servers: z.array(
    z.object({
      url: z.string(),
      variables: z.record(z.string(), z.object({ default: z.string() })).default({}),
    }),
  ),
  security: z.unknown(),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.object({
    schemas: z.object({
      Error: z.looseObject({
        properties: z.looseObject({ code: z.looseObject({ examples: z.array(z.string()) }) }),
      }),
    }),
    headers: z.record(z.string(), z.unknown()),
    parameters: z.record(z.string(), z.unknown()),
    securitySchemes: z.record(z.string(), z.object({ type: z.string(), scheme: z.string() })),
  }),
})

const contract = Contract.parse((await bundle({ ref: file, config, dereference: true })).bundle.parsed)
const operations = Object.entries(contract.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    call: `${method.toUpperCase()} ${path}`,
    ...operation,
  })),
)
const responses = operations.flatMap(operation =>
  Object.entries(operation.responses).map(([status, response]) => ({
    name: `${operation.operationId} ${status}`,
    /** undefined: `default`, any other error. */
    status: status === 'default' ? undefined : Number(status),
    response,
  })),
)
const errors = responses.filter(({ status = 500 }) => status >= 400)

describe('the description', () => {
  test('is version 1.0.0 in OpenAPI 3.1.0', () => {
    expect([contract.info.version, contract.openapi]).toEqual(['1.0.0', '3.1.0'])
  })

  test('has servers that end with the version segment, with reserved names for unknown ones', () => {
    const urls = contract.servers.map(({ url, variables }) =>
      url.replace(/\{(\w+)\}/g, (placeholder, name: string) => variables[name]?.default ?? placeholder),
    )
    expect(urls).toEqual([
      expect.stringMatching(/^https:\/\/[\w.-]+\.invalid\/v1$/),
      expect.stringMatching(/^https:\/\/[\w.-]+\.invalid\/v1$/),
      'http://127.0.0.1:7387/v1',
    ])
  })

  test('has these operations with these responses', () => {
    const answers = operations.map(({ operationId, call, responses }) => [
      operationId,
      call,
      Object.keys(responses),
    ])
    expect(answers).toEqual([
      ['listPets', 'GET /pets', ['200', '400', '401', '429', 'default']],
      ['createPet', 'POST /pets', ['201', '400', '401', '429', 'default']],
      ['getPet', 'GET /pets/{petId}', ['200', '401', '404', '429', 'default']],
      ['listOrders', 'GET /store/orders', ['200', '401', '429', 'default']],
    ])
  })

  test('requires a bearer token for every operation', () => {
    expect(contract.security).toEqual([{ bearerAuth: [] }])
    expect(contract.components.securitySchemes).toEqual({ bearerAuth: { type: 'http', scheme: 'bearer' } })
    expect(operations.filter(({ security }) => security !== undefined)).toEqual([])
  })

  test('deprecates only getPet', () => {
    const deprecated = operations.filter(
      operation => operation.deprecated || operation['x-deprecated-sunset'],
    )
    expect(deprecated).toMatchObject([
      { operationId: 'getPet', deprecated: true, 'x-deprecated-sunset': '2030-12-05' },
    ])
  })

  test('marks only listOrders as experimental', () => {
    const marked = operations.filter(operation => operation['x-stability'])
    expect(marked).toMatchObject([{ operationId: 'listOrders', 'x-stability': 'experimental' }])
  })
})

describe('every response', () => {
  test.each(responses.filter(({ status }) => status !== undefined))(
    '$name has the rate limit headers',
    ({ response }) => {
      const required = { required: true, schema: { type: 'integer' } }
      expect(response.headers).toMatchObject({
        'X-RateLimit-Limit': required,
        'X-RateLimit-Remaining': required,
        'X-RateLimit-Reset': required,
      })
    },
  )

  test.each(responses)('$name has Retry-After if it is a 429', ({ status, response }) => {
    expect(response.headers['Retry-After']?.required ?? false).toBe(status === 429)
  })

  test.each(responses)('$name has a challenge if it is a 401', ({ status, response }) => {
    expect('WWW-Authenticate' in response.headers).toBe(status === 401)
  })

  test.each(responses)(
    '$name has an example, or no content if its status has none',
    ({ status, response }) => {
      const examples = Object.keys(response.content?.['application/json'].examples ?? {})
      if (status !== undefined && isWithoutContent(status)) expect(response.content).toBeUndefined()
      else expect(examples).not.toEqual([])
    },
  )
})

describe('every error', () => {
  const { Error: schema } = contract.components.schemas

  test('has a known code', () => {
    expect(Object.keys(problems)).toEqual(expect.arrayContaining(schema.properties.code.examples))
  })

  test.each(errors)('$name has the Error schema', ({ response }) => {
    const { description: _description, ...shape } = schema
    expect(response.content?.['application/json'].schema).toMatchObject(shape)
  })

  test.each(errors)('$name has examples with codes of its status', ({ status, response }) => {
    const statuses = new Map<string, number>(Object.entries(problems))
    for (const example of Object.values(response.content?.['application/json'].examples ?? {})) {
      const error = ErrorExample.parse(example.value)
      const expected = status ?? error.status
      expect([error.status, statuses.get(error.code)]).toEqual([expected, expected])
    }
  })
})

describe('every assumption', () => {
  const assumptions = assumptionsIn(parse(text), '#')

  test.each(assumptions)('$where names entries of A01 to A22', ({ ids }) => {
    for (const id of ids) expect(id).toMatch(/^A(0[1-9]|1\d|2[0-2])$/)
  })

  test.each(assumptions)('$where has the word assumed in its description', ({ node }) => {
    expect(node.description).toMatch(/\bassumed\b/i)
  })

  test.each(assumptions)('$where is not required', ({ node }) => {
    expect(node.required).not.toBe(true)
  })

  test.each([
    ['headers' as const, ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'Retry-After']],
    ['parameters' as const, ['Limit', 'Status', 'PetId']],
  ])('is marked: of the %s, all but those that the specification names', (kind, specified) => {
    const marked = new Set(assumptions.map(({ where }) => where))
    const names = Object.keys(contract.components[kind])
    expect(names.filter(name => !marked.has(`#/components/${kind}/${name}`))).toEqual(specified)
  })

  test.each([
    ['#/paths//pets/get/responses/400', 'A12'],
    ['#/paths//pets/{petId}/get/responses/404', 'A13'],
    ['#/components/schemas/NewPet/properties/status', 'A14'],
    ['#/components/responses/TooManyRequests', 'A09'],
    ['#/components/responses/TooManyRequests', 'A10'],
    ['#/components/schemas/Order', 'A21'],
    ['#/paths//store/orders/get', 'A21'],
  ])('is marked: %s as %s', (place, id) => {
    expect(assumptions.find(({ where }) => where === place)?.ids).toContain(id)
  })
})

interface Assumption {
  readonly where: string
  readonly ids: readonly string[]
  readonly node: Readonly<Record<string, unknown>>
}

/** Every object that bears `x-assumption`, at any depth. */
function assumptionsIn(node: unknown, where: string): Assumption[] {
  if (typeof node !== 'object' || node === null) return []
  const record: Record<string, unknown> = { ...node }
  const below = Object.entries(record).flatMap(([key, value]) => assumptionsIn(value, `${where}/${key}`))
  if (!('x-assumption' in record)) return below
  return [{ where, ids: Assumed.parse(record['x-assumption']), node: record }, ...below]
}

function inOneLine({ location, ruleId, message }: NormalizedProblem): string {
  const [first] = location
  if (first === undefined) return `${ruleId}: ${message}`
  const { start } = getLineColLocation(first)
  return `openapi.yaml:${start.line}:${start.col} ${ruleId}: ${message}`
}
