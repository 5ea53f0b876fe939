import { expect, test } from 'vitest'
import { readPlace, writePlace } from '../../src/dashboard/state/place.ts'

test.each([
  ['', { part: '', rest: [], query: {} }],
  ['#/', { part: '', rest: [], query: {} }],
  ['#/requests', { part: 'requests', rest: [], query: {} }],
  [
    '#/requests/17?status=4xx&q=a%20b',
    { part: 'requests', rest: ['17'], query: { status: '4xx', q: 'a b' } },
  ],
  ['#/requests?q=a?b%26c', { part: 'requests', rest: [], query: { q: 'a?b&c' } }],
  ['#/keys/demo%2Ffree', { part: 'keys', rest: ['demo/free'], query: {} }],
  ['#/100%', { part: '100%', rest: [], query: {} }],
])('%s is a place', (hash, place) => {
  expect(readPlace(hash)).toEqual(place)
  expect(readPlace(writePlace(place))).toEqual(place)
})
