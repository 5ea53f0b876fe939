import type { Evidence, Finding } from './finding.ts'

/** Time, id and caller of a call: `12:00:03Z · #17 in worker-3 · demo-f…`. */
export function whereabouts({ at, request, sandbox, caller }: Evidence): string {
  const place = sandbox === undefined || sandbox === 'default' ? '' : ` in ${sandbox}`
  const number = request === undefined ? place.trim() : `#${request}${place}`
  return [at, number, caller].filter(part => part !== undefined && part !== '').join(' · ')
}

/** The number of calls that the evidence leaves out. */
export function furtherCalls({ count, evidence }: Pick<Finding, 'count' | 'evidence'>): number {
  return Math.max(0, count - evidence.reduce((sum, { count: calls = 1 }) => sum + calls, 0))
}

/** Evidence as lines of plain text. */
export function evidenceLines(finding: Finding, most = finding.evidence.length): readonly string[] {
  const shown = finding.evidence.slice(0, most)
  const lines = shown.flatMap(evidence => [
    [evidence.what, evidence.detail, whereabouts(evidence)].filter(part => part !== '').join(' · '),
    ...(evidence.curl === undefined ? [] : [evidence.curl]),
  ])
  const further = furtherCalls({ count: finding.count, evidence: shown })
  return further > 0 ? [...lines, `and ${further} more`] : lines
}
