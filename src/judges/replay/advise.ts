import type { Scenario } from '../../emulator/worlds/scenario.ts'
import type { CallerCalls } from './callers.ts'
import type { ClientChange } from './client-change.ts'
import { withLargestPages } from './largest-pages.ts'
import type { PlanChoice } from './plan-world.ts'
import { type PlanRun, replayPlan } from './replay-plan.ts'

/** A change of the client, and what became of the changed calls at a plan. */
export interface TriedChange {
  readonly change: ClientChange
  readonly run: PlanRun
}

export interface Advice {
  /** Each change by itself: the least one that suffices, or the greatest one. */
  readonly single: readonly TriedChange[]
  /** If no single change suffices, the least combination that does. */
  readonly combined: TriedChange | undefined
  /** Changes that were not tried, with the reason. */
  readonly notJudged: readonly { readonly change: ClientChange; readonly reason: string }[]
}

/** How long an answer is used again, from short to long: 10 s, 1 min, 5 min, 1 h. */
export const cacheTimes = [10_000, 60_000, 300_000, 3_600_000] as const

/** Changes of walks through pages, the same for all plans. */
export interface PagedCallers {
  readonly callers: readonly CallerCalls[]
  readonly limits: readonly number[]
  readonly unknown: number
}

export function pageCallers(callers: readonly CallerCalls[]): PagedCallers {
  const paged = callers.map(({ name, calls }) => ({ name, ...withLargestPages(calls) }))
  return {
    callers: paged.map(({ name, calls }) => ({ name, calls })),
    limits: [...new Set(paged.flatMap(({ limits }) => limits))].sort((one, other) => one - other),
    unknown: paged.reduce((sum, { unknown }) => sum + unknown, 0),
  }
}

/** Tries changes of the client at a plan that does not suffice. Each is replayed. */
export function advise(
  callers: readonly CallerCalls[],
  paged: PagedCallers,
  options: { readonly scenario: Scenario; readonly plan: PlanChoice },
): Advice {
  const attempt: Attempt = (change, untilRefused = false) => ({
    change,
    run: replayPlan(change.largestPages ? paged.callers : callers, { ...options, change, untilRefused }),
  })
  const hasPages = paged.limits.length > 0
  const single = [
    leastCache(attempt),
    attempt({ spread: true }),
    ...(hasPages ? [attempt({ largestPages: true })] : []),
  ]
  const combined = single.some(suffices) ? undefined : combine(attempt, hasPages)
  const reason =
    paged.unknown > 0
      ? 'the recording does not show which walk its later pages belong to'
      : 'the recording shows no walk through pages that are smaller than 100'
  return {
    single,
    combined,
    notJudged: hasPages ? [] : [{ change: { largestPages: true }, reason }],
  }
}

export function suffices({ run }: TriedChange): boolean {
  return run.refused === 0
}

/** `untilRefused`: the outcome matters only if the change suffices. */
type Attempt = (change: ClientChange, untilRefused?: boolean) => TriedChange

/** The first change that suffices. */
function firstOf(changes: readonly ClientChange[], attempt: Attempt): TriedChange | undefined {
  for (const change of changes) {
    const tried = attempt(change, true)
    if (suffices(tried)) return tried
  }
  return undefined
}

/** The shortest cache that suffices; else what the longest one brings. */
function leastCache(attempt: Attempt): TriedChange {
  const changes = cacheTimes.map(cacheMs => ({ cacheMs }))
  return firstOf(changes, attempt) ?? attempt({ cacheMs: Math.max(...cacheTimes) })
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
