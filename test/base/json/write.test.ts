import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readJson } from '../../../src/base/json/read.ts'
import type { JsonValue } from '../../../src/base/json/value.ts'
import { writeJson } from '../../../src/base/json/write.ts'

test.each<[text: string, value: JsonValue]>([
  ['null', null],
  ['true', true],
  ['"a \\"b\\" \\n"', 'a "b" \n'],
  ['"\\ud83d"', '\ud83d'],
  ['1.5', 1.5],
  ['0', -0],
  ['9007199254740993', 9007199254740993n],
  ['-9223372036854775808', -9223372036854775808n],
  ['1e999', Infinity],
  ['-1e999', -Infinity],
  ['1e-999', Number.NaN],
  ['[]', []],
  ['{}', {}],
  ['[1,[2],{"a":[]}]', [1, [2n], { a: [] }]],
  ['{"name":"Rex","categoryId":9007199254740993,"tags":[null,false]}', rex()],
])('%s', (text, value) => {
  expect(writeJson(value)).toBe(text)
})

test('without bigints it is JSON.stringify', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), value => {
      expect(writeJson(value as JsonValue)).toBe(JSON.stringify(value))
    }),
  )
})

test('what is written is read as it was, bigints included', () => {
  fc.assert(
    fc.property(anyRead(), value => {
      const text = writeJson(value)
      const read = readJson(text)
      expect(read).toEqual({ value })
      expect('value' in read && writeJson(read.value)).toBe(text)
    }),
  )
})

function rex(): JsonValue {
  return { name: 'Rex', categoryId: 9007199254740993n, tags: [null, false] }
}

/** Any value as readJson gives it: one form for each integer, no -0. */
function anyRead(): fc.Arbitrary<JsonValue> {
  const beyond = fc
    .bigInt({ min: -(10n ** 39n), max: 10n ** 39n })
    .filter(value => !Number.isSafeInteger(Number(value)))
  const near = fc.oneof(
    fc.maxSafeInteger(),
    fc.double({ min: -1e15, max: 1e15, noNaN: true }).map(value => value + 0),
  )
  const leaf = fc.oneof(
    beyond,
    near,
    fc.constantFrom(null, true, false, Infinity, NaN, 1e40, -1e300),
    fc.string({ unit: 'binary' }),
  )
  return fc.letrec<{ value: JsonValue }>(tie => ({
    value: fc.oneof(
      { depthSize: 'small' },
      leaf,
      fc.array(tie('value')),
      fc.dictionary(fc.string({ unit: 'binary' }), tie('value'), { noNullPrototype: false }),
    ),
  })).value
}
