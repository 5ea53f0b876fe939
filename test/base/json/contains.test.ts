import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contains } from '../../../src/base/json/contains.ts'
import type { JsonValue } from '../../../src/base/json/value.ts'

const rex = { name: 'Rex', categoryId: 9007199254740993n, tags: ['a', { b: 1, c: 2 }] }

test.each<[string, JsonValue | undefined, JsonValue, boolean]>([
  ['nothing of a map', rex, {}, true],
  ['one field', rex, { name: 'Rex' }, true],
  ['another value', rex, { name: 'rex' }, false],
  ['a field that is not there', rex, { age: null }, false],
  ['a field that every object has', rex, { constructor: 'x' }, false],
  ['an int64, exactly', rex, { categoryId: 9007199254740993n }, true],
  ['its neighbour', rex, { categoryId: 9007199254740994n }, false],
  ['a list, its maps in part', rex, { tags: ['a', { c: 2 }] }, true],
  ['a shorter list', rex, { tags: ['a'] }, false],
  ['a list for a map', [], {}, false],
  ['a map for a list', {}, [], false],
  ['null', null, null, true],
  ['null for a map', null, {}, false],
  ['nothing at all', undefined, {}, false],
])('%s', (_, value, part, expected) => {
  expect(contains(value, part)).toBe(expected)
})

test('every value contains itself', () => {
  fc.assert(
    fc.property(fc.jsonValue(), value => {
      const json = value as JsonValue
      expect(contains(json, json)).toBe(true)
    }),
  )
})
