import type { Finding } from './finding.ts'
import type { Flight } from './flight.ts'

/** A rule that a judge has looked at, whether or not anything was found. */
export interface Check {
  readonly id: string
  /** What must hold, as a sentence without its full stop: `waits as long as Retry-After says`. */
  readonly title: string
}

/** What a judge has to say. A report is a plain value that JSON carries. */
export interface Report {
  /** One word: `conduct`, `contract`. */
  readonly judge: string
  /** What people read above it: `Conduct of the client`. */
  readonly title: string
  readonly checks: readonly Check[]
  /** In the order of `sortFindings`. */
  readonly findings: readonly Finding[]
  /** What was measured, for people: how many calls, which quota at peak. */
  readonly facts: readonly Fact[]
  /** What the reader must know to judge the report: that it is partial, that something was not looked at. */
  readonly notes: readonly string[]
  /** Pictures of what was seen; none, where a judge has none or was not asked. */
  readonly flights: readonly Flight[]
}

export interface Fact {
  readonly name: string
  readonly value: string
}

/** How many of what: `2 errors, 1 warning`, or `no findings`. */
export function countFindings(findings: readonly Finding[]): string {
  const names = {
    error: ['error', 'errors'],
    warning: ['warning', 'warnings'],
    info: ['note', 'notes'],
  } as const
  const parts = (['error', 'warning', 'info'] as const).flatMap(severity => {
    const count = findings.filter(finding => finding.severity === severity).length
    return count === 0 ? [] : [`${count} ${names[severity][count === 1 ? 0 : 1]}`]
  })
  return parts.length === 0 ? 'no findings' : parts.join(', ')
}
