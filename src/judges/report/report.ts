import { type Finding, gradeOf } from './finding.ts'
import type { Flight } from './flight.ts'

/** A check that a judge made, with or without a finding. */
interface Check {
  readonly id: string
  /** What must hold, as a sentence without a full stop: `retries back off`. */
  readonly title: string
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
  /** The limits of the report: what was not judged, and why. */
  readonly notes: readonly string[]
  /** Charts, if the judge makes any and they were requested. */
  readonly flights: readonly Flight[]
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

/** `2 errors, 1 warning, 1 expected`, or `no findings`. */
export function countFindings(findings: readonly Finding[]): string {
  const parts = gradeNames.flatMap(([grade, one, many]) => {
    const count = findings.filter(finding => gradeOf(finding) === grade).length
    return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`]
  })
  return parts.length === 0 ? 'no findings' : parts.join(', ')
}
