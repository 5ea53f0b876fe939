import { formatCount, groupDigits } from '../../base/text/quantities.ts'
import { formatInstant } from '../../base/time/instant.ts'
import type { WindowName } from '../../service/limits/window.ts'
import { shippedPlans } from '../../service/plans/plan.ts'
import type { LeftOut } from '../recording/seen-call.ts'
import type { Fact, Report } from '../report/report.ts'
import type { CallerBy } from './callers.ts'
import { lengthOf } from './change-text.ts'
import { findingsOf, type PlanWishes } from './plan-findings.ts'
import { type PlanView, viewOf } from './plan-view.ts'
import type { ReplayResult } from './replay.ts'

export interface ReplayReport extends Report {
  readonly judge: 'replay'
  /** The name of the recording. */
  readonly file: string
  readonly calls: number
  readonly callers: number
  readonly callerBy: CallerBy
  /** RFC 3339. */
  readonly from: string
  readonly to: string
  readonly retries: 'keep' | 'drop'
  /** Calls that repeat one that was refused when it was recorded. */
  readonly repeats: number
  /** The most calls of one caller in one window, if nothing is refused. */
  readonly demand: Readonly<Record<WindowName, number>>
  /** The smallest plan that refuses no call; null: none of them. */
  readonly smallest: string | null
  /** From small to large. */
  readonly plans: readonly PlanView[]
  /** What the recording holds and the replay leaves out. */
  readonly skipped: readonly LeftOut[]
}

export interface ReportFacts extends PlanWishes {
  /** The name of the file. */
  readonly name: string
  readonly callerBy: CallerBy
  readonly retries: 'keep' | 'drop'
  readonly skipped: readonly LeftOut[]
  readonly notes: readonly string[]
  /** Masks secrets. */
  readonly mask: (text: string) => string
}

/** The report of a replay: a check for each plan, and a finding for each that refuses calls. */
export function reportReplay(result: ReplayResult, facts: ReportFacts): ReplayReport {
  const { name, callerBy, retries, skipped, planTitle, mask } = facts
  const instants = result.callers.flatMap(({ calls }) => [calls[0]?.at ?? 0, calls.at(-1)?.at ?? 0])
  const [from, to] = [Math.min(...instants), Math.max(...instants)]
  const plans = result.plans.map(plan => viewOf(plan, mask))
  const smallest = plans.find(({ refused }) => refused === 0)
  return {
    judge: 'replay',
    file: mask(name),
    title: `Replay of ${mask(name)}: ${answerOf(smallest, planTitle)}`,
    checks: plans.map(({ plan }) => ({
      id: plan,
      title: `the plan ${planTitle(plan)} serves every call`,
    })),
    findings: findingsOf(plans, result, facts),
    facts: [
      { name: 'Calls', value: callsFact(result, callerBy) },
      { name: 'Time', value: `${formatInstant(from)} to ${formatInstant(to)}` },
      {
        name: 'Demand',
        value: `at most ${groupDigits(result.demand.minute)} in a minute and ${groupDigits(result.demand.day)} in a day, if nothing is refused`,
      },
      ...plans.map(plan => planFact(plan, planTitle)),
    ],
    notes: [...notesOf(plans, result, facts), ...facts.notes, ...skippedNotes(skipped)].map(mask),
    flights: result.flights,
    calls: result.calls,
    callers: result.callers.length,
    callerBy,
    from: formatInstant(from),
    to: formatInstant(to),
    retries,
    repeats: result.repeats,
    demand: result.demand,
    smallest: smallest?.plan ?? null,
    plans,
    skipped: skipped.map(({ examples, ...one }) => ({ ...one, examples: examples.map(mask) })),
  }
}

function answerOf(smallest: PlanView | undefined, planTitle: ReportFacts['planTitle']): string {
  return smallest === undefined
    ? 'none of these plans suffices'
    : `${planTitle(smallest.plan)} is the smallest plan that suffices`
}

function callsFact({ calls, callers }: ReplayResult, by: CallerBy): string {
  const who =
    by === 'all'
      ? 'counted as those of one caller (--caller-by all)'
      : `of ${formatCount(callers.length, 'caller')}, one for each ${by} (--caller-by ${by})`
  return `${formatCount(calls, 'call')}, ${who}`
}

function planFact(view: PlanView, planTitle: ReportFacts['planTitle']): Fact {
  const { plan, refused, firstRefusal, blockedMs, bans, peak, limits } = view
  const first = firstRefusal === null ? '' : `, the first at ${firstRefusal.at}`
  const blocked = refused === 0 ? '' : `; blocked for ${lengthOf(blockedMs)}, ${formatCount(bans, 'ban')}`
  const peaks = `at peak ${groupDigits(peak.minute)} of ${groupDigits(limits.minute)} in a minute and ${groupDigits(peak.day)} of ${groupDigits(limits.day)} in a day`
  return { name: planTitle(plan), value: `${groupDigits(refused)} refused${first}${blocked}; ${peaks}` }
}

function notesOf(
  plans: readonly PlanView[],
  { repeats, demand }: ReplayResult,
  { retries, planTitle }: ReportFacts,
): readonly string[] {
  const matters = plans.filter(({ refused }) => refused === 0).every(({ plan }) => plan === 'enterprise')
  const custom = plans.find(
    ({ plan, limits }) =>
      matters && plan === 'enterprise' && limits.minute === shippedPlans.enterprise.minute,
  )
  const without = plans.flatMap(({ plan, withoutRepeats }) =>
    withoutRepeats === null ? [] : `${planTitle(plan)} ${groupDigits(withoutRepeats)}`,
  )
  const repeated = `${formatCount(repeats, 'call')} ${repeats === 1 ? 'repeats' : 'repeat'} one that was refused when it was recorded`
  return [
    ...(repeats === 0
      ? []
      : retries === 'drop'
        ? [`Left out: ${repeated} (--retries drop).`]
        : [`${repeated}. Without them (--retries drop), the plans refuse: ${without.join(', ')}.`]),
    ...(custom === undefined
      ? []
      : [
          `The limits of Enterprise are custom, and pet-mock's are placeholders (A11). It serves every call if it allows ${groupDigits(demand.minute)} in a minute and ${groupDigits(demand.day)} in a day.`,
        ]),
  ]
}

function skippedNotes(skipped: readonly LeftOut[]): readonly string[] {
  return skipped.map(({ reason, count, examples }) => {
    const shown =
      examples.length === 0 ? '' : ` (${examples.join(', ')}${count > examples.length ? ', …' : ''})`
    return `Skipped: ${groupDigits(count)} × ${reason}${shown}.`
  })
}
