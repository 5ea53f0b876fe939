import { formatCount, groupDigits } from '../../base/text/quantities.ts'
import { formatDuration } from '../../base/time/duration.ts'
import type { Scenario } from '../../emulator/worlds/scenario.ts'
import { type ClientChange, withLargestPages } from './client-change.ts'
import { type PlanChoice, type PlanRun, replayPlan } from './replay-plan.ts'
import type { CallerCalls } from './wanted-calls.ts'

/** A change of the client, and what became of the changed calls at a plan. */
export interface TriedChange {
  readonly change: ClientChange
  readonly run: PlanRun
}

/** How long an answer is used again, from short to long: 10 s, 1 min, 5 min, 1 h. */
const cacheTimes = [10_000, 60_000, 300_000, 3_600_000] as const

/** Changes of walks through pages, the same for all plans. */
export function pageCallers(callers: readonly CallerCalls[]) {
  const paged = callers.map(({ name, calls }) => ({ name, ...withLargestPages(calls) }))
  return {
    callers: paged.map(({ name, calls }) => ({ name, calls })),
    limits: [...new Set(paged.flatMap(({ limits }) => limits))].sort((one, other) => one - other),
  }
}

/**
 * Replays changes of the client at a plan that does not suffice. Each by itself: the least one that suffices, or the greatest
 * one. If none does, also the least combination that does.
 */
export function advise(
  callers: readonly CallerCalls[],
  paged: ReturnType<typeof pageCallers>,
  options: { readonly scenario: Scenario; readonly plan: PlanChoice },
): readonly TriedChange[] {
  const attempt: Attempt = (change, untilRefused = false) => ({
    change,
    run: replayPlan(change.largestPages ? paged.callers : callers, { ...options, change, untilRefused }),
  })
  const hasPages = paged.limits.length > 0
  const withPages = hasPages ? [attempt({ largestPages: true })] : []
  const caches = cacheTimes.map(cacheMs => ({ cacheMs }))
  // The shortest cache that suffices; else what the longest one brings.
  const cache = firstOf(caches, attempt) ?? attempt({ cacheMs: Math.max(...cacheTimes) })
  const single = [cache, attempt({ spread: true }), ...withPages]
  const combined = single.some(suffices) ? undefined : combine(attempt, hasPages)
  return combined === undefined ? single : [...single, combined]
}

function suffices({ run }: TriedChange): boolean {
  return run.refused === 0
}

/** `untilRefused`: the outcome matters only if the change suffices. */
type Attempt = (change: ClientChange, untilRefused?: boolean) => TriedChange

function firstOf(changes: readonly ClientChange[], attempt: Attempt): TriedChange | undefined {
  for (const change of changes) {
    const tried = attempt(change, true)
    if (suffices(tried)) return tried
  }
  return undefined
}

/** Two changes before three, and short caches before long ones. */
function combine(attempt: Attempt, hasPages: boolean): TriedChange | undefined {
  const pages = { largestPages: true } as const
  const spread = { spread: true } as const
  const changes: readonly ClientChange[] = [
    ...(hasPages ? [{ ...pages, ...spread }, ...cacheTimes.map(cacheMs => ({ ...pages, cacheMs }))] : []),
    ...cacheTimes.map(cacheMs => ({ cacheMs, ...spread })),
    ...(hasPages ? cacheTimes.map(cacheMs => ({ ...pages, cacheMs, ...spread })) : []),
  ]
  return firstOf(changes, attempt)
}

export type AdviceLine = ReturnType<typeof adviceLines>[number]

/** What was tried for a plan, and what came of it: what suffices comes first. `calls`: those without a change. */
export function adviceLines(
  advice: readonly TriedChange[],
  calls: number,
  plan: PlanChoice,
  pageLimits: readonly number[],
) {
  const lines = advice
    .toSorted((one, other) => Number(suffices(other)) - Number(suffices(one)))
    .map(one => ({
      suffices: suffices(one),
      text: `${suffices(one) ? 'Suffices' : 'Not enough'}: ${describeChange(one.change, plan, pageLimits)}: ${describeOutcome(one, calls)}.`,
    }))
  const none = { suffices: false, text: 'No combination of these suffices.' }
  return lines.length > 0 && lines.every(one => !one.suffices) ? [...lines, none] : lines
}

/** A change of the client in words: `identical GETs within 60s from a cache, limit=100 instead of 20`. */
function describeChange(
  { cacheMs, largestPages, spread }: ClientChange,
  { quota }: PlanChoice,
  limits: readonly number[],
): string {
  const gap = Math.ceil(60_000 / Math.max(1, quota.minute))
  const instead = limits.length === 0 ? '' : ` instead of ${limits.join(' and ')}`
  return [
    ...(largestPages ? [`limit=100${instead}`] : []),
    ...(cacheMs === undefined
      ? []
      : [
          `identical GETs within ${cacheMs <= 60_000 ? `${cacheMs / 1_000}s` : formatDuration(cacheMs)} from a cache`,
        ]),
    ...(spread ? [`spread over the minute, one call every ${formatDuration(gap)}`] : []),
  ].join(', ')
}

/** What the change brings: `0 refused, 312 calls fewer`. `before`: the calls without it. */
function describeOutcome({ run }: TriedChange, before: number): string {
  const fewer = before - run.calls
  return [
    `${groupDigits(run.refused)} refused`,
    ...(fewer > 0 ? [`${formatCount(fewer, 'call')} fewer`] : []),
    ...(run.longestWaitMs > 0 ? [`a call waits up to ${lengthOf(run.longestWaitMs)}`] : []),
  ].join(', ')
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
