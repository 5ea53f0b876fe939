import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readJson } from '../../../src/base/json/read.ts'

/** A decimal number: digits times a power of ten, so that its value is known without reading its text. */
const decimal = fc.record({
  negative: fc.boolean(),
  digits: fc.bigInt({ min: 0n, max: 10n ** 30n }),
  exponent: fc.integer({ min: -400, max: 8 }),
  point: fc.nat(40),
  mark: fc.constantFrom('e', 'E'),
})

/** The same number with its point at another place, which the exponent makes good. */
function write({
  negative,
  digits,
  exponent,
  point,
  mark,
}: typeof decimal extends fc.Arbitrary<infer T> ? T : never) {
  const padded = `${digits}`.padStart(point + 1, '0')
  const whole = padded.slice(0, padded.length - point)
  const fraction = point === 0 ? '' : `.${padded.slice(-point)}`
  return `${negative ? '-' : ''}${whole}${fraction}${mark}${exponent + point}`
}

function exactly({ negative, digits, exponent }: { negative: boolean; digits: bigint; exponent: number }) {
  const signed = negative ? -digits : digits
  if (exponent >= 0) return signed * 10n ** BigInt(exponent)
  const divisor = 10n ** BigInt(-exponent)
  return signed % divisor === 0n ? signed / divisor : undefined
}

test('an integer is read exactly, and what is none is never read as one', () => {
  fc.assert(
    fc.property(decimal, number => {
      const read = readJson(write(number))
      if (!('value' in read)) throw new Error(read.problem)
      const integer = exactly(number)
      if (integer === undefined) expect(Number.isInteger(read.value)).toBe(false)
      else expect(read.value).toBe(Number.isSafeInteger(Number(integer)) ? Number(integer) : integer)
    }),
    { numRuns: 5_000 },
  )
})

test('so close to an integer that a float is equal to it', () => {
  const tail = fc.stringMatching(/^0{0,20}[1-9]0{0,3}$/)
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }), tail, (whole, fraction) => {
      const read = readJson(`${whole}.${fraction}`)
      expect(
        Number.isInteger('value' in read && read.value) ||
          typeof ('value' in read && read.value) === 'bigint',
      ).toBe(false)
    }),
    { numRuns: 5_000 },
  )
})
