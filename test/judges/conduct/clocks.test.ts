import { describe, expect, test } from 'vitest'
import type { ScenarioFile } from '../../../src/control/scenario/file.ts'
import { fly, idsOf, type Pilot } from '../../support/flights.ts'
import { unjudgedTexts } from '../../support/reports.ts'

const usedUp = (clock: ScenarioFile['clock']): ScenarioFile => ({
  clock,
  keys: { 'demo-free': { plan: 'free', used: { minute: 60, day: 60 } } },
})

const idsAndNotes = (clock: ScenarioFile['clock'], flight: (pilot: Pilot) => void) => {
  const report = fly(usedUp(clock), flight)
  return {
    ids: idsOf(report).filter(id => id !== 'quota-peak'),
    notes: unjudgedTexts(report).filter(note => note.includes('the clock of pet-mock')),
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
  // Seconds of Retry-After are right on every clock that runs.
  test.each<[name: string, clock: ScenarioFile['clock']]>([
    ['in the past', past],
    ['in the far future', future],
  ])('is found on a clock %s', (_, clock) => {
    const { ids, notes } = idsAndNotes(clock, byReset)
    expect(ids.filter(id => /early|ban|limited/.test(id))).toEqual([
      'banned',
      expect.stringMatching(/^call-during-ban ×/),
      expect.stringMatching(/^early-retry ×/),
    ])
    expect(notes).toEqual([])
  })

  test.each<[name: string, clock: ScenarioFile['clock'], limits: ScenarioFile['limits'], note: RegExp]>([
    ['that is frozen in the past', { ...past, frozen: true }, {}, /^\d+ calls? .* was frozen/],
    ['in the past that sends dates', past, { retryAfter: 'http-date' }, /^\d+ calls? .* far from real time/],
  ])('is not judged on a clock %s', (_, clock, limits, note) => {
    const report = fly({ ...usedUp(clock), limits }, byReset)
    expect(idsOf(report).filter(id => /early|ban|limited/.test(id))).toEqual([])
    expect(unjudgedTexts(report)).toEqual([expect.stringMatching(note)])
    expect(report.unjudged).toMatchObject([
      { checks: ['early-retry', 'call-during-ban', 'called-while-limited', 'banned'] },
    ])
  })
})

test('twelve hammering calls are found at midnight, which is long ago', () => {
  const { ids } = idsAndNotes({ at: '2026-03-01T23:59:40Z' }, ({ repeat, call }) => repeat(12, call, 5))
  expect(ids).toEqual(['banned', 'call-during-ban ×2', 'early-retry ×9', 'no-backoff ×8'])
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
    const report = fly(usedUp(clock), byReset)
    const { findings } = report
    const early = findings.find(({ id }) => id === 'early-retry')
    expect(early?.evidence[0]?.detail).toContain('X-RateLimit-Reset was over by the clock of the client')
    expect(findings.map(({ id }) => id)).toContain('banned')
    expect(unjudgedTexts(report)).toEqual([])
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
