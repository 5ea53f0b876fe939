import { formatCount, groupDigits } from '../../base/text/quantities.ts'
import { formatInstant } from '../../base/time/instant.ts'
import { type Evidence, type Finding, gradeOf, grades, type Severity, unjudgedId } from './finding.ts'
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

export interface SectionedReport extends Report {
  /** The heading's count, if not that of the findings: `29 of 33 situations passed`. */
  readonly summary?: string
  /** What is known of each part, such as the matrix of a rehearsal. */
  readonly tables?: readonly Table[]
  /** What was judged apart, such as the situations of a rehearsal. */
  readonly parts?: readonly Part[]
}

export interface Table {
  readonly title: string
  /** A sentence about the rows. */
  readonly about?: string
  /** The first is that of the names. */
  readonly heads: readonly string[]
  readonly rows: readonly { readonly name: string; readonly cells: readonly Cell[] }[]
  /** Sentences below the rows. */
  readonly lines: readonly string[]
}

export interface Cell {
  readonly text: string
  readonly isWrong?: boolean
  /** The result of its row. */
  readonly mark?: Mark
}

/** The sign of a result in texts, and its emoji in Markdown. */
export const marks = {
  passed: ['✓', '✅'],
  unjudged: ['–', '❔'],
  'not-met': ['○', '⚪'],
  allowed: ['△', '🔶'],
  failed: ['✕', '❌'],
  flaky: ['≈', '⚠️'],
  known: ['!', '☑️'],
} as const satisfies Readonly<Record<string, readonly [sign: string, emoji: string]>>

/** Known: a failure that the baseline has is no news. Allowed: the command failed as it may. */
export type Mark = keyof typeof marks

export interface Part {
  readonly name: string
  readonly title: string
  /** With its mark, in words: `failed, 2 calls not judged`. */
  readonly result: Cell
  readonly isFailing: boolean
  readonly seconds: number
  readonly findings: readonly Finding[]
  /** What was checked, with its findings. */
  readonly cases: readonly Case[]
  readonly facts: readonly Fact[]
  readonly notes: readonly string[]
  /** The calls around its failure. */
  readonly calls: readonly Evidence[]
  readonly flight: Flight | undefined
  /** What the command wrote. */
  readonly output: string
}

export interface Case {
  readonly name: string
  readonly findings: readonly Finding[]
  /** Why the case has no result. A case that fails has one. */
  readonly skipped?: string | undefined
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

/** `2 errors, 1 warning, 1 expected, 3 not judged`, or `no findings`. */
export function countFindings(findings: readonly Finding[]): string {
  const parts = (['error', 'warning', 'info', 'expected'] as const).flatMap(grade => {
    const count = findings.filter(finding => gradeOf(finding) === grade).length
    const one = grades[grade].heading.toLowerCase()
    return count === 0 ? [] : [formatCount(count, one, grade === 'expected' ? one : undefined)]
  })
  const open = findings.find(finding => gradeOf(finding) === unjudgedId)
  if (open !== undefined) parts.push(`${groupDigits(open.count)} not judged`)
  return parts.length === 0 ? 'no findings' : parts.join(', ')
}

/** The formats of reports, by file extension. */
export const reportExtensions = ['.json', '.xml', '.md', '.html'] as const
export type ReportExtension = (typeof reportExtensions)[number]

export function extensionOf(path: string): ReportExtension | undefined {
  return reportExtensions.find(extension => path.toLowerCase().endsWith(extension))
}

/** Where reports come from. A file may be read long after it was written. */
export interface ReportHead {
  /** Milliseconds since the epoch. */
  readonly writtenAt: number
  readonly version: string
  /** With secrets masked. */
  readonly command: string
  /** The scenario that ran, if the command knows it. */
  readonly scenario?: string | undefined
}

export function headFacts({ writtenAt, version, command, scenario }: ReportHead): readonly Fact[] {
  return [
    { name: 'Date', value: `${formatInstant(writtenAt).slice(0, 19).replace('T', ' ')} UTC` },
    { name: 'pet-mock', value: version },
    ...(scenario === undefined ? [] : [{ name: 'Scenario', value: scenario }]),
    { name: 'Command', value: command },
  ]
}

/** How much was judged: `3 calls; 1 broke the contract`. `none`: why nothing was. */
export function judgedFact(
  count: number,
  what: string,
  { about = '', none }: { readonly about?: string; readonly none: string },
): Fact {
  return { name: 'Judged', value: formatCount(count, what) + (count === 0 ? `: ${none}` : about) }
}
