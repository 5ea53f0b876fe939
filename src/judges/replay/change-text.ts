import { groupDigits } from '../../base/text/quantities.ts'
import { formatDuration } from '../../base/time/duration.ts'
import type { PagedCallers, TriedChange } from './advise.ts'
import type { ClientChange } from './client-change.ts'
import type { PlanChoice } from './plan-world.ts'

/** A change of the client in words: `identical GETs within 60s from a cache, limit=100 instead of 20`. */
export function describeChange(
  { cacheMs, largestPages, spread }: ClientChange,
  { quota }: PlanChoice,
  limits: PagedCallers['limits'],
): string {
  const gap = Math.ceil(60_000 / Math.max(1, quota.minute))
  const instead = limits.length === 0 ? '' : ` instead of ${limits.join(' and ')}`
  return [
    ...(largestPages ? [`limit=100${instead}`] : []),
    ...(cacheMs === undefined ? [] : [`identical GETs within ${timeOf(cacheMs)} from a cache`]),
    ...(spread ? [`spread over the minute, one call every ${formatDuration(gap)}`] : []),
  ].join(', ')
}

/** What the change brings: `0 refused, 312 calls fewer`. `before`: the calls without it. */
export function describeOutcome({ run }: TriedChange, before: number): string {
  const fewer = before - run.calls
  return [
    `${groupDigits(run.refused)} refused`,
    ...(fewer > 0 ? [`${groupDigits(fewer)} ${fewer === 1 ? 'call' : 'calls'} fewer`] : []),
    ...(run.longestWaitMs > 0 ? [`a call waits up to ${lengthOf(run.longestWaitMs)}`] : []),
  ].join(', ')
}

/** `60s` and not `1m`: a time that people set in seconds. */
function timeOf(ms: number): string {
  return ms <= 60_000 ? `${ms / 1_000}s` : formatDuration(ms)
}

/** A length of time without its small parts: `6h12m`, `42s`, `250ms`. */
export function lengthOf(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)}ms`
  const seconds = Math.round(ms / 1_000)
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'm'],
    [seconds % 60, 's'],
  ] as const
  const first = parts.findIndex(([count]) => count > 0)
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count}${unit}`)
    .join('')
}
