import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import { lateDoors } from '../../support/late-doors.ts'
import { scenarioOf } from '../../support/scenarios.ts'
import { openToys } from '../../support/toys.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

/** Every kind of value that a schema can ask for. */
const schemas = [
  'type: string',
  ...[
    'date-time',
    'date',
    'time',
    'uuid',
    'email',
    'uri',
    'hostname',
    'ipv4',
    'ipv6',
    'byte',
    'binary',
    'password',
    'unknown',
  ].map(format => `type: string, format: ${format}`),
  'type: string, minLength: 20, maxLength: 30',
  'type: string, pattern: "^[a-z]{3,9}-\\\\d+$"',
  'type: integer, minimum: 3, maximum: 90000',
  'type: number, multipleOf: 0.25',
  'type: number, multipleOf: 0.1, minimum: 1, maximum: 1.5',
  'type: number, multipleOf: 1e-3, maximum: 2',
  'type: boolean',
  'type: [string, "null"]',
  'enum: [a, b, c, d, e, f, g]',
  'type: array, minItems: 1, maxItems: 9, items: { type: integer }',
  'type: array, uniqueItems: true, minItems: 3, items: { enum: [1, 2, 3, 4, 5, 6] }',
  'type: object, additionalProperties: { type: string }, minProperties: 2',
  'oneOf: [{ type: string }, { type: integer }, { type: boolean }]',
  'anyOf: [{ type: object, properties: { a: { type: string } } }, { type: array, items: { type: string } }]',
  'allOf: [{ type: object, properties: { a: { type: string } } }, { type: object, properties: { b: { type: integer } } }]',
  'type: object, required: [properties], properties: { properties: { type: object, properties: { examples: { type: string } } } }',
  'type: string, x-faker: name.firstName',
  'type: string, x-faker: { random.arrayElement: [[a, b, c]] }',
]

const contract = `openapi: 3.1.0
info: { title: Kinds, version: "1" }
paths:
${schemas
  .map(
    (schema, index) =>
      `  /kind${index}:\n    get: { responses: { "200": { description: a, content: { application/json: { schema: { ${schema} } } } } } }\n`,
  )
  .join('')}`

const [, inProcess] = lateDoors[1] ?? []

it('every generated value depends only on the seed and the call', async () => {
  if (inProcess === undefined) throw new Error('There is no such door.')
  const answers = async (seed: number, random: number) => {
    vi.spyOn(Math, 'random').mockReturnValue(random)
    vi.stubEnv('TZ', random > 0.5 ? 'Asia/Tokyo' : 'America/New_York')
    vi.useFakeTimers({ now: random * 1e13, toFake: ['Date'] })
    const { call, close } = await openToys(inProcess, contract, { scenario: scenarioOf({ seed }) })
    onTestFinished(close)
    const texts: string[] = []
    for (const index of schemas.keys()) {
      const { status, text } = await call('GET', `/v1/kind${index}`)
      expect([schemas[index], status]).toEqual([schemas[index], 200])
      texts.push(text)
    }
    vi.useRealTimers()
    return texts
  }
  const first = await answers(1, 0.1)
  expect(await answers(1, 0.7)).toEqual(first)
  const other = await answers(2, 0.1)
  expect(other.filter((text, index) => text !== first[index]).length).toBeGreaterThan(schemas.length / 2)
  for (const [index, steps] of [
    ['multipleOf: 0.25', 4],
    ['multipleOf: 0.1,', 10],
    ['multipleOf: 1e-3', 1000],
  ] as const) {
    const value = Number(first[schemas.findIndex(schema => schema.includes(index))])
    expect([index, Math.abs(value * steps - Math.round(value * steps)) < 1e-9]).toEqual([index, true])
  }
  const inner = first[schemas.findIndex(schema => schema.includes('required: [properties]'))]
  expect(JSON.parse(inner ?? '')).toEqual({ properties: { examples: expect.any(String) } })
})
