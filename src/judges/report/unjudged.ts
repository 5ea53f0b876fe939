import { formatCount } from '../../base/text/quantities.ts'
import type { Evidence, Finding, Severity } from './finding.ts'
import { notJudged } from './judged.ts'

/** The check that every judge has in common. A call that it could not judge may break everything. */
export const unjudgedCheck = { id: 'not-judged', title: 'every call must be judged' } as const

/** Further calls are only counted. */
const mostEvidence = 20

/** Collects the calls that a judge could not judge, in bounded memory. */
export function createUnjudged(severity: Severity) {
  const rows = new Map<string, Evidence>()
  let count = 0
  const calls = () => formatCount(count, 'call')
  return {
    /** The detail of the evidence is the reason. */
    add: (evidence: Evidence): void => {
      count += 1
      const row = `${evidence.what} ${evidence.detail}`
      const known = rows.get(row)
      if (known !== undefined) rows.set(row, { ...known, count: (known.count ?? 1) + 1 })
      else if (rows.size < mostEvidence) rows.set(row, evidence)
    },
    notes: (): readonly string[] =>
      count === 0 ? [] : [notJudged(calls(), `the finding ${unjudgedCheck.id} has the reasons`)],
    findings: (): readonly Finding[] => {
      if (count === 0) return []
      const evidence = [...rows.values()]
      return [
        {
          id: unjudgedCheck.id,
          severity,
          title: `${calls()} could not be judged.`,
          remedy:
            'The reason is beside each call. --fail-on not-judged=never allows calls without a verdict.',
          source: 'pet-mock',
          count,
          evidence,
        },
      ]
    },
  }
}

/** The reason that an error gives, as a sentence without its full stop. */
export function reasonOf(error: unknown): string {
  return `The check failed: ${error instanceof Error ? error.message : String(error)}`
}
