import { describe, expect, test } from 'vitest'
import { draw, fork, pickAt, placeOf } from '../../../src/base/random/random.ts'

// Written down once: what a seed gives must be the same on every machine and in every later version.
test.each<[seed: number, n: number, expected: number]>([
  [0, 0, 0.49817826179787517],
  [0, 1, 0.34212339180521667],
  [7, 0, 0.08679795265197754],
  [7, 2 ** 40, 0.25118492520414293],
  [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, 0.8424220501910895],
])('draw(%s, %s)', (seed, n, expected) => {
  expect(draw(seed, n)).toBe(expected)
})

test.each<[seed: number, purpose: string, expected: number]>([
  [0, '', 3385628684],
  [7, 'names', 3719089024],
  [7, 'rule: Übung 🐶', 2720532479],
  [Number.MAX_SAFE_INTEGER, 'names', 1032709230],
])('fork(%s, %j)', (seed, purpose, expected) => {
  expect(fork(seed, purpose)).toBe(expected)
})

test('a fork is a seed of 32 bits, and each purpose and each of 53 bits of the seed has its own', () => {
  const seeds = [0, ...Array.from({ length: 53 }, (_, bit) => 2 ** bit)]
  const purposes = ['', 'a', 'b', 'ab', 'ba', 'aa', 'a\0', '\0', 'A']
  const forks = seeds.flatMap(seed => purposes.map(purpose => fork(seed, purpose)))
  expect(forks.every(value => Number.isInteger(value) && value >= 0 && value < 2 ** 32)).toBe(true)
  expect(new Set(forks).size).toBe(forks.length)
})

test('two forks are not one fork', () => {
  expect(fork(fork(7, 'a'), 'b')).not.toBe(fork(7, 'ab'))
})

describe('pickAt', () => {
  test('takes each of a list about equally often', () => {
    const counts = new Map<string, number>()
    for (let n = 0; n < 30_000; n++) {
      const pet = pickAt(placeOf(n), 7, ['Rex', 'Bella', 'Milo'] as const)
      counts.set(pet, (counts.get(pet) ?? 0) + 1)
    }
    expect(counts.size).toBe(3)
    for (const count of counts.values()) expect(Math.abs(count - 10_000)).toBeLessThan(300)
  })

  test('takes undefined too, where that is in the list', () => {
    expect(pickAt(placeOf(0), 7, [undefined])).toBe(undefined)
  })

  test('throws on an empty list', () => {
    expect(() => pickAt(placeOf(0), 7, [])).toThrow(RangeError)
  })
})
