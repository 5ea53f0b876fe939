import { type Finding, sortFindings } from '../report/finding.ts'
import type { Report } from '../report/report.ts'
import { isAssumed, type RuleId, ruleIds, rules, tellSource } from './checks.ts'
import type { Breakage } from './ledger.ts'
import { curlOf, sizeOf } from './request.ts'
import type { CheckOutcome } from './run.ts'

export interface ReportOptions {
  /** The base URL, as it is to be shown. */
  readonly base: string
  readonly plan: string
  readonly seed: number
  /** Whether what is assumed counts like what is specified. */
  readonly isStrict: boolean
  /** Masks what no report may show. */
  readonly mask: (text: string) => string
}

/** A conformance run as a report: a finding for each rule that was broken, a check for each that was looked at. */
export function reportOf(outcome: CheckOutcome, options: ReportOptions): Report {
  const { base, plan, seed, mask } = options
  const { calls, broken, checked, seen, unseen, leftOut } = outcome
  const looked = ruleIds.filter(id => (checked.get(id) ?? 0) > 0)
  const isBroken = new Set(broken.map(({ rule }) => rule))
  const missing = unseen.length === 0 ? [] : [`Answers that were not seen: ${unseen.join(', ')}.`]
  return {
    judge: 'check',
    title: `Conformance of ${mask(base)}`,
    checks: looked.map(id => ({ id, title: `${rules[id].says} (${tellSource(rules[id].source)})` })),
    findings: sortFindings(ruleIds.filter(id => isBroken.has(id)).map(id => findingOf(id, broken, options))),
    facts: [
      { name: 'Calls', value: `${calls}, with the seed ${seed}, for the plan ${plan}` },
      {
        name: 'Rules',
        value: `${looked.length} of ${ruleIds.length} looked at, ${looked.length - isBroken.size} kept`,
      },
      {
        name: 'Answers',
        value: `${seen.length} of ${seen.length + unseen.length} that the contract documents were seen`,
      },
    ],
    notes: [...missing, ...leftOut.map(note => `Left out: ${note}.`)].map(mask),
    flights: [],
  }
}

function findingOf(
  id: RuleId,
  broken: readonly Breakage[],
  { base, isStrict, mask }: ReportOptions,
): Finding {
  const { says, source } = rules[id]
  const shown = broken
    .filter(({ rule }) => rule === id)
    .toSorted((a, b) => sizeOf(a.request) - sizeOf(b.request))
  return {
    id,
    severity: isAssumed(id) && !isStrict ? 'info' : 'error',
    title: `It does not hold that ${says}.`,
    remedy: isAssumed(id) ? assumed(id) : `It should: ${tellSource(source)}.`,
    source: tellSource(source),
    count: shown.reduce((sum, { count }) => sum + count, 0),
    evidence: shown.map(({ request, status, detail }) => ({
      what: mask(`${request.method} ${pathOf(base)}${request.target} → ${status ?? 'no answer'}`),
      detail: mask(detail),
      curl: mask(curlOf(request, base)),
    })),
  }
}

function pathOf(base: string): string {
  return new URL(base).pathname.replace(/\/$/, '')
}

function assumed(id: RuleId): string {
  return `Nothing says that it must: this is ${tellSource(rules[id].source)} of pet-mock's (docs/assumptions.md). Where the service differs, change the setting that is named there.`
}
