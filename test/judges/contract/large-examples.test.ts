import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { boundSchema, mockReply } from '../../../src/judges/contract/prism/examples.ts'
import { readOperations } from '../../../src/judges/contract/prism/prism.ts'
import { lateDoors } from '../../support/late-doors.ts'
import { openToys } from '../../support/toys.ts'

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** Each level has four of the next one, so that six levels have 4,096 texts. */
const levels = Object.fromEntries(
  Array.from({ length: 6 }, (_, level) => {
    const next = level === 5 ? { type: 'string' } : ref(`Level${level + 1}`)
    const properties = { a: next, b: next, c: next, d: next }
    return [`Level${level}`, { type: 'object', required: ['a', 'b'], properties }]
  }),
)

/** Each level has 100 of the next one: written out, eight levels would have 10^16 values. */
const wide = Object.fromEntries(
  Array.from({ length: 8 }, (_, level) => {
    const next = level === 7 ? { type: 'string' } : ref(`Wide${level + 1}`)
    const properties = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`p${at}`, next]))
    return [`Wide${level}`, { type: 'object', properties }]
  }),
)

const node = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string' },
    children: { type: 'array', items: ref('Node') },
    twin: ref('Node'),
  },
}

const schemas: Readonly<Record<string, object>> = {
  ...levels,
  Node: node,
  Lists: { type: 'array', minItems: 40, items: { type: 'array', minItems: 40, items: ref('Level3') } },
  Text: {
    type: 'object',
    properties: { name: { type: 'string' }, text: { type: 'string', minLength: 1e8 } },
  },
  Pattern: {
    type: 'object',
    required: ['text'],
    properties: { text: { type: 'string', pattern: '^a{900000}$' } },
  },
  AllOf: {
    allOf: [ref('Level0'), { type: 'object', required: ['name'], properties: { name: { type: 'string' } } }],
  },
  AnyOf: { anyOf: [ref('Level1'), ref('Level0')] },
}

function contractOf(name: string) {
  const content = { 'application/json': { schema: ref(name) } }
  return {
    openapi: '3.0.3',
    info: { title: 'Large', version: '1' },
    paths: { '/large': { get: { responses: { 200: { description: 'ok', content } } } } },
    // Prism itself reads all components.
    components: { schemas: name in wide ? wide : schemas },
  }
}

function valuesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return 1 + Object.values(value).reduce((sum: number, inner) => sum + valuesOf(inner), 0)
}

describe.each(lateDoors)('an example of a large schema, %s', (_name, door) => {
  it.each(['Level0', 'Node', 'Lists', 'Text', 'Pattern', 'AllOf', 'AnyOf', 'Wide0'])('%s', async name => {
    const opened = await openToys(door, JSON.stringify(contractOf(name)))
    onTestFinished(opened.close)
    const { status, text } = await opened.call('GET', '/v1/large')
    expect(status).toBe(200)
    expect(valuesOf(JSON.parse(text))).toBeLessThan(2_000)
    expect(text.length).toBeLessThan(60_000)
    expect((await opened.call('GET', '/v1/large')).text).toBe(text)
  })
})

it('keeps the outer levels of a large schema', async () => {
  const [operation] = await readOperations(contractOf('Level0'))
  if (operation === undefined) throw new Error('The operation is missing.')
  const texts = { requestHeaders: {}, requestBody: undefined, headers: {}, body: undefined, status: 200 }
  const { body } = await mockReply(operation, { method: 'GET', target: '/large', ...texts }, 'seed')
  const keys = ['a', 'b', 'c', 'd']
  const level = Object.fromEntries(keys.map(key => [key, expect.any(Object)]))
  expect(body).toMatchObject(Object.fromEntries(keys.map(key => [key, level])))
})

it('generates an example once for the same seed', async () => {
  const [operation] = await readOperations(contractOf('Level4'))
  if (operation === undefined) throw new Error('The operation is missing.')
  const texts = { requestHeaders: {}, requestBody: undefined, headers: {}, body: undefined, status: 200 }
  const ask = (seed: string) => mockReply(operation, { method: 'GET', target: '/large', ...texts }, seed)
  const first = await ask('1')
  expect(await ask('1')).toBe(first)
  expect(await ask('2')).not.toBe(first)
})

it('leaves a small schema as it is', () => {
  const small = fc.letrec(tie => ({
    schema: fc.oneof(
      { depthSize: 'small' },
      fc.record({ type: fc.constantFrom('string', 'integer', 'boolean') }),
      fc.record({
        type: fc.constant('object'),
        properties: fc.dictionary(fc.string(), tie('schema'), { maxKeys: 3 }),
      }),
      fc.record({ type: fc.constant('array'), items: tie('schema') }),
    ),
  })).schema
  fc.assert(
    fc.property(small, schema => {
      fc.pre(valuesOf(schema) < 50)
      const nested = JSON.stringify(schema).split('"items"').length - 1
      fc.pre(nested < 3)
      expect(boundSchema(schema, {})).toBe(schema)
    }),
  )
})
