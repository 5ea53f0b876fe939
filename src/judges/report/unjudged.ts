import { formatCount } from '../../base/text/quantities.ts'
import { type Evidence, type Finding, severities, sortFindings, unjudgedId } from './finding.ts'
import type { Check, Report, Unjudged } from './report.ts'

/** This check and the next are common to all judges. What nobody judged may break everything. */
export const unjudgedCheck = { id: unjudgedId, title: 'every call and every check is judged' } as const

export const judgeFailedCheck = { id: 'judge-failed', title: 'pet-mock itself does not fail' } as const

export const commonChecks = [unjudgedCheck, judgeFailedCheck] as const

/** Further calls are only counted. */
const mostEvidence = 20

/** The parts of a report that say what came of each check: the only way to make them. */
export function settleChecks({
  checks,
  findings,
  unjudged,
}: Pick<Report, 'findings' | 'unjudged'> & { readonly checks: readonly Omit<Check, 'result'>[] }) {
  const resultOf = (id: string): Check['result'] => {
    if (findings.some(one => one.id === id && !one.expected)) return 'failed'
    return openFor(id, unjudged).length > 0 ? 'unjudged' : 'passed'
  }
  return {
    checks: checks.map(check => ({ ...check, result: resultOf(check.id) })),
    findings: sortFindings(findings),
    unjudged,
  } satisfies Partial<Report>
}

export function openFor(id: string, unjudged: readonly Unjudged[]): readonly Unjudged[] {
  return id === unjudgedId ? unjudged : unjudged.filter(({ checks }) => checks.includes(id))
}

/**
 * The findings as people read them, and as --fail-on judges them: each names what else its check left open, and what was not
 * judged is a finding, too.
 */
export function shownFindings(report: Pick<Report, 'findings' | 'unjudged'>): readonly Finding[] {
  const { findings, unjudged } = report
  if (unjudged.length === 0) return findings
  const named = findings.map(finding => {
    const besides = openFor(finding.id, unjudged).map(({ count, what, reason }) => {
      const calls = what === 'check' ? 'other calls' : formatCount(count, what)
      return ` Not judged besides: ${calls}, because ${reason}.`
    })
    return { ...finding, title: finding.title + besides.join('') }
  })
  const open: Finding = {
    id: unjudgedId,
    severity: severities.find(severity => unjudged.some(one => one.severity === severity)) ?? 'info',
    title: `${countUnjudged(unjudged)} could not be judged.`,
    remedy:
      'Each has its reason. --fail-on unjudged fails on them, and --fail-on unjudged=never allows them.',
    source: 'pet-mock',
    count: sumOf(unjudged),
    evidence: unjudged.flatMap(rowsOf).slice(0, mostEvidence),
  }
  return sortFindings([...named, open])
}

/** `3 calls and 2 checks`; empty if everything was judged. */
export function countUnjudged(unjudged: readonly Unjudged[]): string {
  const parts = (['call', 'check'] as const).flatMap(what => {
    const count = sumOf(unjudged.filter(one => one.what === what))
    return count === 0 ? [] : [formatCount(count, what)]
  })
  return parts.join(' and ')
}

function sumOf(unjudged: readonly Unjudged[]): number {
  return unjudged.reduce((sum, { count }) => sum + count, 0)
}

/** So many ids in front of a reason help nobody. */
const mostIds = 4

function rowsOf({ checks, count, what, reason, evidence }: Unjudged): readonly Evidence[] {
  const detail = checks.length === 0 || checks.length > mostIds ? reason : `${checks.join(', ')}: ${reason}`
  if (evidence !== undefined) return evidence.map(call => ({ ...call, detail }))
  return [{ what: formatCount(count, what), detail, count }]
}

/** Calls with other reasons are only counted. */
const mostReasons = 20

/** Collects calls that a judge could not judge, in bounded memory. */
export function createUnjudged() {
  /** Calls by their reason. */
  const kinds = new Map<string, { isFailure: boolean; calls: number; rows: Map<string, Evidence> }>()

  /** The detail of the evidence is the reason, as a clause. `isFailure`: pet-mock itself failed. */
  const add = (evidence: Evidence, isFailure = false): void => {
    const isKnown = kinds.has(evidence.detail) || kinds.size < mostReasons
    const further = isFailure ? 'the judge failed in further ways' : 'there were further reasons'
    const reason = isKnown ? evidence.detail : further
    const kind = kinds.get(reason) ?? { isFailure, calls: 0, rows: new Map() }
    kinds.set(reason, kind)
    kind.calls += 1
    const known = kind.rows.get(evidence.what)
    if (known !== undefined) kind.rows.set(evidence.what, { ...known, count: (known.count ?? 1) + 1 })
    else if (kind.rows.size < mostEvidence) kind.rows.set(evidence.what, evidence)
  }

  return {
    add,
    /** `checks`: what each call leaves open. */
    all: (checks: readonly string[]): readonly Unjudged[] =>
      Array.from(kinds, ([reason, { calls, rows }]) => ({
        checks,
        count: calls,
        what: 'call',
        reason,
        evidence: [...rows.values()],
      })),
    /** Defects of pet-mock: these fail every command that judges. */
    failures: (): readonly Finding[] => {
      const failed = [...kinds.values()].filter(({ isFailure }) => isFailure)
      if (failed.length === 0) return []
      const count = failed.reduce((sum, { calls }) => sum + calls, 0)
      return [
        {
          id: judgeFailedCheck.id,
          severity: 'error',
          title: `pet-mock itself failed on ${formatCount(count, 'call')}.`,
          remedy: 'This is a defect of pet-mock: please report it. --fail-on judge-failed=never allows it.',
          source: 'pet-mock',
          count,
          evidence: failed.flatMap(({ rows }) => [...rows.values()]).slice(0, mostEvidence),
        },
      ]
    },
  }
}

/** The reason that an error gives, as a clause. */
export function reasonOf(error: unknown): string {
  return `the judge failed: ${error instanceof Error ? error.message : String(error)}`
}
