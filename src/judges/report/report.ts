import { formatCount, groupDigits } from '../../base/text/quantities.ts'
import { type Evidence, type Finding, gradeOf, type Severity, unjudgedId } from './finding.ts'
import type { Flight } from './flight.ts'

/** A check that a judge made, with or without a finding. */
export interface Check {
  readonly id: string
  /** What must hold, as a sentence without a full stop: `retries back off`. */
  readonly title: string
  /** Failed: it has an unexpected finding, perhaps only a note. Unjudged: it has none, and something stays open. */
  readonly result: 'passed' | 'failed' | 'unjudged'
}

/** The result of a judge. A report is plain JSON. */
export interface Report {
  /** One word: `conduct`, `contract`. */
  readonly judge: string
  /** The heading: `Conduct of the client`. */
  readonly title: string
  readonly checks: readonly Check[]
  /** In the order of `sortFindings`. */
  readonly findings: readonly Finding[]
  /** Measurements: the number of calls, the peak of a quota. */
  readonly facts: readonly Fact[]
  /** Other limits of the report. */
  readonly notes: readonly string[]
  /** What was seen or planned, and not judged. */
  readonly unjudged: readonly Unjudged[]
  /** Charts, if the judge makes any and they were requested. */
  readonly flights: readonly Flight[]
}

/**
 * What a judge saw or planned, and could not judge. Not what the user left out, what the run did not come to, and calls that are
 * excused.
 */
export interface Unjudged {
  /** The ids of the checks that stay open. */
  readonly checks: readonly string[]
  readonly count: number
  readonly what: 'call' | 'check'
  /** Why, as a clause. */
  readonly reason: string
  /** Of the finding that it becomes in reports. Default: `info`. */
  readonly severity?: Severity
  /** The first calls. Reports show the reason beside each. */
  readonly evidence?: readonly Evidence[]
}

export interface Fact {
  readonly name: string
  readonly value: string
}

const gradeNames = [
  ['error', 'error', 'errors'],
  ['warning', 'warning', 'warnings'],
  ['info', 'note', 'notes'],
  ['expected', 'expected', 'expected'],
] as const

/** `2 errors, 1 warning, 1 expected, 3 not judged`, or `no findings`. */
export function countFindings(findings: readonly Finding[]): string {
  const parts = gradeNames.flatMap(([grade, one, many]) => {
    const count = findings.filter(finding => gradeOf(finding) === grade).length
    return count === 0 ? [] : [formatCount(count, one, many)]
  })
  const open = findings.find(finding => gradeOf(finding) === unjudgedId)
  if (open !== undefined) parts.push(`${groupDigits(open.count)} not judged`)
  return parts.length === 0 ? 'no findings' : parts.join(', ')
}
