import { expect, test } from 'vitest'
import { httpDate } from '../../../src/base/time/instant.ts'

test.each<[ms: number, text: string]>([
  [0, 'Thu, 01 Jan 1970 00:00:00 GMT'],
  [784_111_777_000, 'Sun, 06 Nov 1994 08:49:37 GMT'],
  [Date.UTC(2030, 11, 5), 'Thu, 05 Dec 2030 00:00:00 GMT'],
  [Date.UTC(2030, 11, 5) + 999.9, 'Thu, 05 Dec 2030 00:00:00 GMT'],
  [-1, 'Wed, 31 Dec 1969 23:59:59 GMT'],
  [-0.5, 'Wed, 31 Dec 1969 23:59:59 GMT'],
  [253_402_300_799_999, 'Fri, 31 Dec 9999 23:59:59 GMT'],
])('%s', (ms, text) => {
  expect(httpDate(ms)).toBe(text)
})
