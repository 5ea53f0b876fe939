import { describe, expect, test } from 'vitest'
import type { ScenarioFile } from '../../../src/control/scenario/file.ts'
import { fly, idsOf, type Pilot } from '../../support/flights.ts'

/** The minute is used up; it began with the first call. */
const usedUp: ScenarioFile = { keys: { 'demo-free': { plan: 'free', used: { minute: 60, day: 60 } } } }
const noBans: ScenarioFile = { ...usedUp, bans: 'off' }

type Row = readonly [
  what: string,
  scenario: ScenarioFile,
  flight: (pilot: Pilot) => void,
  found: readonly string[],
]

/** Beside the quota, which is at its peak in all of these. */
const found = (row: Row) => idsOf(fly(row[1], row[2])).filter(id => !id.startsWith('quota-peak'))

describe('a client that waits has no finding', () => {
  test.each<Row>([
    ['seconds of Retry-After', usedUp, ({ call, wait }) => [call(), wait(60_000), call()], []],
    [
      'until X-RateLimit-Reset, 250 ms earlier',
      usedUp,
      ({ call, wait }) => [call(), wait(59_750), call()],
      [],
    ],
    ['a timer that fires 100 ms early', usedUp, ({ call, wait }) => [call(), wait(59_650), call()], []],
    [
      'an http-date',
      { ...usedUp, limits: { retryAfter: 'http-date' } },
      ({ call, wait }) => [call(), wait(59_750), call()],
      [],
    ],
    [
      'on a frozen clock, by its own time',
      { ...usedUp, clock: { at: '2026-03-02T12:00:00Z', frozen: true } },
      ({ call, wait }) => [call(), wait(60_000), call(), wait(60_000), call()],
      [],
    ],
    [
      'on a frozen clock that is moved, without waiting',
      { ...usedUp, clock: { at: '2026-03-02T12:00:00Z', frozen: true } },
      ({ call, change }) => [call(), change({ do: 'advanceClock', by: '60s' }), call()],
      [],
    ],
    [
      'on a clock 30 times as fast, two of its own seconds',
      { ...usedUp, clock: { at: '2026-03-02T12:00:00Z', scale: 30 } },
      ({ call, wait }) => [call(), wait(2_000), call()],
      [],
    ],
    ['a sandbox that restarts', usedUp, ({ call, change }) => [call(), change({ do: 'reset' }), call()], []],
    [
      'a ban that the scenario starts with, before any refusal',
      { keys: { 'demo-free': { plan: 'free', banned: '90s' } } },
      ({ call, wait }) => [call(), wait(90_000), call()],
      [],
    ],
    [
      'the last strike, after those that the scenario starts with',
      { keys: { 'demo-free': { plan: 'free', used: { minute: 60 }, strikes: 9 } } },
      ({ call, wait }) => [call(), wait(300_000), call()],
      [],
    ],
    [
      'one burst, all under way',
      noBans,
      ({ call, repeat, wait, open }) => {
        let connection = 0
        open(...Array.from({ length: 71 }).keys())
        repeat(70, () => call('GET /v1/pets', { connection: ++connection }), 7)
        wait(60_000)
        call()
      },
      [],
    ],
    [
      'a pool on a busy machine: one connection has four calls in a row while another is free',
      noBans,
      ({ call, wait, open }) => {
        open(1, 2)
        for (const connection of [1, 2, 1, 2, 1, 1, 1, 2, 1, 2]) {
          call('GET /v1/pets', { connection })
          wait(2)
        }
        wait(60_000)
        call()
      },
      [],
    ],
    [
      'another key, another sandbox',
      usedUp,
      ({ call }) => [
        call(),
        call('GET /v1/pets', { key: 'demo-pro' }),
        call('GET /v1/pets', { key: 'demo-free+two' }),
      ],
      [],
    ],
    [
      '503 with Retry-After, by a rule',
      { rules: [{ when: { first: 1 }, then: { status: 503, headers: { 'Retry-After': '5' } } }] },
      ({ call, wait }) => [call(), wait(5_000), call()],
      [],
    ],
    [
      '503 with Retry-After, on a clock that is moved',
      {
        clock: { at: '2026-03-02T12:00:00Z', frozen: true },
        rules: [{ then: { status: 503, headers: { 'Retry-After': '5' } } }],
      },
      ({ call, change }) => [call(), change({ do: 'advanceClock', by: '5s' }), call()],
      [],
    ],
    [
      'a response that the call asked for by Prefer',
      {},
      ({ call }) => {
        for (const _ of [1, 2]) call('GET /v1/pets', { headers: ['Prefer', 'code=429'] })
      },
      [],
    ],
  ])('%s', (...row) => {
    expect(found(row)).toEqual([...row[3]])
  })
})

