import type { Claim } from '../measurement.ts'
import { isNotRun } from '../not-run.ts'
import { median } from '../statistics.ts'
import { figure, figureOf } from './figure.ts'
import { table } from './table.ts'

/** What pet-mock must keep, and whether it did in this run. */
export function claimsText(claims: readonly Claim[]): string {
  const rows = claims.map(claim => {
    const { what, unit, sense, bar, goal } = claim
    const limits = [bar, goal].map(limit => (limit === undefined ? '' : `${sense} ${figure(limit, unit)}`))
    return [what, figureOf({ ...claim, moreIsBetter: sense === 'at least' }), ...limits, verdict(claim)]
  })
  return table(['', 'measured', 'bar', 'goal', ''], rows)
}

/** The figures of the README: medians alone. */
export function headlinesText(claims: readonly Claim[]): string {
  const rows = claims.flatMap(({ headline, samples, unit }) =>
    headline === undefined ? [] : [[headline, isNotRun(samples) ? 'NOT RUN' : figure(median(samples), unit)]],
  )
  return table(['', 'measured'], rows)
}

function verdict({ samples, sense, bar, goal }: Claim): string {
  if (isNotRun(samples)) return ''
  const value = median(samples)
  if (Number.isNaN(value)) return ''
  const holds = (limit: number) => (sense === 'at least' ? value >= limit : value <= limit)
  if (bar !== undefined && !holds(bar)) return `MISSED by ${shortfall(value, bar)}`
  if (goal === undefined) return 'holds'
  return holds(goal) ? 'goal met' : `goal missed by ${shortfall(value, goal)}`
}

function shortfall(value: number, limit: number): string {
  return `${Math.max(1, Math.round(Math.abs(value / limit - 1) * 100))} %`
}
