/*
 * What a judge finds, whichever judge it is: conduct of a client, contract of a server. A judge makes a Report (report.ts)
 * of its findings; the files beside this one tell it: `write-report.ts` picks the form by the ending of a file. Whoever
 * adds a judge writes no form of its own:
 *
 *     const report: Report = { judge: 'contract', title: 'Contract', checks, findings: sortFindings(findings), facts, notes, flights: [] }
 *     writeReport('.xml', [report], failsOn(failOn))
 *
 * Texts are for people and hold no key in full: who makes a finding masks them. They need no escaping.
 */

export const severities = ['error', 'warning', 'info'] as const
export type Severity = (typeof severities)[number]

/** One thing that was found, however often it was. */
export interface Finding {
  /** A rule of its judge, in kebab-case: `early-retry`. The same id is in the report's checks. */
  readonly id: string
  readonly severity: Severity
  /** What was found, as a sentence with its numbers. */
  readonly title: string
  /** What to do about it, in sentences. */
  readonly remedy: string
  /** Where the rule is from: the specification, the contract, an assumption, an RFC. */
  readonly source: string
  /** How often it was seen; `evidence` may hold fewer. */
  readonly count: number
  /** What shows it, the first ones first. */
  readonly evidence: readonly Evidence[]
}

/** A call that shows a finding, or a row of several that are alike. */
export interface Evidence {
  /** The call and its answer: `GET /v1/pets?limit=5 → 429`. */
  readonly what: string
  /** What about it: `58.2 s before Retry-After was over`. */
  readonly detail: string
  /** For how many calls it stands; without it, for one. */
  readonly count?: number
  /** When, on the judged server's clock: RFC 3339. */
  readonly at?: string
  /** Its number in the journal of `sandbox`. */
  readonly request?: number
  readonly sandbox?: string
  /** Who called: a masked key, or what the call says of where it is from. */
  readonly caller?: string
  /** A line for a shell that shows it again. */
  readonly curl?: string
}

/** The worst first, then by id: reports of equal runs are equal. */
export function sortFindings(findings: readonly Finding[]): readonly Finding[] {
  return findings.toSorted(
    (one, other) =>
      severities.indexOf(one.severity) - severities.indexOf(other.severity) || (one.id < other.id ? -1 : 1),
  )
}
