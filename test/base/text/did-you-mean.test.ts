import { expect, test } from 'vitest'
import { didYouMean } from '../../../src/base/text/did-you-mean.ts'

const fields = ['clock', 'keys', 'key', 'plans', 'pageSize', 'pagination', 'deprecation']

test.each([
  ['clok', 'clock'],
  ['colck', 'clock'],
  ['CLOCK', 'clock'],
  ['kyes', 'keys'],
  ['pagesize', 'pageSize'],
  ['depreciation', 'deprecation'],
  ['page', 'pageSize'],
  ['dep', 'deprecation'],
  ['pl', 'plans'],
  ['cl', 'clock'],
  // Two fields begin with this.
  ['pag', undefined],
  ['rules', undefined],
  ['x', undefined],
  ['', undefined],
])('%s -> %s', (word, meant) => {
  expect(didYouMean(word, fields)).toBe(meant)
})
