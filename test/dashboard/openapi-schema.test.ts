import { expect, test } from 'vitest'
import { joinSchema } from '../../src/base/json/schema.ts'
import { exampleOf, typeName } from '../../src/dashboard/openapi/schema.ts'
import { processorTime } from '../support/processor-time.ts'

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const rootWith = (schemas: Record<string, object>) => JSON.parse(JSON.stringify({ components: { schemas } }))
const fifty = (of: object) =>
  Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`field${index}`, of]))

test.each<[what: string, schema: object]>([
  ['a list of itself', { type: 'array', items: ref('A') }],
  ['one of itself', { oneOf: [ref('A'), ref('A'), ref('A')] }],
  ['any of lists of itself', { anyOf: [{ type: 'array', items: ref('A') }, ref('A')] }],
  ['all of itself, many times', { allOf: Array.from({ length: 50 }, () => ref('A')), type: 'object' }],
  ['fifty fields of itself', { type: 'object', properties: fifty(ref('A')) }],
])('a schema that holds %s is read at once', (_what, schema) => {
  const root = rootWith({ A: schema })
  const work = () => {
    expect(typeName(root, joinSchema(root, ref('A')))).toMatch(/^[a-z |]+$/)
    expect(JSON.stringify(exampleOf(root, ref('A'))).length).toBeLessThan(100_000)
  }
  expect(processorTime(work)).toBeLessThan(2_000)
})

test('a schema has the fields of all its parts, each part once', () => {
  const root = rootWith({
    Base: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } },
    Named: { allOf: [ref('Base'), { properties: { name: { type: 'string' } }, required: ['name'] }] },
  })
  const whole = joinSchema(root, { allOf: [ref('Named'), ref('Base')] } as never)
  expect(whole).toMatchObject({ type: 'object', required: ['id', 'name'] })
  expect(exampleOf(root, ref('Named'))).toEqual({ id: 1, name: 'text' })
})
