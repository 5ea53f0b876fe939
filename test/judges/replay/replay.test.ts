import { describe, expect, it, test } from 'vitest'
import { shippedScenarios } from '../../../src/control/scenario/shipped.ts'
import { withLargestPages } from '../../../src/judges/replay/client-change.ts'
import { type ReplayRequest, replay } from '../../../src/judges/replay/replay.ts'
import { replayScenario } from '../../../src/judges/replay/replay-plan.ts'
import { linesOf as adviceLines } from '../../../src/judges/replay/replay-report.ts'
import { dropRepeats, type WantedCall } from '../../../src/judges/replay/wanted-calls.ts'
import { shippedPlans } from '../../../src/service/plans/plan.ts'
import { monday, wantedCall } from '../../support/archives.ts'
import { processorTime } from '../../support/processor-time.ts'

const scenario = replayScenario('replay', {})
const allPlans = Object.entries(shippedPlans).map(([name, quota]) => ({ name, quota }))

const replayed = (calls: readonly WantedCall[], request: Partial<ReplayRequest> = {}) =>
  replay({
    callers: [{ name: undefined, calls }],
    scenario,
    plans: allPlans,
    retries: 'keep',
    showCaller: () => undefined,
    flights: false,
    ...request,
  })

const times = <T>(count: number, call: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => call(index))

/** What was tried for the smallest plan. */
const linesOf = (calls: readonly WantedCall[]) => {
  const result = replayed(calls)
  const [free] = result.plans
  return free === undefined ? [] : adviceLines(free, result).map(({ text }) => text)
}

const refusedAt = (calls: readonly WantedCall[]) => replayed(calls).plans.map(({ run }) => run.refused)

describe('plans', () => {
  it('the smallest plan is the one that holds the peak of a minute and of a day', () => {
    expect(refusedAt(times(60, at => wantedCall(at)))).toEqual([0, 0, 0, 0])
    expect(refusedAt(times(61, at => wantedCall(at)))).toEqual([1, 0, 0, 0])
    expect(refusedAt(times(1_001, at => wantedCall(at * 2_000)))).toEqual([1, 0, 0, 0])
    expect(refusedAt(times(301, at => wantedCall(at)))).toEqual([241, 1, 0, 0])
  })

  it('reports the first refusal, the ban, and the time until both are over', () => {
    const [free] = replayed(times(75, at => wantedCall(at * 100))).plans
    expect(free?.run).toMatchObject({ refused: 15, bans: 1, peak: { minute: 60, day: 60 } })
    expect(free?.run.refusals[0]).toMatchObject({ at: monday + 6_000, by: 'minute', waitMs: 54_000 })
    // The tenth refusal, after 6.9 s, bans for 300 s from its second.
    expect(free?.run.blockedMs).toBe(300_000)
  })

  it('a short ban blocks until the window is over, too', () => {
    const strict = replayScenario('strict', { bans: { after: 1, for: '20s' } })
    const { run } =
      replayed(
        times(61, at => wantedCall(at * 100)),
        { scenario: strict },
      ).plans[0] ?? {}
    expect(run).toMatchObject({ refused: 1, bans: 1, blockedMs: 54_000 })
  })

  it('gives each caller a quota of its own', () => {
    const calls = times(60, at => wantedCall(at))
    const { plans, demand } = replayed([], {
      callers: [
        { name: 'a', calls },
        { name: 'b', calls },
      ],
    })
    expect(plans.map(({ run }) => run.refused)).toEqual([0, 0, 0, 0])
    expect(demand).toEqual({ minute: 60, day: 60 })
  })

  it('takes limits and bans from a scenario, and none of its rules', () => {
    const outage = shippedScenarios.get('outage') ?? {}
    const own = replayScenario('own', { ...outage, bans: 'off', plans: { team: { minute: 5, day: 50 } } })
    const plans = [{ name: 'team', quota: own.plans.get('team') ?? { minute: 0, day: 0 } }]
    const { run } =
      replayed(
        times(40, at => wantedCall(at)),
        { scenario: own, plans },
      ).plans[0] ?? {}
    expect(run).toMatchObject({ refused: 35, bans: 0 })
  })
})

