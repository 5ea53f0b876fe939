import { expect, it } from 'vitest'
import type { Claim } from '../../tools/bench/measurement.ts'
import { arithmeticOf } from '../../tools/bench/measurements/scale-out.ts'
import { claimsText, figureOf, outcomeText } from '../../tools/bench/report.ts'
import { ratios } from '../../tools/bench/statistics.ts'

it.each([
  [[1, 3, 2], 'ms', '2 ms (best 1, worst 3)'],
  [[1, 2], '×', '1.50 × (best 1.00, worst 2.00)'],
  [[1, 2], 'calls/s', '1.5 calls/s (best 2, worst 1)'],
  [[46_123], 'calls/s', '46,100 calls/s'],
  [[Number.NaN, 1], 'µs', 'unknown'],
  [{ notRun: 'no Java' }, 'ms', 'NOT RUN'],
] as const)('%j in %s is %s', (samples, unit, text) => {
  expect(figureOf({ samples, unit })).toBe(text)
})

it('holds each round against its own neighbours', () => {
  expect(ratios([8, 4, 9], [10, 5, 10])).toEqual([0.8, 0.8, 0.9])
})

it.each([
  ['at least', 0.95, 'goal met'],
  ['at least', 0.85, 'goal missed by 6 %'],
  ['at least', 0.75, 'MISSED by 6 %'],
  ['at most', 0.75, 'goal met'],
  ['at most', 0.95, 'MISSED by 6 %'],
] as const)('%s: %d is %s', (sense, value, verdict) => {
  const [bar, goal] = sense === 'at least' ? [0.8, 0.9] : [0.9, 0.8]
  const claim: Claim = { what: 'it', samples: [value], unit: '×', sense, bar, goal }
  expect(claimsText([claim])).toContain(` ${verdict} `)
})

it('judges nothing that is unknown', () => {
  const claim: Claim = { what: 'it', samples: [Number.NaN], unit: '×', sense: 'at least', bar: 1, goal: 2 }
  expect(claimsText([claim])).not.toMatch(/missed|NaN/i)
})

it('breaks long notes into lines, but no code', () => {
  const note = `${'word '.repeat(30)}\`${'code '.repeat(10)}\` end`
  const text = outcomeText({ title: 'Reads', notes: [note], series: [], claims: [] })
  expect(Math.max(...text.split('\n').map(line => line.length))).toBeLessThanOrEqual(140)
  expect(text).toContain('code '.repeat(10))
  expect(text.replaceAll('\n', ' ')).toContain(note)
})

it('computes what a hundred replicas need, and nothing from what was not measured', () => {
  const costs = { nginxUs: [10, 20, 40], replicaUs: [25], replicaMB: [102.4] }
  expect(arithmeticOf(100, costs)).toEqual([
    'Computed from one replica: 100 replicas, each on a core of its own, serve 4,000,000 calls a second and take 10 GB. nginx needs 80 cores for them.',
  ])
  expect(arithmeticOf(100, { ...costs, nginxUs: { notRun: 'no nginx' } })).toEqual([])
  expect(arithmeticOf(100, { ...costs, replicaMB: [Number.NaN] })).toEqual([])
})
