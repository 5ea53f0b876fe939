import { expect, test } from 'vitest'
import { createPace } from '../../src/dashboard/state/pace.ts'

/** The pause after each event, with this many new calls in each tenth of a second. */
function pausesAt(callsPerEvent: readonly number[]): readonly number[] {
  const { rhythm, countCalls } = createPace()
  let calls = 0
  return callsPerEvent.map((more, index) => {
    calls += more
    countCalls(calls, index * 100)
    return rhythm().pauseMs
  })
}

test.for([
  ['no calls', 0, 250],
  ['90 calls a tenth of a second', 90, 250],
  ['110 calls a tenth of a second', 110, 1_000],
] as const)('%s: the page looks every %3$s ms', ([, calls, pauseMs]) => {
  expect(pausesAt(Array(21).fill(calls)).at(-1)).toBe(pauseMs)
})

test('after a rush, the page looks often again', () => {
  const pauses = pausesAt([...Array(21).fill(5_000), ...Array(21).fill(1)])
  expect(pauses[20]).toBe(1_000)
  expect(pauses.at(-1)).toBe(250)
})
