import { expect, it } from 'vitest'
import { BoundedMap } from '../../src/base/bounded-map.ts'

it('keeps the entries that were set last', () => {
  const map = new BoundedMap<string, number>(2)
  map.set('a', 5).set('b', 6)
  expect([...map]).toEqual([
    ['a', 5],
    ['b', 6],
  ])
  // An entry that is set again is the newest.
  map.set('a', 3).set('c', 7)
  expect([...map]).toEqual([
    ['a', 3],
    ['c', 7],
  ])
  expect(map.dropped).toBe(1)
})
