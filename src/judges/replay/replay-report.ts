import { formatCount, groupDigits } from '../../base/text/quantities.ts'
import { formatInstant } from '../../base/time/instant.ts'
import { clip } from '../../service/call/echo.ts'
import { planTitle, shippedPlans } from '../../service/plans/plan.ts'
import { type LeftOut, showExamples } from '../exchanges/left-out.ts'
import type { Finding } from '../report/finding.ts'
import type { Fact, Report } from '../report/report.ts'
import { settleChecks } from '../report/unjudged.ts'
import { adviceLines, lengthOf } from './advise.ts'
import type { PlanResult, ReplayRequest, ReplayResult } from './replay.ts'
import { mostRefusals } from './replay-plan.ts'
import type { CallerBy } from './wanted-calls.ts'

export type ReplayReport = ReturnType<typeof reportReplay>

interface ReportFacts extends Pick<ReplayRequest, 'retries'>, Pick<Report, 'notes'> {
  readonly callerBy: CallerBy
  /** What the recording holds and the replay leaves out. */
  readonly skipped: readonly LeftOut[]
  /** Plans that must refuse no call. */
  readonly expected: readonly string[]
  readonly name: string
  /** Masks secrets. */
  readonly mask: (text: string) => string
}

/** What would make a plan do. */
export function linesOf({ plan, run, advice }: PlanResult, result: ReplayResult) {
  return adviceLines(advice, run.calls, plan, result.pageLimits)
}

/** The report of a replay: a check for each plan, and a finding for each that refuses calls. */
export function reportReplay(result: ReplayResult, facts: ReportFacts) {
  const { name, callerBy, retries, skipped, mask } = facts
  const instants = result.callers.flatMap(({ calls }) => [calls[0]?.at ?? 0, calls.at(-1)?.at ?? 0])
  const [from, to] = [Math.min(...instants), Math.max(...instants)]
  const plans = result.plans.map(plan => viewOf(plan, mask))
  const smallest = plans.find(({ refused }) => refused === 0)
  const answer =
    smallest === undefined
      ? 'none of these plans suffices'
      : `${planTitle(smallest.plan)} is the smallest plan that suffices`
  const checks = plans.map(({ plan: id }) => ({ id, title: `the plan ${planTitle(id)} serves every call` }))
  const findings = findingsOf(plans, result, facts)
  const { calls, repeats, demand, flights } = result
  const left = skipped.map(one => `Skipped: ${groupDigits(one.count)} × ${one.reason}${showExamples(one)}.`)
  return {
    judge: 'replay',
    file: mask(name),
    title: `Replay of ${mask(name)}: ${answer}`,
    ...settleChecks({ checks, findings, unjudged: [] }),
    // In the order of the plans.
    findings,
    facts: [
      { name: 'Calls', value: callsFact(result, callerBy) },
      { name: 'Time', value: `${formatInstant(from)} to ${formatInstant(to)}` },
      { name: 'Demand', value: `at most ${countsOf(demand)}, if nothing is refused` },
      ...plans.map(planFact),
    ],
    notes: [...notesOf(plans, result, facts), ...facts.notes, ...left].map(mask),
    flights,
    calls,
    callers: result.callers.length,
    callerBy,
    /** RFC 3339. */
    from: formatInstant(from),
    to: formatInstant(to),
    retries,
    repeats,
    demand,
    /** The smallest plan that refuses no call; null: none of them. */
    smallest: smallest?.plan ?? null,
    /** From small to large. */
    plans,
    skipped: skipped.map(({ examples, ...one }) => ({ ...one, examples: examples.map(mask) })),
  }
}

function callsFact({ calls, callers }: ReplayResult, by: CallerBy): string {
  const who =
    by === 'all'
      ? 'counted as those of one caller (--caller-by all)'
      : `of ${formatCount(callers.length, 'caller')}, one for each ${by} (--caller-by ${by})`
  return `${formatCount(calls, 'call')}, ${who}`
}

function planFact(view: PlanView): Fact {
  const { plan, refused, firstRefusal, blockedMs, bans, peak, limits } = view
  const first = firstRefusal === null ? '' : `, the first at ${firstRefusal.at}`
  const blocked = refused === 0 ? '' : `; blocked for ${lengthOf(blockedMs)}, ${formatCount(bans, 'ban')}`
  const peaks = `at peak ${groupDigits(peak.minute)} of ${groupDigits(limits.minute)} in a minute and ${groupDigits(peak.day)} of ${groupDigits(limits.day)} in a day`
  return { name: planTitle(plan), value: `${groupDigits(refused)} refused${first}${blocked}; ${peaks}` }
}

function notesOf(
  plans: readonly PlanView[],
  { repeats, demand }: ReplayResult,
  { retries }: ReportFacts,
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
      : [`${placeholders} It serves every call if it allows ${countsOf(demand)}.`]),
  ]
}

const placeholders = "The limits of Enterprise are custom, and pet-mock's are placeholders (A11)."

/** `60 in a minute and 1,000 in a day` */
function countsOf({ minute, day }: ReplayResult['demand']): string {
  return `${groupDigits(minute)} in a minute and ${groupDigits(day)} in a day`
}

type PlanView = ReturnType<typeof viewOf>

/** What a plan would have done, as JSON. */
function viewOf({ plan, run, withoutRepeats, advice }: PlanResult, mask: (text: string) => string) {
  const refusals = run.refusals.slice(0, mostRefusals).map(refusal => {
    const { at, call } = refusal
    return { ...refusal, at: formatInstant(at), call: mask(clip(`${call.method} ${call.target}`)) }
  })
  return {
    plan: plan.name,
    limits: plan.quota,
    calls: run.calls,
    refused: run.refused,
    /** Without the calls that repeat one that was refused when it was recorded; null if there are none. */
    withoutRepeats: withoutRepeats?.refused ?? null,
    firstRefusal: refusals[0] ?? null,
    /** Further ones, the first included. */
    refusals,
    blockedMs: run.blockedMs,
    bans: run.bans,
    peak: run.peak,
    changes: advice.map(({ change, run: { calls, refused, longestWaitMs } }) => {
      return { ...change, suffices: refused === 0, calls, refused, longestWaitMs }
    }),
  }
}

/** A finding for each plan that refuses calls: an error if it is expected to serve them all. */
function findingsOf(
  plans: readonly PlanView[],
  result: ReplayResult,
  { expected }: ReportFacts,
): readonly Finding[] {
  return plans.flatMap((view, index) => {
    const of = result.plans[index]
    if (view.refused === 0 || of === undefined) return []
    return [
      {
        id: view.plan,
        severity: expected.includes(view.plan) ? 'error' : 'info',
        title: `The plan ${planTitle(view.plan)} refuses ${groupDigits(view.refused)} of ${formatCount(view.calls, 'call')}. Clients are blocked for ${lengthOf(view.blockedMs)}, with ${formatCount(view.bans, 'ban')}.`,
        remedy: linesOf(of, result)
          .map(({ text }) => text)
          .join(' '),
        source: 'specification, "Rate limits by plan"; A05 to A10',
        count: view.refused,
        evidence: view.refusals.map(refusal => ({
          what: `${refusal.call} → ${refusal.status}`,
          detail: `${
            refusal.by === 'ban'
              ? 'banned'
              : `the ${groupDigits(view.limits[refusal.by])} calls of this ${refusal.by} are used`
          }, wait ${lengthOf(refusal.waitMs)}`,
          at: refusal.at,
        })),
      },
    ] satisfies readonly Finding[]
  })
}