describe('changes of the client', () => {
  it('a cache suffices for identical GETs, the shortest time first', () => {
    expect(linesOf(times(90, at => wantedCall(at * 300)))).toContain(
      'Suffices: identical GETs within 10s from a cache: 0 refused, 87 calls fewer.',
    )
    const targets = times(120, at => wantedCall(at * 450, `/v1/pets/${at % 50}`))
    expect(linesOf(targets)).toContain(
      'Suffices: identical GETs within 60s from a cache: 0 refused, 70 calls fewer.',
    )
  })

  it('a cache holds no failed answer, and nothing from before a call that writes', () => {
    const failed = times(90, at => wantedCall(at * 300, '/v1/pets', { status: 500 }))
    expect(linesOf(failed)[0]).not.toMatch(/Suffices: identical/)
    const writing = times(90, at => wantedCall(at * 300, '/v1/pets', at % 2 ? { method: 'POST' } : {}))
    expect(linesOf(writing).join()).not.toMatch(/Suffices: identical/)
  })

  it('spreading suffices for a burst, and the longest wait is reported', () => {
    const burst = times(61, at => wantedCall(0, `/v1/pets/${at}`))
    expect(linesOf(burst)).toEqual([
      'Suffices: spread over the minute, one call every 1s: 0 refused, a call waits up to 1m.',
      'Not enough: identical GETs within 1h from a cache: 1 refused.',
    ])
  })

  it('spreading does not suffice for a day', () => {
    const day = times(1_100, at => wantedCall(at * 1_500, `/v1/pets/${at}`))
    expect(linesOf(day)).toContain('No combination of these suffices.')
    expect(linesOf(day).join()).not.toContain('Suffices')
  })

  const walk = (start: number, limit: number, pages: number) =>
    times(pages, page =>
      wantedCall(start + page * 10, `/v1/pets?limit=${limit}${page === 0 ? '' : `&cursor=c${page}`}`, {
        next:
          page === pages - 1 ? undefined : `https://api.example/v1/pets?limit=${limit}&cursor=c${page + 1}`,
      }),
    )

  it('larger pages suffice where links show the walk', () => {
    const calls = times(13, at => walk(at * 1_000, 20, 5)).flat()
    expect(linesOf(calls)).toContain('Suffices: limit=100 instead of 20: 0 refused, 52 calls fewer.')
    const unlinked = calls.map(call => ({ ...call, next: undefined }))
    expect(linesOf(unlinked).join()).not.toContain('limit=100')
  })

  test.each([
    [20, 5, 1],
    [20, 6, 2],
    [30, 4, 2],
    [30, 3, 1],
    [60, 2, 2],
    [1, 100, 1],
    [1, 101, 2],
    [99, 3, 3],
    [100, 3, 3],
  ])('pages of %i, %i of them, are %i of 100', (limit, pages, expected) => {
    expect(withLargestPages(walk(0, limit, pages)).calls).toHaveLength(expected)
  })

  it('a page that is asked for twice, or by two walks at once, counts for each', () => {
    const one = walk(0, 50, 4)
    const other = one.map(call => ({ ...call, at: call.at + 5 }))
    const both = [...one, ...other].toSorted((a, b) => a.at - b.at)
    expect(withLargestPages(both).calls).toHaveLength(4)
  })

  it('combinations come only where no single change suffices', () => {
    const burst = times(600, at => wantedCall(Math.floor(at / 20) * 1_000, `/v1/pets/${at % 200}`))
    const twice = [...burst, ...burst.map(call => ({ ...call, at: call.at + 7_200_000 }))]
    const lines = linesOf(twice)
    expect(lines[0]).toMatch(/^Suffices: identical GETs within .*, spread over the minute/)
    expect(lines.filter(line => line.startsWith('Suffices'))).toHaveLength(1)
  })
})

describe('repeats of refused calls', () => {
  const refused = { status: 429, wasRefused: true }
  const kept = (calls: readonly WantedCall[]) => dropRepeats(calls).map(({ at }) => at - monday)

  it('one call that was refused twice and then served is one wanted call', () => {
    expect(
      kept([wantedCall(0, '/v1/pets', refused), wantedCall(1_000, '/v1/pets', refused), wantedCall(2_000)]),
    ).toEqual([0])
  })

  it('other calls, and calls of the same burst, are no repeats', () => {
    expect(
      kept([
        wantedCall(0, '/v1/pets', refused),
        wantedCall(10, '/v1/pets', refused),
        wantedCall(900, '/v1/pets?limit=1'),
        wantedCall(1_000),
        wantedCall(1_100),
        wantedCall(1_200),
      ]),
    ).toEqual([0, 10, 900, 1_200])
  })

  it('the result says what each plan refuses without them', () => {
    const calls = [
      ...times(60, at => wantedCall(at)),
      ...times(5, at => wantedCall(30_000 + at * 1_000, '/v1/pets/1', refused)),
      wantedCall(59_000, '/v1/pets/1'),
    ]
    const kept = replayed(calls)
    expect(kept.repeats).toBe(5)
    expect(kept.plans.map(({ run, withoutRepeats }) => [run.refused, withoutRepeats?.refused])).toEqual([
      [6, 1],
      [0, 0],
      [0, 0],
      [0, 0],
    ])
    expect(replayed(calls, { retries: 'drop' }).plans[0]?.run.refused).toBe(1)
  })
})

test('more than 1,000 calls are drawn as one for each of 400 parts of the time and each kind of answer', () => {
  const drawn = (count: number) => {
    const calls = times(count, at => wantedCall(at * 1_000, '/v1/pets', { status: at % 2 ? 404 : 200 }))
    const { flights } = replayed(calls, { plans: allPlans.slice(-1), flights: true })
    return flights[0]?.calls ?? []
  }
  expect(drawn(1_000)).toHaveLength(1_000)
  const merged = drawn(1_200)
  const countOf = (status: number) =>
    merged.filter(call => call.status === status).reduce((sum, { count = 1 }) => sum + count, 0)
  expect([merged.length, countOf(200), countOf(404)]).toEqual([800, 600, 600])
  expect(merged.map(({ at }) => at)).toEqual(merged.map(({ at }) => at).toSorted((one, other) => one - other))
})

test('5,000 calls of a day at three plans take less than 5 s of the processor', () => {
  const calls = times(5_000, at => wantedCall(at * 17_000 + (at % 50), `/v1/pets?limit=${(at % 30) + 1}`))
  const work = () => {
    const { plans } = replayed(calls, { plans: allPlans.slice(0, 3), flights: true })
    expect(plans.map(({ run }) => run.refused)).toEqual([4_000, 0, 0])
  }
  expect(processorTime(work)).toBeLessThan(5_000)
})
