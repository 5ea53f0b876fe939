import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatJson } from '../../src/dashboard/design/json-tokens.ts'
import { processorTime } from '../support/processor-time.ts'

const textOf = (text: string) =>
  formatJson(text)
    ?.map(token => token.text)
    .join('')

test('JSON is laid out as JSON.stringify does, and keeps its values', () => {
  fc.assert(
    fc.property(fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue())), value => {
      expect(textOf(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2))
    }),
  )
})

test.each([
  ['{"id":9007199254740993}', '{\n  "id": 9007199254740993\n}'],
  ['[{"name":"Re', '[\n  {\n    "name": "Re'],
  ['<h1>no</h1>', undefined],
  ['"text"', undefined],
])('%s', (text, expected) => {
  expect(textOf(text)).toBe(expected)
})

test('a hostile body of 16 KiB takes little time', () => {
  const texts = ['{"'.repeat(8_000), `["${'\\'.repeat(16_000)}`, `[${'-'.repeat(16_000)}`, '['.repeat(16_000)]
  expect(processorTime(() => texts.forEach(text => void formatJson(text)))).toBeLessThan(2_000)
})

test.each([
  '['.repeat(16_384),
  '{"a":'.repeat(3_276),
  `[${'1,'.repeat(8_191)}`,
  ','.repeat(16_383).padStart(16_384, '{'),
])('a hostile body of 16 KiB stays small on the page: %.8s…', body => {
  const laid = formatJson(body) ?? []
  expect(laid.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(100 * body.length)
  // A name or a number each, and what stands between two of them.
  expect(laid.length).toBeLessThanOrEqual(body.length + 1)
  expect(laid.filter(({ kind }, index) => kind === 'plain' && laid[index + 1]?.kind === 'plain')).toEqual([])
})
