import { describe, expect, test } from 'vitest'
import type { ScenarioFile } from '../../../src/control/scenario/file.ts'
import { fly, idsOf, type Pilot } from '../../support/flights.ts'

const usedUp = (clock: ScenarioFile['clock']): ScenarioFile => ({
  clock,
  keys: { 'demo-free': { plan: 'free', used: { minute: 60, day: 60 } } },
})

const idsAndNotes = (clock: ScenarioFile['clock'], flight: (pilot: Pilot) => void) => {
  const report = fly(usedUp(clock), flight)
  return {
    ids: idsOf(report).filter(id => id !== 'quota-peak'),
    notes: report.notes.filter(note => note.includes('the clock of pet-mock')),
  }
}

const frozen = { at: '2026-03-02T12:00:00.250Z', frozen: true } as const
const past = { at: '2025-03-02T12:00:00Z' } as const
const future = { at: '2030-12-01T12:00:00Z' } as const

/** A client that waits until X-RateLimit-Reset by its own clock, which shows 2026. Node's timers end at once if they are too long. */
const byReset = ({ send, wait }: Pilot) => {
  for (let made = 0; made < 15; made += 1) {
    const reset = Number(send().headers['X-RateLimit-Reset']) * 1_000
    const ms = reset - Date.UTC(2026, 2, 2, 12)
    wait(ms < 1 || ms > 2 ** 31 - 1 ? 1 : ms)
  }
}

describe('a client that compares X-RateLimit-Reset with its own clock', () => {
  test.each<[name: string, clock: ScenarioFile['clock'], note: RegExp]>([
    ['in the past', past, /^Not judged \(\d+ calls?\): the clock of pet-mock was far from real time/],
    ['in the far future', future, /^Not judged \(\d+ calls?\): the clock of pet-mock was far from real time/],
  ])('has no error on a clock %s, and a note says why', (_, clock, note) => {
    const { ids, notes } = idsAndNotes(clock, byReset)
    expect(ids.filter(id => /early|ban|limited/.test(id))).toEqual([])
    expect(notes).toEqual([expect.stringMatching(note)])
  })
})

describe('on a clock that the scenario sets off', () => {
  const clocks: readonly (readonly [string, ScenarioFile['clock'], number])[] = [
    ['behind', { at: null, offset: '-3m' }, 60_000],
    ['behind, 30 times as fast', { at: null, offset: '-3m', scale: 30 }, 2_000],
    ['ahead', { at: null, offset: '3m' }, 60_000],
    ['ahead, 30 times as fast', { at: null, offset: '3m', scale: 30 }, 2_000],
  ]

  test.each(clocks)(
    'a client that waits as long as Retry-After says has no finding: %s',
    (_, clock, length) => {
      const { ids, notes } = idsAndNotes(clock, ({ call, wait }) => [call(), wait(length), call()])
      expect([ids, notes]).toEqual([[], []])
    },
  )

  test.each(clocks)('so has one that counts from Date to X-RateLimit-Reset: %s', (_, clock) => {
    const { ids, notes } = idsAndNotes(clock, ({ send, call, wait }) => {
      const { headers } = send()
      wait(Number(headers['X-RateLimit-Reset']) * 1_000 - Date.parse(headers.Date ?? ''))
      call()
    })
    expect([ids, notes]).toEqual([[], []])
  })

  test.each(clocks)('a client that retries at once is found: %s', (_, clock) => {
    const { ids, notes } = idsAndNotes(clock, ({ call, wait }) => [call(), wait(1_000), call()])
    expect([ids, notes]).toEqual([['early-retry'], []])
  })

  test.each(clocks.slice(0, 2))('so is one that trusts its own clock: %s', (_, clock) => {
    const { findings, notes } = fly(usedUp(clock), byReset)
    const early = findings.find(({ id }) => id === 'early-retry')
    expect(early?.evidence[0]?.detail).toContain('X-RateLimit-Reset was over by the clock of the client')
    expect(findings.map(({ id }) => id)).toContain('banned')
    expect(notes.filter(note => note.includes('the clock of pet-mock'))).toEqual([])
  })

  test('a test that moves such a clock accuses nobody who trusts its own', () => {
    const { ids, notes } = idsAndNotes({ at: null, offset: '3m' }, pilot => {
      pilot.change({ do: 'freezeClock' })
      pilot.change({ do: 'resumeClock' })
      pilot.wait(600_000)
      pilot.change({ do: 'freezeClock' })
      pilot.wait(6_000_000)
      pilot.change({ do: 'resumeClock' })
      byReset(pilot)
    })
    expect(ids.filter(id => /early|ban|limited/.test(id))).toEqual([])
    expect(notes).toHaveLength(1)
  })
})

test('a client that waits rightly on a frozen clock has no finding, although the key is banned in the end', () => {
  const { ids, notes } = idsAndNotes(frozen, ({ repeat, call }) => repeat(14, call, 60_000))
  expect(ids.filter(id => id !== 'no-backoff')).toEqual([])
  expect(ids).toEqual([])
  expect(notes).toEqual([expect.stringContaining('was frozen')])
})

test.each<[name: string, clock: ScenarioFile['clock']]>([
  ['that is frozen', frozen],
  ['that is an hour ahead', { at: '2026-03-02T13:00:00Z' }],
  ['30 times as fast', { at: '2026-03-02T12:00:00.250Z', scale: 30 }],
])('a retry too early by every clock is found on one %s', (_, clock) => {
  const { ids } = idsAndNotes(clock, ({ call, wait }) => [call(), wait(700), call()])
  expect(ids).toEqual(['early-retry'])
})

test('the chart shows a ban from its first second on, not from the refusal before it', () => {
  const { flights } = fly(usedUp({ at: '2026-03-02T12:00:00.250Z' }), ({ repeat, call }) =>
    repeat(12, call, 1_000),
  )
  const [{ spans = [] } = {}] = flights
  const seconds = spans.map(({ kind, from, to }) => [kind, from % 60_000, to - from])
  expect(seconds).toEqual([
    ['wait', 250, 9_000],
    ['ban', 9_250, 299_750],
  ])
})
