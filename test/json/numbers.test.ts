import { expect, test } from 'vitest'
import { readJson } from '../../src/json/read.ts'

// toStrictEqual tells 0 from -0 and a number from a bigint, so each row says the form as well.
test.each<[text: string, value: number | bigint]>([
  ['0', 0],
  ['-0', 0],
  ['-0.0', 0],
  ['0e5', 0],
  ['-0e-5', 0],
  ['0e999999999', 0],
  ['1', 1],
  ['-1', -1],
  ['1.0', 1],
  ['1e2', 100],
  ['1E+2', 100],
  ['150e-1', 15],
  ['1.5', 1.5],
  ['-1.5e-3', -0.0015],
  ['1e-999999999', 0],
  ['-1e-999999999', 0],
  ['9007199254740991', 9007199254740991],
  ['9007199254740992', 9007199254740992n],
  ['9007199254740993', 9007199254740993n],
  ['-9007199254740991', -9007199254740991],
  ['-9007199254740993', -9007199254740993n],
  ['9007199254740993.0', 9007199254740993n],
  ['9.007199254740993e15', 9007199254740993n],
  ['9.007199254740991e15', 9007199254740991],
  ['90071992547409930e-1', 9007199254740993n],
  ['90071992547409935e-1', 2 ** 53 + 2],
  ['9007199254740993.5', 2 ** 53 + 2],
  ['0.09007199254740993e17', 9007199254740993n],
  ['9.223372036854775807e18', 9223372036854775807n],
  ['-9.223372036854775808E18', -9223372036854775808n],
  ['9223372036854775808', 9223372036854775808n],
  ['1e20', 100000000000000000000n],
  ['1e308', 10n ** 308n],
  ['1e309', Infinity],
  ['-1e309', -Infinity],
  ['1e999999999', Infinity],
  [`1e${'9'.repeat(400)}`, Infinity],
  ['1'.repeat(400), BigInt('1'.repeat(400))],
  [`1${'0'.repeat(400)}e-400`, 1],
  [`0.${'0'.repeat(400)}1e401`, 1],
])('%s', (text, value) => {
  expect(readJson(text)).toStrictEqual({ value })
})

test.each([
  ['a million digits', '9'.repeat(1e6)],
  ['a million zeros and an exponent', `1${'0'.repeat(1e6)}e-1000000`],
  ['a million zeros of a fraction', `1.${'0'.repeat(1e6)}e20`],
])('%s do not take seconds', (_, text) => {
  const start = performance.now()
  expect(readJson(text)).toHaveProperty('value')
  expect(performance.now() - start).toBeLessThan(2000)
})
