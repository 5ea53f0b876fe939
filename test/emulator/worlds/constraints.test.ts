import { expect, it } from 'vitest'
import { clockOffsets, parseOffset } from '../../../src/emulator/worlds/constraints.ts'

it.each([
  ['3m', 180_000],
  ['+3m', 180_000],
  ['-3m', -180_000],
  ['24h', 86_400_000],
  ['-24h', -86_400_000],
  ['86400001ms', undefined],
  ['x-3m', undefined],
  ['-3m\n', undefined],
  ['--3m', undefined],
  ['3', undefined],
  ['', undefined],
])('the offset %j is %j ms', (text, ms) => {
  expect(parseOffset(text)).toBe(ms)
  expect(clockOffsets.accepts(text)).toBe(ms !== undefined)
})

it.each([3, null, undefined])('%j is no offset', value => {
  expect(clockOffsets.accepts(value)).toBe(false)
})
