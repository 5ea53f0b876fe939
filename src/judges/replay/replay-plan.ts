import type { Scenario } from '../../emulator/worlds/scenario.ts'
import type { WindowName } from '../../service/limits/window.ts'
import type { CallerCalls } from './callers.ts'
import type { ClientChange } from './client-change.ts'
import type { PlanChoice } from './plan-world.ts'
import { type CallerRun, extend, type Interval, type Refusal, replayCaller } from './replay-caller.ts'

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
export function replayPlan(
  callers: readonly CallerCalls[],
  options: { readonly scenario: Scenario; readonly plan: PlanChoice; readonly change?: ClientChange },
): PlanRun {
  const runs = callers.map(caller => ({ caller, run: replayCaller(caller.calls, options) }))
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
