import { maskKey } from '../../service/keys/mask.ts'
import { windowNames } from '../../service/limits/window.ts'
import type { Quota } from '../../service/plans/plan.ts'
import { type Finding, sortFindings } from '../report/finding.ts'
import type { Flight } from '../report/flight.ts'
import type { Fact, Report } from '../report/report.ts'
import type { Caller } from './caller.ts'
import { conductChecks, conductIds } from './checks.ts'
import type { Conduct } from './conduct.ts'
import { smallestPlan, type Usage } from './usage.ts'

/** What a key used at its peak; the windows of several sandboxes are told by the fullest. */
export interface KeyUsage {
  /** Masked. */
  readonly key: string
  readonly plan: string | null
  readonly calls: number
  /** By a limit or a ban. */
  readonly refused: number
  readonly peak: { readonly minute: WindowPeak; readonly day: WindowPeak }
  /** The smallest plan that would have served every call; null: none is large enough. */
  readonly smallestPlan: string | null
}

export interface WindowPeak {
  readonly used: number
  readonly limit: number
  /** What it would have had to take, had nothing been refused. */
  readonly wanted: number
}

export interface ConductReport extends Report {
  readonly judge: 'conduct'
  readonly calls: number
  /** By key, the busiest first. */
  readonly usage: readonly KeyUsage[]
}

export interface ReportOptions {
  readonly plans: Iterable<readonly [string, Quota]>
  /** Exchanges that are no longer there to be judged. */
  readonly evicted: number
  /** Whether pictures are wanted: each has up to a thousand calls. */
  readonly flights: boolean
}

export function reportConduct(conduct: Conduct, { plans, evicted, flights }: ReportOptions): ConductReport {
  const all = [...plans]
  const usage = [...conduct.usage()]
    .map(([key, used]) => showUsage(key, used, all))
    .toSorted((one, other) => other.calls - one.calls)
  const drawn = flights ? drawnCallers(conduct.callers()) : []
  const omitted = flights ? conduct.callers().length - drawn.length : 0
  return {
    judge: 'conduct',
    title: 'Conduct of the client',
    checks: conductIds.map(id => ({ id, title: conductChecks[id].check })),
    findings: sortFindings([...conduct.tally.findings(), ...peakFinding(usage)]),
    facts: factsOf(usage),
    notes: [
      ...(evicted === 0
        ? []
        : [
            `This is partial: the journal keeps the last calls only, and ${evicted} older ones were not judged. pet-mock exec judges every call.`,
          ]),
      ...(conduct.calls() === 0 ? ['No call was made.'] : []),
      ...(omitted === 0 ? [] : [`${omitted} further callers have no picture.`]),
    ],
    flights: drawn.map(flightOf),
    calls: conduct.calls(),
    usage,
  }
}

function showUsage(
  key: string,
  { plan, calls, refused, peak, wanted }: Usage,
  plans: readonly (readonly [string, Quota])[],
): KeyUsage {
  const [minute, day] = windowNames.map(name => ({ ...peak[name], wanted: wanted[name] }))
  return {
    key: maskKey(key),
    plan: plan ?? null,
    calls,
    refused,
    peak: { minute: minute ?? noPeak, day: day ?? noPeak },
    smallestPlan: smallestPlan({ wanted }, plans) ?? null,
  }
}

const noPeak: WindowPeak = { used: 0, limit: 0, wanted: 0 }

/** Suites that make a key for each test have hundreds. */
const mostFacts = 10

function factsOf(usage: readonly KeyUsage[]): readonly Fact[] {
  const further = usage.slice(mostFacts)
  if (further.length === 0) return usage.map(factOf)
  const calls = further.reduce((sum, used) => sum + used.calls, 0)
  const rest = { name: `${further.length} more`, value: `${calls} calls of keys that made fewer` }
  return [...usage.slice(0, mostFacts).map(factOf), rest]
}

function factOf(usage: KeyUsage): Fact {
  const { key, plan, calls, refused } = usage
  const count = calls === 1 ? '1 call' : `${calls} calls`
  const value = `${count}, ${refused} refused`
  // Of a service that does not tell its limits, nothing is known of them.
  return plan === null
    ? { name: key, value }
    : { name: `${key} (${plan})`, value: `${value}; ${peakOf(usage)}` }
}

function peakOf({ peak: { minute, day }, smallestPlan: plan }: KeyUsage): string {
  const used = `at peak ${minute.used} of ${minute.limit} in a minute and ${day.used} of ${day.limit} in a day`
  return `${used}; ${plan === null ? 'no plan here would have served all of it' : `the smallest plan that would have served all of it: ${plan}`}`
}

/** Parts of a quota from which it is worth telling. */
const nearlyAll = 0.8

function peakFinding(usage: readonly KeyUsage[]): readonly Finding[] {
  const full = usage.filter(({ peak: { minute, day } }) =>
    [minute, day].some(({ limit, wanted }) => limit > 0 && wanted >= limit * nearlyAll),
  )
  if (full.length === 0) return []
  const { severity, title, remedy, source } = conductChecks['quota-peak']
  const evidence = full.slice(0, mostFacts).map(used => ({ what: factName(used), detail: peakOf(used) }))
  return [
    {
      id: 'quota-peak',
      severity,
      title: title(full.length, 0),
      remedy,
      source,
      count: full.length,
      evidence,
    },
  ]
}

function factName({ key, plan }: KeyUsage): string {
  return plan === null ? key : `${key} on the plan ${plan}`
}

const mostPictures = 12

/** Those of which the most was noted first, then the busiest. */
function drawnCallers(callers: readonly Caller[]): readonly Caller[] {
  return callers
    .toSorted((one, other) => other.noted() - one.noted() || other.usage.calls - one.usage.calls)
    .slice(0, mostPictures)
}

function flightOf({ key, sandbox, flight }: Caller): Flight {
  const who = key === undefined ? 'calls without a valid key' : maskKey(key)
  return flight.flight(sandbox === 'default' ? who : `${who} in ${sandbox}`)
}
