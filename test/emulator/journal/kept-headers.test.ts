import { expect, test } from 'vitest'
import { cutHeaders, keptHeaders } from '../../../src/emulator/journal/recorded-call.ts'

test('headers of usual length are the same list', () => {
  const headers = ['Host', 'localhost', 'X-Long', 'x'.repeat(2_048)]
  expect(cutHeaders(headers)).toBe(headers)
})

test('a value is cut at 2 KiB, and says how long it was', () => {
  const [, , name, value] = cutHeaders(['Host', 'localhost', 'X-Long', 'é'.repeat(9_000)])
  expect([name, value]).toEqual(['X-Long', `${'é'.repeat(2_048)} [cut, 9000 characters]`])
})

test('a call keeps 16 KiB of headers, and says how many it left out', () => {
  const headers = Array.from({ length: 100 }, (_, index) => [`X-${index}`, 'x'.repeat(1_000)]).flat()
  const kept = cutHeaders(headers)
  expect(kept.slice(0, 32)).toEqual(headers.slice(0, 32))
  expect(kept.slice(32)).toEqual(['x-pet-mock-cut', '[84 more headers are not kept]'])
  expect(kept.join('').length).toBeLessThan(keptHeaders + 100)
})

test('a long name is cut, too', () => {
  expect(cutHeaders(['n'.repeat(3_000), 'v'])).toEqual([`${'n'.repeat(2_048)} [cut, 3000 characters]`, 'v'])
})

test('just enough stays whole', () => {
  const longest = Array.from({ length: 8 }, (_, index) => [`${index}`, 'x'.repeat(2_047)]).flat()
  expect(longest.join('')).toHaveLength(keptHeaders)
  expect(cutHeaders(longest)).toBe(longest)
  // With one more character it is cut behind the last header that fits.
  const kept = cutHeaders([...longest, 'Y', ''])
  expect(kept.slice(0, 16)).toEqual(longest)
  expect(kept.slice(16)).toEqual(['x-pet-mock-cut', '[1 more headers are not kept]'])
  const value = 'x'.repeat(2_048)
  expect(cutHeaders(['Cut', 'y'.repeat(2_049), 'Whole', value])[3]).toBe(value)
})
