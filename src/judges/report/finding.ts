/*
 * The findings of every judge: conduct of a client, contract of a server. A judge returns a Report (report.ts) and masks the
 * keys in all its texts; writers (write-report.ts) escape the texts.
 */

export const severities = ['error', 'warning', 'info'] as const
export type Severity = (typeof severities)[number]

/** One kind of mistake, however often it occurred. */
export interface Finding {
  /** The id of its check: `early-retry`. */
  readonly id: string
  readonly severity: Severity
  /** A test expected it, so it fails nothing. Unexpected occurrences are a finding of their own. */
  readonly expected?: true
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
  /** The instances of a rehearsed command that did it. */
  readonly instances?: readonly number[]
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
  /** The instance of a rehearsed command that made it. */
  readonly instance?: number
  /** A shell command that repeats it. */
  readonly curl?: string
}

/** The worst first, expected ones last, then by id, so that equal runs have equal reports. */
export function sortFindings(findings: readonly Finding[]): readonly Finding[] {
  return findings.toSorted((one, other) => rankOf(one) - rankOf(other) || (one.id < other.id ? -1 : 1))
}

/** From 0 for the worst. */
export function rankOf({ severity, expected }: Finding): number {
  return severities.indexOf(severity) + (expected ? severities.length : 0)
}

/** The id of the finding about what nobody could judge. */
export const unjudgedId = 'unjudged'

export type Grade = Severity | 'expected' | typeof unjudgedId

/** What reports call it. */
export function gradeOf({ id, severity, expected }: Finding): Grade {
  if (id === unjudgedId) return unjudgedId
  return expected ? 'expected' : severity
}

/** How reports show a grade: in texts, as a heading, as a sign, and as a workflow command of GitHub Actions. */
export const grades = {
  error: { name: 'error', heading: 'Error', sign: '❌', command: 'error' },
  warning: { name: 'warning', heading: 'Warning', sign: '⚠️', command: 'warning' },
  info: { name: 'info', heading: 'Note', sign: 'ℹ️', command: 'notice' },
  expected: { name: 'expected', heading: 'Expected', sign: '✅', command: 'notice' },
  unjudged: { name: 'not judged', heading: 'Not judged', sign: '❔', command: 'notice' },
} as const satisfies Readonly<Record<Grade, object>>

export function gradeName(finding: Finding): string {
  return grades[gradeOf(finding)].name
}

/** The title after the instances that did it: `Instances 2, 7, 9: …`. */
export function titleOfInstances({ title, instances = [] }: Finding): string {
  if (instances.length === 0) return title
  return `Instance${instances.length === 1 ? '' : 's'} ${instances.join(', ')}: ${title}`
}

/** Time, id and caller of a call: `12:00:03Z · #17 in worker-3 · demo-f…`. */
export function whereabouts(evidence: Evidence): string {
  const { at, caller, instance } = evidence
  const instanceText = instance === undefined ? '' : `instance ${instance}`
  return [at, placeOf(evidence), caller, instanceText].filter(part => part).join(' · ')
}

/** Its number in its sandbox: `#17 in worker-3`. */
export function placeOf({ request, sandbox }: Evidence): string {
  const place = sandbox === undefined || sandbox === 'default' ? '' : ` in ${sandbox}`
  return request === undefined ? place.trim() : `#${request}${place}`
}

/** The number of calls that the evidence leaves out. A finding without evidence is about no call. */
export function furtherCalls({ count, evidence }: Pick<Finding, 'count' | 'evidence'>): number {
  if (evidence.length === 0) return 0
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

export const failLevels = ['error', 'warning', 'never'] as const
export type FailLevel = (typeof failLevels)[number]

/** Decides which findings make a command fail. */
export interface FailOn {
  /** This severity and worse. */
  readonly level: FailLevel
  /** Overrides the level for single findings. */
  readonly ids: ReadonlyMap<string, boolean>
}

export const defaultFailOn: FailOn = { level: 'error', ids: new Map() }

type Judged = Pick<Finding, 'id' | 'severity' | 'expected'>

/** An expected finding never fails. */
export function failsOn({ level, ids }: FailOn): (finding: Judged) => boolean {
  return ({ id, severity, expected }) => {
    if (expected) return false
    const own = ids.get(id)
    if (own !== undefined) return own
    return level !== 'never' && (severity === 'error' || (severity === 'warning' && level === 'warning'))
  }
}