describe('a client that does not wait has findings', () => {
  test.each<Row>([
    ['a retry after a second', usedUp, ({ call, wait }) => [call(), wait(1_000), call()], ['early-retry']],
    [
      '101 ms before the wait is over by any clock',
      usedUp,
      ({ call, wait }) => [call(), wait(59_649), call()],
      ['early-retry'],
    ],
    [
      'a wait capped at 30 s',
      usedUp,
      ({ call, wait }) => [call(), wait(30_000), call(), wait(29_750), call()],
      ['early-retry'],
    ],
    [
      'on a fast clock, one of two seconds',
      { ...usedUp, clock: { at: '2026-03-02T12:00:00Z', scale: 30 } },
      ({ call, wait }) => [call(), wait(1_000), call()],
      ['early-retry'],
    ],
    [
      'a caller that has every reply before its next call',
      usedUp,
      ({ call }) => [
        call('GET /v1/pets', { connection: undefined }),
        call('GET /v1/pets', { connection: undefined }),
      ],
      ['early-retry'],
    ],
    [
      'a new connection for each call, after the one before closed',
      usedUp,
      ({ call, wait, close }) => {
        for (const connection of [1, 2, 3, 4]) {
          call('GET /v1/pets', { connection })
          close(connection)
          wait(5)
        }
      },
      ['early-retry ×3'],
    ],
    [
      'a growing backoff that ignores the header',
      usedUp,
      ({ call, wait }) => {
        call()
        for (const gap of [1_000, 2_000, 4_000, 8_000]) {
          wait(gap)
          call()
        }
      },
      ['early-retry ×4'],
    ],
    [
      'other calls of the key',
      usedUp,
      ({ call, wait }) => [call(), wait(1_000), call('GET /v1/pets?limit=5')],
      ['called-while-limited'],
    ],
    [
      'a loop after a change of the plan, which ends the wait without the client',
      { ...usedUp, plans: { tiny: { minute: 1, day: 100 } } },
      ({ call, change, repeat }) => {
        call()
        change({ do: 'changeKey', key: 'demo-free', plan: 'tiny' })
        repeat(9)
      },
      ['banned', 'early-retry ×8', 'no-backoff ×6'],
    ],
    ['a loop', usedUp, ({ repeat }) => repeat(10), ['banned', 'early-retry ×9', 'no-backoff ×6']],
    [
      'a loop that continues during the ban',
      usedUp,
      ({ repeat }) => repeat(14),
      ['banned', 'call-during-ban ×4', 'early-retry ×9', 'no-backoff ×10'],
    ],
    [
      'a steady pace',
      noBans,
      ({ repeat, call }) => repeat(6, call, 2_000),
      ['early-retry ×5', 'no-backoff ×2'],
    ],
    [
      'a rule’s 429, retried too early',
      { rules: [{ when: { first: 1 }, then: { status: 429, headers: { 'Retry-After': '5' } } }] },
      ({ call, wait }) => [call(), wait(4_000), call()],
      ['early-retry'],
    ],
    [
      'a 503, retried at a steady pace',
      { rules: [{ then: { status: 503 } }] },
      ({ repeat, call }) => repeat(5, call, 100),
      ['no-backoff'],
    ],
  ])('%s', (...row) => {
    expect(found(row)).toEqual([...row[3]])
  })
})

test('an early retry is reported with its call and how early it was', () => {
  const { findings } = fly(usedUp, ({ call, wait }) => [call(), wait(1_750), call()])
  expect(findings[0]).toMatchObject({
    id: 'early-retry',
    severity: 'error',
    title: '1 refused call was retried before Retry-After was over, up to 58 s early.',
    evidence: [
      {
        what: 'GET /v1/pets → 429',
        detail: '58 s before Retry-After was over',
        at: '2026-03-02T12:00:02Z',
        request: 2,
        sandbox: 'default',
        caller: 'demo-f…',
      },
    ],
  })
})

describe('the chart of a caller', () => {
  const minute = 60_000
  const flightOf = (scenario: ScenarioFile, flight: (pilot: Pilot) => void) =>
    fly(scenario, flight).flights[0]
  const spansOf = (flight: (pilot: Pilot) => void) => {
    const { calls, spans } = flightOf(noBans, flight) ?? { calls: [], spans: [] }
    const start = calls[0]?.at ?? 0
    return spans.map(({ kind, from, to }) => [kind, from - start, to - start])
  }

  test('has each wait once, also if a call came too early in it', () => {
    const used = [59_750, 2 * minute - 250]
    expect(
      spansOf(({ call, wait, repeat }) => {
        call()
        wait(1_000)
        call()
        wait(59_000)
        repeat(61, call, 0)
      }),
    ).toEqual([
      ['wait', 0, used[0]],
      ['wait', minute, used[1]],
    ])
  })

  test('has the last 1,000 calls, and says how many it leaves out', () => {
    const flight = flightOf({}, ({ repeat, call }) =>
      repeat(1_003, () => call('GET /v1/pets', { key: 'demo-enterprise' })),
    )
    expect(flight).toMatchObject({ omitted: 3, calls: { length: 1_000, 0: { id: 4 } } })
  })
})

test('the wait of an injected 429 is for its call only', () => {
  const rules = [{ match: { operation: 'createPet' as const }, then: { status: 429 } }]
  const report = fly({ rules }, ({ call }) => [call('POST /v1/pets', { body: '{}' }), call()])
  expect(idsOf(report)).toEqual([])
})
