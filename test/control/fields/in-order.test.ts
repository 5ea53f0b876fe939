import { expect, test } from 'vitest'
import { inOrder } from '../../../src/control/fields/in-order.ts'

test('many problems in one map are sorted in a moment', () => {
  const names = Array.from({ length: 10_000 }, (_, n) => `k${n}`)
  const keys = Object.fromEntries(names.map(name => [name, 5]))
  const problems = names.map(name => ({ path: ['keys', name], message: 'wrong' })).toReversed()
  const startedAt = performance.now()
  const sorted = inOrder({ keys }, problems)
  // Finding every name anew took many seconds.
  expect(performance.now() - startedAt).toBeLessThan(2_000)
  expect(sorted.map(({ path }) => path[1])).toEqual(names)
})

test('problems are in the order of their places, and what is missing comes last', () => {
  const value = { b: null, text: 'abc', a: [{ x: 1 }, 5] }
  const paths = [['missing'], ['a', 1, 'x'], ['a', 1], ['a', 0, 'x'], ['text', 'x'], ['a'], ['b', 'x'], []]
  const problems = paths.map(path => ({ path, message: 'wrong' }))
  expect(inOrder(value, problems).map(({ path }) => path)).toEqual([
    [],
    ['b', 'x'],
    ['text', 'x'],
    ['a'],
    ['a', 0, 'x'],
    ['a', 1],
    ['a', 1, 'x'],
    ['missing'],
  ])
})
