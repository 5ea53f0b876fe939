import { describe, expect, it } from 'vitest'
import type { Command, ScenarioFile } from '../../src/control/scenario/file.ts'
import { restoreSandboxes } from '../../src/control/snapshot/restore.ts'
import { captureSandboxes, writeSandboxes } from '../../src/control/snapshot/take.ts'
import { createEmulator } from '../../src/emulator/emulator.ts'
import { changing } from '../support/changes.ts'
import { scenarioOf } from '../support/scenarios.ts'

const noon = Date.parse('2026-03-02T12:00:00Z')
const hour = 3_600_000

/** An emulator whose calls come at the times that a test says. */
function emulate(file: ScenarioFile = {}, startedAt = noon, steady?: () => number) {
  const notices: string[] = []
  const emulator = createEmulator({
    scenario: scenarioOf({ clock: {}, ...file }),
    startedAt,
    ...(steady !== undefined && { steady }),
    onNotice: text => notices.push(text),
  })
  const call = (receivedAt: number, key = 'demo-free') => {
    const headers = ['Host', 'localhost', 'Authorization', `Bearer ${key}`]
    const target = '/v1/pets?limit=1'
    const request = { method: 'GET', target, headers, body: undefined, scheme: 'http', client: '1' } as const
    const { status, headers: sent } = emulator.handle({ ...request, receivedAt })
    return { status, wait: sent['Retry-After'], date: sent.Date }
  }
  /** Uses up the minute of a key. */
  const exhaust = (receivedAt: number, key?: string) => {
    for (let count = 0; count < 60; count += 1) expect(call(receivedAt, key).status).toBe(200)
  }
  const apply = changing(emulator)
  /** As doors do it. */
  const change = (command: Command, sandbox: string | undefined, now: number) => {
    emulator.sandboxes.time.note(now)
    return apply(command, sandbox, now)
  }
  return { emulator, notices, call, exhaust, change }
}

const date = (at: number) => new Date(at).toUTCString()

describe('a system clock that goes back', () => {
  it('by two hours does not take the clock with it, and is reported once', () => {
    const { notices, call, exhaust } = emulate()
    exhaust(noon)
    expect(call(noon + 10_000)).toEqual({ status: 429, wait: '50', date: date(noon + 10_000) })
    expect(call(noon + 20_000 - 2 * hour).wait).toBe('50')
    expect(call(noon + 30_000 - 2 * hour)).toEqual({ status: 429, wait: '40', date: date(noon + 20_000) })
    expect(call(noon + 70_000 - 2 * hour)).toEqual({
      status: 200,
      wait: undefined,
      date: date(noon + 60_000),
    })
    expect(notices).toEqual([
      `The system's clock went back by 2h. The clock of pet-mock runs on from 2026-03-02T12:00:10Z. To follow the system's clock again: pet-mock clock reset --sandbox '*'`,
    ])
  })

  it('by a second at most takes the clock with it, however often', () => {
    const { notices, call } = emulate()
    expect(call(noon + 10_000).date).toBe(date(noon + 10_000))
    expect(call(noon + 9_000).date).toBe(date(noon + 9_000))
    expect(call(noon + 9_000).date).toBe(date(noon + 9_000))
    expect(notices).toEqual([])
    // From the latest time: small steps do not add up.
    expect(call(noon + 8_999).date).toBe(date(noon + 10_000))
    expect(notices).toHaveLength(1)
  })

  it.each([
    [1_001, '1s'],
    [65_000, '65s'],
    [600_000, '10m'],
    [629_000, '10m'],
    [631_000, '11m'],
  ])('by %d ms is reported as %s', (ms, shown) => {
    const { notices, call } = emulate()
    call(noon - ms)
    expect(notices).toEqual([expect.stringContaining(`went back by ${shown}. `)])
  })

  it('does not matter to clocks that stand', () => {
    const { notices, call } = emulate({ clock: { at: '2026-03-02T12:00:00Z', frozen: true } })
    expect([call(noon).date, call(noon - hour).date, notices]).toEqual([date(noon), date(noon), []])
  })

  it('is held in each sandbox, at its own speed, and reported once', () => {
    const { emulator, notices, call, change } = emulate()
    call(noon, 'demo-free+fast')
    change({ do: 'resumeClock', scale: 60 }, 'fast', noon)
    call(noon, 'demo-free+still')
    change({ do: 'freezeClock' }, 'still', noon)
    call(noon + 10_000)
    const dates = () => ['demo-free', 'demo-free+still'].map(key => call(noon - hour, key).date)
    expect(dates()).toEqual([date(noon + 10_000), date(noon)])
    expect(emulator.sandboxes.get('fast')?.clock).toEqual({
      at: noon + 600_000,
      wall: noon - hour,
      scale: 60,
    })
    expect(notices).toHaveLength(1)
  })

  it('is held for commands, too', () => {
    const { call, change } = emulate()
    call(noon + 10_000)
    expect(change({ do: 'banKey', key: 'demo-pro', for: '60s' }, undefined, noon - hour).ok).toBe(true)
    expect(call(noon - hour + 10_000, 'demo-pro')).toMatchObject({ status: 429, wait: '50' })
  })

  it('is followed after a reset of the clock', () => {
    const { notices, call, exhaust, change } = emulate()
    exhaust(noon)
    expect(call(noon - hour).status).toBe(429)
    change({ do: 'resetClock' }, '*', noon - hour)
    expect(call(noon - hour + 1_000)).toEqual({
      status: 200,
      wait: undefined,
      date: date(noon - hour + 1_000),
    })
    expect(notices).toHaveLength(1)
  })
})

