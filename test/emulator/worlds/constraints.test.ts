import { expect, it } from 'vitest'
import { clockOffsets, parseOffset, sandboxNames } from '../../../src/emulator/worlds/constraints.ts'

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

it.each([
  ['worker-3', true],
  ['A.b_9', true],
  ['x'.repeat(64), true],
  ['x'.repeat(65), false],
  ['', false],
  ['feature/login', false],
  [3, false],
])('%j is the name of a sandbox: %j', (name, isAccepted) => {
  expect(sandboxNames.accepts(name)).toBe(isAccepted)
  expect(sandboxNames.expected).toBe('the name of a sandbox: 1 to 64 letters, digits and . _ -')
})
