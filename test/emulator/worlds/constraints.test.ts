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
  ['x\n-3m', undefined],
  ['-3m\n', undefined],
  ['--3m', undefined],
  ['3', undefined],
  ['', undefined],
])('the offset %j is %j ms', (text, ms) => {
  expect(parseOffset(text)).toBe(ms)
  expect(clockOffsets.accepts(text)).toBe(ms !== undefined)
})

it.each([3, null, undefined, ['3m']])('%j is no offset', value => {
  expect(clockOffsets.accepts(value)).toBe(false)
})

it.each([
  ['3m', true],
  ['-3m', true],
  ['+3m', true],
  ['--3m', false],
  ['x', false],
])('editors accept %j as an offset: %j', (text, isAccepted) => {
  const { type, pattern } = clockOffsets.schema
  expect(type).toBe('string')
  expect(new RegExp(`${pattern}`, 'u').test(text)).toBe(isAccepted)
})