describe('a system clock that goes back and returns', () => {
  const day = 24 * hour
  /** Calls come at a time that has passed since noon, while the system's clock is wrong by some milliseconds. */
  function emulateSteadily(file?: ScenarioFile) {
    let passed = 0
    const emulated = emulate(file, noon, () => passed)
    const at = (ms: number, wrongBy: number, key?: string) => {
      passed = ms
      return emulated.call(noon + ms + wrongBy, key)
    }
    return { ...emulated, at }
  }

  it('by a day takes the clock with it, and says so', () => {
    const { notices, at } = emulateSteadily()
    expect(at(10_000, 0).date).toBe(date(noon + 10_000))
    expect(at(20_000, -day).date).toBe(date(noon + 10_000))
    expect(at(50_000, -day).date).toBe(date(noon + 40_000))
    expect(at(60_000, 0).date).toBe(date(noon + 60_000))
    expect(at(90_000, 0).date).toBe(date(noon + 90_000))
    expect(notices.slice(1)).toEqual([
      "The system's clock returned. The clock of pet-mock follows it from 2026-03-02T12:01:00Z.",
    ])
  })

  it.each([
    [1_000, noon + 59_000],
    [1_001, noon + hour + 58_999],
  ])('to within %d ms of its time takes the clock with it, if that is a second at most', (short, shown) => {
    const { at } = emulateSteadily()
    at(20_000, 0)
    at(20_000, -hour)
    // A clock that does not return follows the jump.
    expect(at(60_000, -short).date).toBe(date(shown))
  })

  it('by a second at most is no return, however little is left', () => {
    const { notices, at } = emulateSteadily()
    expect(at(0, -1_500).date).toBe(date(noon))
    expect(at(0, -500).date).toBe(date(noon + 1_000))
    expect(notices).toHaveLength(1)
  })

  it('does not matter to clocks that stand', () => {
    const { notices, at } = emulateSteadily({ clock: { at: '2026-03-02T12:00:00Z', frozen: true } })
    expect([0, -day, 0].map(wrongBy => at(1_000, wrongBy).date)).toEqual([date(noon), date(noon), date(noon)])
    expect(notices).toEqual([])
  })

  it('is not reported if each clock was reset before', () => {
    const { notices, at, change } = emulateSteadily()
    at(10_000, -day)
    change({ do: 'resetClock' }, '*', noon - day + 10_000)
    expect(at(20_000, 0).date).toBe(date(noon + 20_000))
    expect(notices).toHaveLength(1)
  })

  it('twice takes the clock with it twice, also if a sandbox came in between', () => {
    const { notices, at } = emulateSteadily()
    at(10_000, -day)
    at(10_000, -day, 'demo-free+new')
    expect(at(20_000, 0).date).toBe(date(noon + 20_000))
    expect(at(30_000, -hour).date).toBe(date(noon + 20_000))
    expect(at(40_000, -hour).date).toBe(date(noon + 30_000))
    expect(at(50_000, 0).date).toBe(date(noon + 50_000))
    expect(notices.map(text => text.split('. ')[0])).toEqual([
      "The system's clock went back by 1d",
      "The system's clock returned",
      "The system's clock went back by 1h",
      "The system's clock returned",
    ])
  })

  it('is seen by an emulator that goes on from there', () => {
    const { emulator, at } = emulateSteadily()
    at(10_000, 0)
    at(20_000, -day)
    const other = emulateSteadily()
    const { sandboxes } = other.emulator
    sandboxes.keep(emulator.sandboxes.default)
    sandboxes.time.state = emulator.sandboxes.time.state
    expect(other.at(50_000, -day).date).toBe(date(noon + 40_000))
    expect(other.at(60_000, 0).date).toBe(date(noon + 60_000))
    expect(other.notices).toEqual([expect.stringContaining("The system's clock returned. ")])
  })

  it('keeps the offset that the scenario gives to the clock', () => {
    const { emulator, at } = emulateSteadily({ clock: { offset: '3m' } })
    const skews: unknown[] = []
    emulator.observe(({ skewMs }) => skews.push(skewMs))
    at(10_000, 0)
    at(20_000, -day)
    expect(at(60_000, 0).date).toBe(date(noon + 60_000 + 180_000))
    expect(skews).toEqual([180_000, 180_000, 180_000])
  })

  it('in two steps takes the clock with it at the second, and no clock goes back', () => {
    const { at } = emulateSteadily()
    expect(at(0, -2 * hour).date).toBe(date(noon))
    expect(at(1_000, -hour).date).toBe(date(noon + hour + 1_000))
    expect(at(2_000, 0).date).toBe(date(noon + hour + 1_000))
    expect(at(3_000, 0).date).toBe(date(noon + hour + 2_000))
  })

  it('is not seen in a long pause between two calls', () => {
    const { notices, at } = emulateSteadily()
    expect(at(0, -2_000).date).toBe(date(noon))
    expect(at(60_000, -2_000).date).toBe(date(noon + 60_000))
    expect(notices).toHaveLength(1)
  })

  it('takes fast clocks with it at their speed, and leaves those that stand, were reset or are new', () => {
    const { emulator, at, call, change } = emulateSteadily()
    at(0, 0, 'demo-free+fast')
    change({ do: 'resumeClock', scale: 60 }, 'fast', noon)
    at(0, 0, 'demo-free+still')
    change({ do: 'freezeClock' }, 'still', noon)
    at(0, 0, 'demo-free+reset')
    at(10_000, -day)
    change({ do: 'resetClock' }, 'reset', noon - day + 10_000)
    call(noon - day + 10_000, 'demo-free+new')
    const dates = (ms: number) =>
      ['', '+fast', '+still', '+reset', '+new'].map(suffix => at(ms, 0, `demo-free${suffix}`).date)
    const own = date(noon + 20_000)
    expect(dates(20_000)).toEqual([own, own, date(noon), own, own])
    expect(emulator.sandboxes.get('fast')?.clock).toEqual({
      at: noon + 1_200_000,
      wall: noon + 20_000,
      scale: 60,
    })
  })
})

