import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addInt64, parseInt64, toInt64 } from '../../../src/base/json/int64.ts'
import type { Int64 } from '../../../src/base/json/value.ts'

const max = 2n ** 63n - 1n
const min = -(2n ** 63n)

describe('toInt64', () => {
  test.each<[value: number | bigint, result: Int64 | undefined]>([
    [0, 0],
    [-0, 0],
    [0n, 0],
    [7n, 7],
    [2 ** 53 - 1, 2 ** 53 - 1],
    [2n ** 53n - 1n, 2 ** 53 - 1],
    [2n ** 53n, 2n ** 53n],
    [2n ** 53n + 1n, 2n ** 53n + 1n],
    [-(2n ** 53n) + 1n, -(2 ** 53) + 1],
    [-(2n ** 53n), -(2n ** 53n)],
    [2 ** 53, undefined],
    [1.5, undefined],
    [Number.NaN, undefined],
    [Infinity, undefined],
    [max, max],
    [max + 1n, undefined],
    [min, min],
    [min - 1n, undefined],
    [2n ** 64n, undefined],
  ])('%s', (value, result) => {
    expect(toInt64(value)).toStrictEqual(result)
  })
})

describe('parseInt64', () => {
  test.each<[text: string, result: Int64 | undefined]>([
    ['0', 0],
    ['42', 42],
    ['-42', -42],
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['9007199254740993', 9007199254740993n],
    ['-9007199254740993', -9007199254740993n],
    ['9223372036854775807', max],
    ['9223372036854775808', undefined],
    ['-9223372036854775808', min],
    ['-9223372036854775809', undefined],
    ['9'.repeat(1000), undefined],
    ['-0', undefined],
    ['007', undefined],
    ['+7', undefined],
    [' 7', undefined],
    ['7\n', undefined],
    ['7.0', undefined],
    ['7e1', undefined],
    ['0x7', undefined],
    ['7n', undefined],
    ['-', undefined],
    ['', undefined],
    ['٧', undefined],
  ])('%j', (text, result) => {
    expect(parseInt64(text)).toStrictEqual(result)
  })

  test('reads what is printed, everywhere', () => {
    fc.assert(
      fc.property(int64(), value => {
        expect(parseInt64(`${value}`)).toStrictEqual(toInt64(value))
      }),
    )
  })
})

describe('addInt64', () => {
  test.each<[a: Int64, n: number, sum: Int64]>([
    [1, 2, 3],
    [-1, 1, 0],
    [2 ** 53 - 2, 1, 2 ** 53 - 1],
    [2 ** 53 - 1, 1, 2n ** 53n],
    [2 ** 53 - 1, 2, 2n ** 53n + 1n],
    [2n ** 53n, -1, 2 ** 53 - 1],
    [2n ** 53n, 1, 2n ** 53n + 1n],
    [-(2n ** 53n), 1, -(2 ** 53) + 1],
    [-(2 ** 53) + 1, -2, -(2n ** 53n) - 1n],
    [max - 1n, 1, max],
    [min, 2 ** 53 - 1, min + 2n ** 53n - 1n],
  ])('%s + %s', (a, n, sum) => {
    expect(addInt64(a, n)).toStrictEqual(sum)
  })

  test('is exact and in the one form, everywhere', () => {
    fc.assert(
      fc.property(int64(), fc.maxSafeInteger(), (value, n) => {
        const sum = toInt64(value + BigInt(n))
        fc.pre(sum !== undefined)
        expect(addInt64(toInt64(value) ?? 0, n)).toStrictEqual(sum)
      }),
    )
  })

  test('throws where no int64 is left', () => {
    expect(() => addInt64(max, 1)).toThrow('9223372036854775807 + 1 is not an integer of 64 bits')
    expect(() => addInt64(min, -1)).toThrow(RangeError)
  })
})

/** Any of them, the ones around ±2^53 and ±2^63 often. */
function int64(): fc.Arbitrary<bigint> {
  const around = (middle: bigint) => fc.bigInt({ min: middle - 4n, max: middle + 4n })
  const edges = fc.oneof(
    around(2n ** 53n),
    around(-(2n ** 53n)),
    around(max - 4n),
    around(min + 4n),
    around(0n),
  )
  return fc.oneof(fc.bigInt({ min, max }), edges)
}
