import { type Finding, sortFindings } from '../report/finding.ts'
import type { Report } from '../report/report.ts'
import { type CheckId, checkIds, checks } from './checks.ts'
import type { FailedCheck } from './ledger.ts'
import { curlOf, sizeOf } from './request.ts'
import type { CheckOutcome } from './run.ts'

export interface ReportOptions {
  /** The base URL to show. */
  readonly base: string
  readonly plan: string
  readonly seed: number
  /** Whether a failed assumption is an error. */
  readonly isStrict: boolean
  /** Masks the key and other secrets in a text. */
  readonly mask: (text: string) => string
}

/** The report of a run, with every check that was made and a finding for each that failed. */
export function reportOf(outcome: CheckOutcome, options: ReportOptions): Report {
  const { base, plan, seed, mask } = options
  const { calls, failed, checked, seen, unseen, leftOut } = outcome
  const made = checkIds.filter(id => checked.has(id))
  const failedIds = [...new Set(failed.map(({ check }) => check))]
  const missing =
    unseen.length === 0 ? [] : [`Documented responses that were not seen: ${unseen.join(', ')}.`]
  return {
    judge: 'check',
    title: `Check of ${mask(base)}`,
    checks: made.map(id => ({ id, title: `${checks[id].says} (${checks[id].source})` })),
    findings: sortFindings(failedIds.map(id => findingOf(id, failed, options))),
    facts: [
      { name: 'Calls', value: `${calls} (plan ${plan}, seed ${seed})` },
      {
        name: 'Checks',
        value: `${made.length} of ${checkIds.length} made, ${made.length - failedIds.length} passed`,
      },
      { name: 'Responses', value: `${seen.length} of ${seen.length + unseen.length} documented ones seen` },
    ],
    notes: [...missing, ...leftOut.map(note => `Left out: ${note}.`)].map(mask),
    flights: [],
  }
}

function findingOf(
  id: CheckId,
  failed: readonly FailedCheck[],
  { base, isStrict, mask }: ReportOptions,
): Finding {
  const { says, source, isAssumed } = checks[id]
  const basePath = new URL(base).pathname.replace(/\/$/, '')
  const shown = failed
    .filter(({ check }) => check === id)
    .toSorted((a, b) => sizeOf(a.request) - sizeOf(b.request))
  return {
    id,
    severity: isAssumed && !isStrict ? 'info' : 'error',
    title: `Broken: ${says}.`,
    remedy: isAssumed
      ? `The specification leaves this open: it is ${source} of pet-mock (docs/assumptions.md). If your service differs, change the setting that is named there.`
      : `Required by: ${source}.`,
    source,
    count: shown.reduce((sum, { count }) => sum + count, 0),
    evidence: shown.map(({ request, status, detail }) => ({
      what: mask(`${request.method} ${basePath}${request.target} → ${status ?? 'no response'}`),
      detail: mask(detail),
      curl: mask(curlOf(request, base)),
    })),
  }
}
