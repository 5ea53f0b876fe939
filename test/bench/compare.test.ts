import { expect, it } from 'vitest'
import { comparedVolleys } from '../../tools/bench/measurements/volleys.ts'
import { claimsText } from '../../tools/bench/report.ts'
import { compare, withRatios } from '../../tools/bench/statistics.ts'

const volleys = (...speeds: readonly number[]) =>
  speeds.map(callsPerSecond => ({
    calls: 1,
    callsPerSecond,
    p99Ms: 1,
    cpuUs: 1e6 / callsPerSecond,
    bytes: 1_000,
  }))

it('compares the best rounds with each other, and leaves the first round out', () => {
  const series = comparedVolleys('reads', { bare: volleys(1, 100, 80), ours: volleys(9, 60, 72) }, 'bare')
  expect(series).toContainEqual({ who: 'ours', what: 'reads', unit: 'calls/s', samples: [60, 72] })
  expect(series).toContainEqual({
    who: 'ours',
    what: 'reads : bare',
    unit: '×',
    samples: [0.6, 0.9],
    best: 0.72,
    moreIsBetter: true,
  })
  expect(series).toContainEqual(expect.objectContaining({ what: 'CPU a call : bare', moreIsBetter: false }))
})

it('has no allocation of a server that does not say', () => {
  const silent = volleys(1, 2).map(volley => ({ ...volley, bytes: Number.NaN }))
  const columns = comparedVolleys('reads', { java: silent }, 'java').map(({ what }) => what)
  expect(columns).toEqual(['reads', 'p99', 'CPU a call'])
})

it.each([
  [80, 'goal met'],
  [79, 'goal missed by 1 %'],
  [40, 'goal missed by 50 %'],
])('fails a goal of 0.80 with %d of 100 calls', (ours, verdict) => {
  const series = comparedVolleys('reads', { bare: volleys(1, 100), ours: volleys(1, ours) }, 'bare')
  const claim = compare(series, 'reads', 'ours', 'bare', { sense: 'at least', goal: 0.8 })
  expect(claimsText([claim])).toContain(`| ${verdict} `)
})

it('compares nothing with what was not measured', () => {
  const notRun = { notRun: 'no Java' }
  const series = [
    { who: 'ours', what: 'reads', unit: 'calls/s', samples: [1] },
    { who: 'java', what: 'reads', unit: 'calls/s', samples: notRun },
  ] as const
  expect(withRatios(series, 'reads', 'java').at(-1)).toMatchObject({ who: 'ours', samples: notRun })
})
