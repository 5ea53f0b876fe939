import { formatInstant } from '../../base/time/instant.ts'
import { clip } from '../../service/call/echo.ts'
import type { WindowName } from '../../service/limits/window.ts'
import type { Quota } from '../../service/plans/plan.ts'
import type { Advice, TriedChange } from './advise.ts'
import type { ClientChange } from './client-change.ts'
import type { PlanResult } from './replay.ts'
import type { Refusal } from './replay-caller.ts'

/** What a plan would have done, as JSON. */
export interface PlanView {
  readonly plan: string
  readonly limits: Quota
  readonly calls: number
  readonly refused: number
  /** Without the calls that repeat one that was refused when it was recorded; null if there are none. */
  readonly withoutRepeats: number | null
  readonly firstRefusal: RefusalView | null
  /** Further ones, the first included. */
  readonly refusals: readonly RefusalView[]
  readonly blockedMs: number
  readonly bans: number
  readonly peak: Readonly<Record<WindowName, number>>
  readonly changes: readonly ChangeView[]
}

export interface RefusalView {
  readonly at: string
  readonly call: string
  readonly status: number
  /** What refused it. */
  readonly by: 'ban' | WindowName
  readonly waitMs: number
}

export interface ChangeView extends ClientChange {
  readonly suffices: boolean
  readonly calls: number
  readonly refused: number
  readonly longestWaitMs: number
}

export function viewOf(
  { plan, run, withoutRepeats, advice }: PlanResult,
  mask: (text: string) => string,
): PlanView {
  const refusals = run.refusals.slice(0, mostRefusals).map(refusal => viewOfRefusal(refusal, mask))
  return {
    plan: plan.name,
    limits: plan.quota,
    calls: run.calls,
    refused: run.refused,
    withoutRepeats: withoutRepeats?.refused ?? null,
    firstRefusal: refusals[0] ?? null,
    refusals,
    blockedMs: run.blockedMs,
    bans: run.bans,
    peak: run.peak,
    changes: advice === undefined ? [] : triedIn(advice).map(viewOfChange),
  }
}

const mostRefusals = 5

export function triedIn({ single, combined }: Advice): readonly TriedChange[] {
  return combined === undefined ? single : [...single, combined]
}

function viewOfRefusal(
  { at, call, status, isBan, until, limit }: Refusal,
  mask: (text: string) => string,
): RefusalView {
  return {
    at: formatInstant(at),
    call: mask(clip(`${call.method} ${call.target}`)),
    status,
    by: isBan ? 'ban' : limit.reported,
    waitMs: Math.max(0, until - at),
  }
}

function viewOfChange({ change, run }: TriedChange): ChangeView {
  const { calls, refused, longestWaitMs } = run
  return { ...change, suffices: refused === 0, calls, refused, longestWaitMs }
}
