import { expect, it } from 'vitest'
import { countUpTo, evenly } from '../../../src/service/pets/search.ts'

it.each([
  [10, 10, 20, 11, 0],
  [9, 10, 20, 11, 0],
  [15, 10, 20, 11, 5],
  [15.9, 10, 20, 11, 5],
  [20, 10, 20, 11, 10],
  [99, 10, 20, 11, 10],
  [15, 10, 20, 1, 0],
  [15, 10, 20, 0, 0],
  [15, 10, 10, 2, 1],
  [2n ** 63n - 3n, 2n ** 63n - 4n, 2n ** 63n - 2n, 11, 0],
])('%d among values from %d to %d, %i of them, has the index %i', (value, first, last, count, index) => {
  expect(evenly(value, first, last, count)).toBe(index)
})

const even = Array.from({ length: 1_000 }, (_, index) => index * 2)

it.each([
  ['at the guess', 500, 250, 3],
  ['beside the guess', 500, 249, 4],
  ['a bit below', 500, 255, 9],
  ['a bit above', 500, 245, 9],
  ['far away', 1_998, 0, 22],
  ['before all', -1, 500, 20],
  ['behind all', 9_999, 500, 22],
])('finds a value %s in a few looks', (_, value, guess, most) => {
  let looks = 0
  const at = (index: number) => {
    looks += 1
    return even[index] ?? expect.fail()
  }
  const expected = even.filter(each => each <= value).length
  expect(countUpTo(value, even.length, at, guess)).toBe(expected)
  expect(looks).toBeLessThanOrEqual(most)
})

it('finds nothing in an empty list', () => {
  expect(countUpTo(1, 0, () => expect.fail(), 0)).toBe(0)
})
