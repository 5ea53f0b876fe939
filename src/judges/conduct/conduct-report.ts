import { formatCount, formatShare, groupDigits } from '../../base/text/quantities.ts'
import type { Expectation } from '../../emulator/worlds/expectations.ts'
import type { WindowName } from '../../service/limits/limiter.ts'
import type { Quota } from '../../service/plans/plan.ts'
import type { Finding } from '../report/finding.ts'
import type { Fact, Report, Unjudged } from '../report/report.ts'
import { commonChecks, settleChecks } from '../report/unjudged.ts'
import { conductChecks, conductIds } from './checks.ts'
import type { Conduct } from './conduct.ts'
import { type Expected, type ExpectedFinding, expectedCheck, missingFindings } from './expected.ts'
import { smallestPlan } from './usage.ts'

/** The peak usage of a key. With several sandboxes, each window is the one of the sandbox that used most of it. */
export interface KeyUsage {
  /** Masked. */
  readonly key: string
  readonly plan: string | null
  readonly calls: number
  /** Refused by a limit or a ban. */
  readonly refused: number
  readonly peak: { readonly minute: WindowPeak; readonly day: WindowPeak }
  /** The smallest plan that would have served every call; null: none is large enough. */
  readonly smallestPlan: string | null
}

interface WindowPeak {
  readonly used: number
  readonly limit: number
  /** What the scenario says was used before the client's first call. */
  readonly start: number
  /** The calls that the window would have had if nothing had been refused. */
  readonly wanted: number
}

export interface ConductReport extends Report {
  readonly judge: 'conduct'
  readonly calls: number
  /** Calls that the journal dropped before they could be judged. */
  readonly evicted: number
  /** By key, the busiest first. */
  readonly usage: readonly KeyUsage[]
  /** What tests expected, and how often it came. */
  readonly expected: readonly ExpectedFinding[]
}

/** `evicted`: exchanges that the journal no longer has. `flights`: include charts, each with up to a thousand calls. */
export function reportConduct(
  conduct: Conduct,
  options: {
    readonly plans: Iterable<readonly [string, Quota]>
    readonly evicted: number
    readonly flights: boolean
    readonly expected?: Expected
    /** Further calls that were seen and not judged. */
    readonly unjudged?: readonly Unjudged[]
    /** Why there were no calls, if there were none, as a clause. */
    readonly ifNoCalls?: string
  },
): ConductReport {
  const { evicted, flights, expected = { all: [], forgotten: 0 }, unjudged = [] } = options
  const { ifNoCalls = 'no call was made' } = options
  const isIdle = conduct.calls() === 0 && evicted === 0
  const idle = { checks: conductIds, count: conductIds.length, what: 'check', reason: ifNoCalls } as const
  const came = conduct.came()
  const countOf = (one: Expectation) => came.get(one) ?? 0
  const missing = expected.all.filter(one => countOf(one) === 0)
  const isUnknown = (one: Expectation) => evicted > 0 || conduct.doubted.has(one)
  const unknown = missing.filter(isUnknown)
  const plans = [...options.plans]
  const usage = Array.from(conduct.usage(), ([key, used]): KeyUsage => {
    const { plan = null, calls, refused, peak, wanted } = used
    const peakOf = (name: WindowName) => ({ ...peak[name], wanted: wanted[name] })
    return {
      key: conduct.maskKey(key),
      plan,
      calls,
      refused,
      peak: { minute: peakOf('minute'), day: peakOf('day') },
      smallestPlan: smallestPlan(used, plans) ?? null,
    }
  }).toSorted((one, other) => other.calls - one.calls)
  const callers = flights ? conduct.callers() : []
  const drawn = callers
    .toSorted((one, other) => other.usage.refused - one.usage.refused || other.usage.calls - one.usage.calls)
    .slice(0, mostCharts)
  return {
    judge: 'conduct',
    title: 'Conduct of the client',
    ...settleChecks({
      checks: [
        ...conductIds.map(id => ({ id, title: conductChecks[id].requirement })),
        ...commonChecks,
        ...(expected.all.length === 0 ? [] : [expectedCheck]),
      ],
      findings: [
        ...conduct.unjudged.failures(),
        ...missingFindings(missing.filter(one => !isUnknown(one))),
        ...conduct.findings(),
        ...peakFinding(usage),
      ],
      unjudged: [
        ...(evicted === 0
          ? []
          : [{ checks: conductIds, count: evicted, what: 'call' as const, reason: evictedReason }]),
        ...(isIdle && unjudged.length === 0 ? [idle] : unjudged),
        ...conduct.unjudged.all(conductIds),
        ...conduct.doubts(),
      ].map((one: Unjudged) =>
        unknown.some(({ id }) => one.checks.includes(id))
          ? { ...one, checks: [...one.checks, expectedCheck.id] }
          : one,
      ),
    }),
    facts: factsOf(usage),
    notes: notesOf(conduct, expected.forgotten, callers.length - drawn.length),
    flights: drawn.map(({ key, sandbox, flight }) => {
      const caller = key === undefined ? 'no valid key' : conduct.maskKey(key)
      return flight.flight(sandbox === 'default' ? caller : `${caller} in ${sandbox}`)
    }),
    calls: conduct.calls(),
    evicted,
    usage,
    expected: expected.all.map(expectation => {
      const { id, sandbox, from } = expectation
      return { id, sandbox, from, count: countOf(expectation) }
    }),
  }
}

