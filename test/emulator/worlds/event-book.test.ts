import { expect, it } from 'vitest'
import { EventBook } from '../../../src/emulator/worlds/event-book.ts'
import type { ScenarioEvent } from '../../../src/emulator/worlds/scenario.ts'

const start = 1_000_000

const banning = (key: string): ScenarioEvent['change'] => ({ do: 'banKey', key })
const afterCalls = (calls: number, key?: string): ScenarioEvent => ({
  after: { calls },
  key,
  change: banning(`after ${calls}`),
})
const afterMs = (ms: number): ScenarioEvent => ({
  after: { ms },
  key: undefined,
  change: banning(`at ${ms}`),
})
const deleting = (id: bigint): ScenarioEvent => ({
  after: { calls: 1 },
  key: undefined,
  change: { do: 'deletePet', id },
})

it.each<
  [
    what: string,
    events: readonly ScenarioEvent[],
    calls: readonly (readonly [string | undefined, number])[],
    happened: readonly number[],
  ]
>([
  ['at once', [afterCalls(0)], [['a', 0]], [0]],
  [
    'after two calls',
    [afterCalls(2)],
    [
      ['a', 0],
      ['b', 0],
      [undefined, 0],
      ['a', 0],
    ],
    [2],
  ],
  [
    'after two calls of a key',
    [afterCalls(2, 'a')],
    [
      ['a', 0],
      ['b', 0],
      ['a', 0],
      ['b', 0],
      ['a', 0],
    ],
    [3],
  ],
  [
    'after two calls of a key, to which calls without a key do not belong',
    [afterCalls(2, 'a')],
    [
      [undefined, 0],
      ['a', 0],
      [undefined, 0],
      [undefined, 0],
      ['a', 0],
      [undefined, 0],
    ],
    [5],
  ],
  [
    'after a time',
    [afterMs(5)],
    [
      ['a', 0],
      ['a', 4],
      ['a', 5],
      ['a', 6],
    ],
    [2],
  ],
])('an event %s happens once, before the call that is next', (_, events, calls, happened) => {
  const book = new EventBook(events, start)
  const taken = calls.map(([key, ms]) => book.take(key, start + ms))
  expect(taken.flatMap((due, index) => due.map(() => index))).toEqual(happened)
  expect([book.size, book.isWaiting]).toEqual([1, false])
})

it('waits while an event can still happen', () => {
  const book = new EventBook([afterCalls(0), afterMs(5)], start)
  expect(book.isWaiting).toBe(true)
  expect(book.take('a', start)).toEqual([afterCalls(0)])
  expect(book.isWaiting).toBe(true)
  expect(new EventBook([], start).isWaiting).toBe(false)
})

it('happen in the order of the scenario', () => {
  const events = [afterMs(5), afterCalls(0), afterMs(3)]
  expect(new EventBook(events, start).take('a', start + 9)).toEqual(events)
})

it('keeps the counts of events that stay the same', () => {
  const book = new EventBook([afterCalls(2), afterCalls(2), deleting(2n ** 60n), afterMs(5)], start)
  book.take('a', start)
  book.take('a', start + 1)
  const saved = book.save()
  expect(saved).toEqual([
    { since: start, calls: 2, happened: false },
    { since: start, calls: 2, happened: false },
    { since: start, calls: 1, happened: true },
    { since: start, calls: 2, happened: false },
  ])
  // Another order, one of two twins gone, a new one, and one that differs in its id alone.
  const events = [afterMs(5), deleting(2n ** 60n + 1n), deleting(2n ** 60n), afterCalls(2), afterMs(7)]
  book.replace(events, start + 9)
  const fresh = { since: start + 9, calls: 0, happened: false }
  expect(book.save()).toEqual([saved[3], fresh, saved[2], saved[0], fresh])
  expect(book.take('a', start + 9)).toEqual([afterMs(5), afterCalls(2)])
  expect(EventBook.restore(events, book.save(), 0).save()).toEqual(book.save())
})

it('starts an event anew that comes a second time', () => {
  const book = new EventBook([afterCalls(1)], start)
  book.take('a', start)
  book.replace([afterCalls(1), afterCalls(1)], start + 1)
  expect(book.save().map(({ calls }) => calls)).toEqual([1, 0])
})

it('moves back with the clock only if it came later than the time to which the clock is set', () => {
  const book = new EventBook([afterMs(5)], start)
  book.replace([afterMs(5), afterMs(6)], start + 3)
  book.replace([afterMs(5), afterMs(6), afterMs(7)], start + 4)
  book.moveBack(2, start + 3)
  expect(book.save().map(({ since }) => since - start)).toEqual([0, 3, 2])
})
