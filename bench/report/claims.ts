import type { Claim } from '../measurement.ts'
import { isNotRun } from '../not-run.ts'
import { median } from '../statistics.ts'
import { figure, figureOf } from './figure.ts'
import { table } from './table.ts'

/** What pet-mock is to hold, and whether it held in this run. */
export function claimsText(claims: readonly Claim[]): string {
  const rows = claims.map(claim => {
    const { what, samples, unit, sense, bar, goal } = claim
    const limits = [bar, goal].map(limit => (limit === undefined ? '' : `${sense} ${figure(limit, unit)}`))
    return [what, figureOf(samples, unit), ...limits, verdict(claim)]
  })
  return table(['', 'measured', 'bar', 'goal', ''], rows)
}

function verdict({ samples, sense, bar, goal }: Claim): string {
  if (isNotRun(samples)) return ''
  const value = median(samples)
  const holds = (limit: number) => (sense === 'at least' ? value >= limit : value <= limit)
  if (goal !== undefined && holds(goal)) return 'goal met'
  if (bar === undefined) return 'goal missed'
  return holds(bar) ? 'holds' : 'MISSED'
}
