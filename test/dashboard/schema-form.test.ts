import { expect, test } from 'vitest'
import {
  controlOf,
  groupIn,
  readTyped,
  showTyped,
  withField,
} from '../../src/dashboard/design/schema-form/schema.ts'

test.each([
  [{ properties: {} }, 'group'],
  [{ type: 'string', enum: ['a'] }, 'choice'],
  [{ type: 'boolean' }, 'flag'],
  [{ type: 'integer' }, 'number'],
  [{ type: 'string' }, 'text'],
  [{ type: 'object' }, 'json'],
  [{ type: ['string', 'number'] }, 'json'],
  [{}, 'json'],
])('%j gets a control', (schema, kind) => {
  expect(controlOf(schema)).toBe(kind)
})

test.each([
  ['', undefined],
  ['30s', '30s'],
  ['30', 30],
  ['["10s","40s"]', ['10s', '40s']],
  ['{"after": 3}', { after: 3 }],
  ['{"after', '{"after'],
])('%j is read as a value', (text, value) => {
  expect(readTyped(text)).toEqual(value)
  expect(readTyped(showTyped(value))).toEqual(value)
})

test('a field that is emptied leaves the value', () => {
  const value = withField(withField({}, 'match', { key: 'a' }), 'name', 'x')
  expect(value).toEqual({ match: { key: 'a' }, name: 'x' })
  expect(withField(withField(value, 'name', undefined), 'match', {})).toEqual({})
  expect([groupIn(value, 'match'), groupIn(value, 'name')]).toEqual([{ key: 'a' }, {}])
})
