import { describe, expect, test } from 'vitest'
import { type Clock, clientInstant, readClock, startClock } from '../../../src/base/time/clock.ts'

const wall = 1_700_000_000_000

describe('a clock', () => {
  test('without an instant starts at the time of the wall and runs with it', () => {
    const clock = startClock({ at: undefined, scale: 1 }, wall)
    expect(readClock(clock, wall)).toBe(wall)
    expect(readClock(clock, wall + 1500)).toBe(wall + 1500)
  })

  test('with an instant starts there and runs', () => {
    const clock = startClock({ at: 5000, scale: 1 }, wall)
    expect(readClock(clock, wall)).toBe(5000)
    expect(readClock(clock, wall + 1500)).toBe(6500)
  })

  test.each([
    [0.0014, 5001],
    [0.0016, 5002],
  ])('is read in whole milliseconds, at scale %s', (scale, expected) => {
    expect(readClock(startClock({ at: 5000, scale }, wall), wall + 1000)).toBe(expected)
  })

  test('may start at the epoch', () => {
    expect(readClock(startClock({ at: 0, scale: 1 }, wall), wall)).toBe(0)
  })

  test('is advanced by assigning a later one', () => {
    const clock = startClock({ at: 5000, scale: 1 }, wall)
    const advanced: Clock = { ...clock, at: clock.at + 60_000 }
    expect(readClock(advanced, wall + 10)).toBe(65_010)
    expect(readClock(clock, wall + 10)).toBe(5010)
  })

  test('stands while it is frozen, and is advanced by exactly as much as was asked', () => {
    const clock = startClock({ at: 5000, scale: 0 }, wall)
    expect(readClock(clock, wall + 3_600_000)).toBe(5000)
    expect(readClock({ ...clock, at: clock.at + 60_000 }, wall + 3_600_000)).toBe(65_000)
  })

  test('is frozen where it stands and resumes from there', () => {
    const running = startClock({ at: 5000, scale: 1 }, wall)
    const frozen: Clock = { at: readClock(running, wall + 100), wall: wall + 100, scale: 0 }
    const resumed: Clock = { at: readClock(frozen, wall + 900), wall: wall + 900, scale: 1 }
    expect(readClock(frozen, wall + 900)).toBe(5100)
    expect(readClock(resumed, wall + 1000)).toBe(5200)
  })

  test.each([
    [30, 30_000],
    [0.5, 500],
  ])('that is scaled by %s runs %s ms in a second', (scale, ms) => {
    expect(readClock(startClock({ at: 5000, scale }, wall), wall + 1000)).toBe(5000 + ms)
  })
})

describe('an instant is shown', () => {
  test.each([
    ['as it is on a running clock', 1, 65_000, 65_000],
    ['as it is on a frozen clock', 0, 65_000, 65_000],
    ['in the time of the wall on a scaled clock', 30, 65_000, wall + 2000],
    ['in the time of the wall on a slow clock', 0.5, 65_000, wall + 120_000],
    ['though it is past', 30, 2000, wall - 100],
  ])('%s', (_, scale, instant, told) => {
    expect(clientInstant(startClock({ at: 5000, scale }, wall), instant)).toBe(told)
  })

  test('so that a scaled clock reads it when the client gets there', () => {
    const clock = startClock({ at: 5000, scale: 30 }, wall)
    expect(readClock(clock, clientInstant(clock, 65_000))).toBe(65_000)
  })
})
