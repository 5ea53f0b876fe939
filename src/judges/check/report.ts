import { type Finding, sortFindings } from '../report/finding.ts'
import { judgedFact, notJudged } from '../report/judged.ts'
import type { Report } from '../report/report.ts'
import { type CheckId, checkIds, checks } from './calls/checks.ts'
import type { FailedCheck } from './calls/ledger.ts'
import { curlOf, sizeOf, targetOf } from './calls/request.ts'
import type { NotChecked } from './not-checked.ts'
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
  const { calls, failed, checked, notChecked, seen, unseen, leftOut } = outcome
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
      judgedFact(calls, 'call', { about: ` (plan ${plan}, seed ${seed})`, none: 'no call was made' }),
      {
        name: 'Checks',
        value: `${made.length} of ${checkIds.length} made, ${made.length - failedIds.length} passed`,
      },
      { name: 'Responses', value: `${seen.length} of ${seen.length + unseen.length} documented ones seen` },
    ],
    notes: [...missing, ...leftOut.map(note => `Left out: ${note}.`), ...reasons(notChecked)].map(mask),
    flights: [],
  }
}

/** One line for each reason, with its checks. */
function reasons(notChecked: readonly NotChecked[]): readonly string[] {
  const all = [...new Set(notChecked.map(({ reason }) => reason))]
  return all.map(reason => {
    const ids = notChecked.filter(one => one.reason === reason).map(({ id }) => id)
    return notJudged(ids.join(', '), reason)
  })
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
      ? `The service may differ here: the specification does not say this (${source} of pet-mock, docs/assumptions.md).`
      : `Required by: ${source}.`,
    source,
    count: shown.reduce((sum, { count }) => sum + count, 0),
    evidence: shown.map(({ request, status, detail }) => ({
      what: mask(`${request.method} ${targetOf(request, basePath)} → ${status ?? 'no response'}`),
      detail: mask(detail),
      curl: mask(curlOf(request, base)),
    })),
  }
}
