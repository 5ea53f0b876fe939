import fc from 'fast-check'
import { expect, test } from 'vitest'
import { utf8Length, utf8Octets } from '../../../src/base/json/utf8.ts'

test.each<[text: string, length: number]>([
  ['', 0],
  ['Rex', 3],
  ['\u0000\u007f', 2],
  ['\u0080', 2],
  ['\u07ff', 2],
  ['\u0800', 3],
  ['\uffff', 3],
  ['Müller', 7],
  ['🐶', 4],
  ['\ud83d', 3],
  ['\udc36', 3],
  ['\ud83d\ud83d\udc36', 7],
  ['\udc36\ud83d', 6],
  ['\ud83dx', 4],
])('%j', (text, length) => {
  expect(utf8Length(text)).toBe(length)
})

test('is what Node writes, for any text', () => {
  const units = fc
    .array(fc.constantFrom('a', 'é', '€', '🐶', '\ud83d', '\udc36'))
    .map(parts => parts.join(''))
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), units), text => {
      expect(utf8Length(text)).toBe(Buffer.byteLength(text))
    }),
    { numRuns: 1000 },
  )
})

test('a long text is no trouble', () => {
  const text = `${'a'.repeat(5_000_000)}é`
  expect(utf8Length(text)).toBe(5_000_002)
})

test('octets are the bytes that Node writes, for any text of any length', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.integer({ min: 0, max: 3_000 }),
      (text, times) => {
        const long = text.repeat(times)
        expect(Buffer.from(utf8Octets(long), 'latin1').equals(Buffer.from(long))).toBe(true)
      },
    ),
  )
})
