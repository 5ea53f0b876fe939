/*
 * The findings of every judge: conduct of a client, contract of a server. A judge returns a Report (report.ts), and
 * `write-report.ts` writes it in the format of a file's extension:
 *
 *     const report: Report = { judge: 'contract', title: 'Contract', checks, findings: sortFindings(findings), facts, notes, flights: [] }
 *     writeReport('.xml', [report], failsOn(failOn))
 *
 * The judge masks keys in all texts. Writers escape the texts.
 */

export const severities = ['error', 'warning', 'info'] as const
export type Severity = (typeof severities)[number]

/** One kind of mistake, however often it occurred. */
export interface Finding {
  /** The id of its check: `early-retry`. */
  readonly id: string
  readonly severity: Severity
  /** What was found, as a sentence with its numbers. */
  readonly title: string
  /** What to do, in sentences. */
  readonly remedy: string
  /** The origin of the check: the specification, the contract, an assumption, an RFC. */
  readonly source: string
  /** How often it occurred; `evidence` may hold fewer calls. */
  readonly count: number
  /** The first calls. */
  readonly evidence: readonly Evidence[]
}

/** A call that shows a finding, or several similar ones. */
export interface Evidence {
  /** The call and its response: `GET /v1/pets?limit=5 → 429`. */
  readonly what: string
  /** Details of the mistake: `58.2 s before Retry-After was over`. */
  readonly detail: string
  /** The number of similar calls, 1 by default. */
  readonly count?: number
  /** RFC 3339, on the clock of the judged server. */
  readonly at?: string
  /** Its id in the journal of `sandbox`. */
  readonly request?: number
  readonly sandbox?: string
  /** A masked key, or the call site that the call names. */
  readonly caller?: string
  /** A shell command that repeats it. */
  readonly curl?: string
}

/** The worst first, then by id, so that equal runs have equal reports. */
export function sortFindings(findings: readonly Finding[]): readonly Finding[] {
  return findings.toSorted(
    (one, other) =>
      severities.indexOf(one.severity) - severities.indexOf(other.severity) || (one.id < other.id ? -1 : 1),
  )
}
