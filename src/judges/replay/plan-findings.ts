import { formatCount, groupDigits } from '../../base/text/quantities.ts'
import type { Finding } from '../report/finding.ts'
import { suffices } from './advise.ts'
import { describeChange, describeOutcome, lengthOf } from './change-text.ts'
import { type PlanView, type RefusalView, triedIn } from './plan-view.ts'
import type { PlanResult, ReplayResult } from './replay.ts'

/** What the user calls plans, and which must refuse no call. */
export interface PlanWishes {
  readonly expected: readonly string[]
  readonly planTitle: (plan: string) => string
}

/** A finding for each plan that refuses calls: an error if it is expected to serve them all. */
export function findingsOf(
  plans: readonly PlanView[],
  result: ReplayResult,
  { expected, planTitle }: PlanWishes,
): readonly Finding[] {
  return plans.flatMap((view, index) => {
    const of = result.plans[index]
    if (view.refused === 0 || of === undefined) return []
    return [
      {
        id: view.plan,
        severity: expected.includes(view.plan) ? 'error' : 'info',
        title: `The plan ${planTitle(view.plan)} refuses ${groupDigits(view.refused)} of ${formatCount(view.calls, 'call')}. Clients are blocked for ${lengthOf(view.blockedMs)}, with ${formatCount(view.bans, 'ban')}.`,
        remedy: adviceLines(of, result)
          .map(({ text }) => text)
          .join(' '),
        source: 'specification, "Rate limits by plan"; A05 to A10',
        count: view.refused,
        evidence: view.refusals.map(refusal => ({
          what: `${refusal.call} → ${refusal.status}`,
          detail: detailOf(refusal, view),
          at: refusal.at,
        })),
      },
    ] satisfies readonly Finding[]
  })
}

function detailOf({ by, waitMs }: RefusalView, { limits }: PlanView): string {
  const wait = `wait ${lengthOf(waitMs)}`
  return by === 'ban'
    ? `banned, ${wait}`
    : `the ${groupDigits(limits[by])} calls of this ${by} are used, ${wait}`
}

export interface AdviceLine {
  /** Undefined: not judged. */
  readonly suffices: boolean | undefined
  /** A sentence. */
  readonly text: string
}

/** What was tried for a plan, and what came of it. */
export function adviceLines(
  { plan, run, advice }: PlanResult,
  { pageLimits }: ReplayResult,
): readonly AdviceLine[] {
  if (advice === undefined) return []
  const tried = triedIn(advice)
    .toSorted((one, other) => Number(suffices(other)) - Number(suffices(one)))
    .map(one => ({
      suffices: suffices(one),
      text: `${suffices(one) ? 'Suffices' : 'Not enough'}: ${describeChange(one.change, plan, pageLimits)}: ${describeOutcome(one, run.calls)}.`,
    }))
  const open = advice.notJudged.map(({ reason }) => ({
    suffices: undefined,
    text: `Not judged: larger pages, because ${reason}.`,
  }))
  const isHopeless = tried.every(one => !one.suffices)
  const none = { suffices: false, text: 'No combination of these suffices.' }
  return [...tried, ...(isHopeless ? [none] : []), ...open]
}
