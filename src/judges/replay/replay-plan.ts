import type { WindowName } from '../../service/limits/window.ts'
import type { CallerCalls } from './callers.ts'
import {
  type CallerRun,
  extend,
  type Interval,
  type Refusal,
  type ReplayOptions,
  replayCaller,
} from './replay-caller.ts'

/** What becomes of all calls at a plan. Each caller has a key of its own. */
export interface PlanRun {
  readonly calls: number
  readonly refused: number
  readonly bans: number
  /** The first ones, in the order of time. */
  readonly refusals: readonly Refusal[]
  /** How long at least one caller was blocked, by waits and bans. */
  readonly blockedMs: number
  /** The most calls of one caller in one window. */
  readonly peak: Readonly<Record<WindowName, number>>
  readonly longestWaitMs: number
  /** The caller with the most refused calls, or with the most calls. */
  readonly busiest: CallerCalls | undefined
}

/** Replays the calls of all callers at a plan. */
export function replayPlan(callers: readonly CallerCalls[], options: Omit<ReplayOptions, 'onCall'>): PlanRun {
  const runs: { readonly caller: CallerCalls; readonly run: CallerRun }[] = []
  for (const caller of callers) {
    const run = replayCaller(caller.calls, options)
    runs.push({ caller, run })
    if (options.untilRefused && run.refused > 0) break
  }
  const sum = (count: (run: CallerRun) => number) => runs.reduce((all, { run }) => all + count(run), 0)
  const most = (size: (run: CallerRun) => number) =>
    runs.reduce((largest, { run }) => Math.max(largest, size(run)), 0)
  const [busiest] = runs.toSorted(
    (one, other) => other.run.refused - one.run.refused || other.run.calls - one.run.calls,
  )
  return {
    calls: sum(({ calls }) => calls),
    refused: sum(({ refused }) => refused),
    bans: sum(({ bans }) => bans),
    refusals: runs.flatMap(({ run }) => run.refusals).sort((one, other) => one.at - other.at),
    blockedMs: lengthOf(runs.flatMap(({ run }) => run.blocked)),
    peak: { minute: most(({ peak }) => peak.minute), day: most(({ peak }) => peak.day) },
    longestWaitMs: most(run => run.longestWaitMs),
    busiest: busiest?.caller,
  }
}

/** The length of the union of intervals. */
function lengthOf(intervals: readonly Interval[]): number {
  const union: Interval[] = []
  for (const interval of intervals.toSorted((one, other) => one.from - other.from)) extend(union, interval)
  return union.reduce((sum, { from, to }) => sum + to - from, 0)
}
