import { expect, it } from 'vitest'
import { DroppedSandboxes } from '../../../src/emulator/worlds/sandboxes.ts'

it('remembers the ids of the last sandboxes that were dropped', () => {
  const dropped = new DroppedSandboxes(2)
  dropped.remember('a', 5)
  dropped.remember('b', 6)
  expect([...dropped.nextIds]).toEqual([
    ['a', 5],
    ['b', 6],
  ])
  // The greater id, and as the last one.
  dropped.remember('a', 3)
  dropped.remember('c', 7)
  expect([...dropped.nextIds]).toEqual([
    ['a', 5],
    ['c', 7],
  ])
  expect([dropped.take('a'), dropped.take('a'), dropped.take('b')]).toEqual([5, undefined, undefined])
})
