import { expect, test } from 'vitest'
import { didYouMean, nameMeant } from '../../../src/base/text/did-you-mean.ts'

const fields = ['clock', 'keys', 'key', 'plans', 'pageSize', 'pagination', 'deprecation']

test.each([
  ['clok', 'clock'],
  ['colck', 'clock'],
  ['CLOCK', 'clock'],
  ['kyes', 'keys'],
  ['pagesize', 'pageSize'],
  ['depreciation', 'deprecation'],
  ['rules', undefined],
  ['x', undefined],
  ['', undefined],
])('%s -> %s', (word, meant) => {
  expect(didYouMean(word, fields)).toBe(meant)
})

test.each([
  ['page', 'pageSize'],
  ['dep', 'deprecation'],
  ['pl', 'plans'],
  ['cl', 'clock'],
  // Two fields begin with this.
  ['pag', undefined],
  ['kyes', 'keys'],
  ['p', undefined],
  ['', undefined],
])('a name that begins with %s: %s', (typed, meant) => {
  expect(nameMeant(typed, fields)).toBe(meant)
})