describe('a system clock that goes forward', () => {
  it.each([1_000, 2 * hour, 40 * 24 * hour])('by %d ms takes the clock with it', ms => {
    const { notices, call, exhaust } = emulate()
    exhaust(noon)
    expect(call(noon + ms)).toMatchObject({ status: ms < 60_000 ? 429 : 200, date: date(noon + ms) })
    expect(notices).toEqual([])
  })

  it('is followed after it went back', () => {
    const { notices, call } = emulate()
    call(noon)
    call(noon - hour)
    expect(call(noon - hour + 2 * hour).date).toBe(date(noon + 2 * hour))
    expect(notices).toHaveLength(1)
  })
})

describe('a call before its window', () => {
  /** Restored by a machine whose clock is behind that of the machine that saved it. */
  function restored(behindMs: number) {
    const { emulator, exhaust, call } = emulate()
    exhaust(noon + 20_000)
    call(noon + 25_000, 'unknown')
    const saved = JSON.parse([...writeSandboxes(captureSandboxes(emulator.sandboxes))].join(''))
    const other = emulate({}, noon - hour * 3)
    other.emulator.sandboxes.replaceAll(...restoreSandboxes(saved))
    return { ...other, at: noon + 20_000 - behindMs }
  }

  it('of a key runs its clock on from the window', () => {
    const { notices, call, at } = restored(2 * hour)
    expect(call(at)).toEqual({ status: 429, wait: '60', date: date(noon + 20_000) })
    expect(call(at + 59_000)).toMatchObject({ status: 429, wait: '1' })
    expect(call(at + 60_000).status).toBe(200)
    expect(notices).toEqual([
      `The system's clock is 2h behind a window of pet-mock. The clock of pet-mock runs on from 2026-03-02T12:00:20Z. To follow the system's clock again: pet-mock clock reset --sandbox '*'`,
    ])
  })

  it('of a caller without a valid key does, too', () => {
    const { call, at } = restored(2 * hour)
    expect(call(at, 'unknown')).toEqual({ status: 401, wait: undefined, date: date(noon + 25_000) })
  })

  it.each([
    ['minute', 10_000, 5_000],
    ['day', 5_000, 10_000],
  ])('runs its clock on from the one that opens last, of the %s', (_, minute, day) => {
    const { emulator, call } = emulate()
    const windows = emulator.sandboxes.default.keys.get('demo-free')?.windows
    if (windows === undefined) return expect.fail()
    windows.minute.opensAt = noon + minute
    windows.day.opensAt = noon + day
    expect(call(noon).date).toBe(date(noon + 10_000))
  })

  it('by a second at most follows the system', () => {
    const { notices, call, at } = restored(1_000)
    expect(call(at)).toEqual({ status: 429, wait: '61', date: date(noon + 19_000) })
    expect(notices).toEqual([])
  })
})