const mostCharts = 12
const evictedReason = 'the journal no longer has these older calls; pet-mock exec judges every call'

/** `forgotten`: expectations. `omitted`: charts. */
function notesOf(conduct: Conduct, forgotten: number, omitted: number): readonly string[] {
  return [
    conduct.forgotten() !== 0 &&
      `Callers that made room for newer ones: ${conduct.forgotten()}. A later call of theirs counts as their first.`,
    forgotten !== 0 && `Expected findings of earlier tests that are not checked here: ${forgotten}.`,
    omitted !== 0 && `${omitted} more callers have no chart.`,
  ].filter(note => note !== false)
}

/** A suite with a key for each test has hundreds of keys. */
const mostFacts = 10

function factsOf(usage: readonly KeyUsage[]): readonly Fact[] {
  const rest = usage.slice(mostFacts)
  const facts = usage.slice(0, mostFacts).map(factOf)
  if (rest.length === 0) return facts
  const calls = rest.reduce((sum, used) => sum + used.calls, 0)
  return [...facts, { name: `${rest.length} more keys`, value: `${calls} calls in all` }]
}

function factOf(usage: KeyUsage): Fact {
  const { key, plan, calls, refused } = usage
  const value = `${formatCount(calls, 'call')}, ${refused} refused`
  // A service that sends no limits has no known peak.
  return plan === null
    ? { name: key, value }
    : { name: `${key} (${plan})`, value: `${value}; ${formatPeak(usage)}` }
}

function formatPeak({ peak: { minute, day }, smallestPlan: plan }: KeyUsage): string {
  const enough = plan === null ? 'no plan is large enough' : `the plan ${plan} is large enough`
  const shareOf = ({ used, limit, start }: WindowPeak) =>
    `${formatShare(used, limit)}${start === 0 ? '' : ` (besides ${groupDigits(start)} at the start)`}`
  return `at peak ${shareOf(minute)} in a minute and ${shareOf(day)} in a day; ${enough}`
}

/** The share of a limit that is worth a finding. */
const nearlyAll = 0.8

function peakFinding(usage: readonly KeyUsage[]): readonly Finding[] {
  const full = usage.filter(({ peak: { minute, day } }) =>
    [minute, day].some(({ limit, wanted }) => limit > 0 && wanted >= limit * nearlyAll),
  )
  if (full.length === 0) return []
  const { severity, title, remedy, source } = conductChecks['quota-peak']
  const evidence = full.slice(0, mostFacts).map(used => ({
    what: used.plan === null ? used.key : `${used.key} on the plan ${used.plan}`,
    detail: formatPeak(used),
  }))
  const count = full.length
  return [{ id: 'quota-peak', severity, title: title(count, 0), remedy, source, count, evidence }]
}
