import { formatCount } from '../../base/text/quantities.ts'
import { conductChecks, conductIds } from '../conduct/checks.ts'
import { expectedCheck } from '../conduct/expected.ts'
import type { Finding } from '../report/finding.ts'
import type { Mark } from '../report/report.ts'
import { countUnjudged, unjudgedCheck } from '../report/unjudged.ts'
import type { ClientRun } from './client-run.ts'
import { type Reason, sortReasons } from './reason.ts'
import ownReasons from './reasons.json' with { type: 'json' }
import type { LifetimeRow } from './sunset.ts'
import { isFailing, isNothingMet, markOf, type SituationVerdict } from './verdict.ts'

/** How ready a client is for the service, as plain JSON. */
export type Certificate = Readonly<ReturnType<typeof createCertificate>>

/** `notes`: on the baseline, and on situations that were left out. */
export function createCertificate(options: {
  readonly command: string
  readonly calm: ClientRun
  readonly verdicts: readonly SituationVerdict[]
  readonly seed?: number | undefined
  readonly notes?: readonly string[]
  readonly sunset?: readonly LifetimeRow[] | undefined
}) {
  const { command, calm, verdicts, seed, notes = [], sunset } = options
  return {
    version: 1,
    /** Whether a situation fails that the baseline does not have, or none was met. */
    failed: verdicts.some(isFailing) || isNothingMet(verdicts),
    /** In words: `29 of 33 situations passed, 2 failed, 2 not met`. */
    summary: formatCounts(verdicts),
    /** With keys masked. */
    command,
    seed: seed ?? null,
    calm: { calls: calm.facts.calls, durationMs: calm.durationMs },
    remedies: remediesOf(verdicts),
    situations: verdicts,
    /** Calls of deprecated operations by call site, if a sunset was rehearsed. */
    sunset: sunset ?? null,
    /** What the baseline has and should not have, and how many situations were left out. */
    notes,
  }
}

const requirements: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(ownReasons).map(([id, { requirement }]) => [id, requirement])),
  [unjudgedCheck.id]: unjudgedCheck.title,
  [expectedCheck.id]: expectedCheck.title,
  ...Object.fromEntries(conductIds.map(id => [id, conductChecks[id].requirement])),
}

/** What to fix: the worst first, then the most frequent. What the baseline has everywhere is `expected`. */
function remediesOf(verdicts: readonly SituationVerdict[]): readonly Finding[] {
  const groups = new Map<string, (readonly [SituationVerdict, Reason])[]>()
  for (const verdict of verdicts)
    for (const reason of verdict.reasons) {
      const cause = `${reason.expected ?? ''} ${reason.remedy}`
      const isSame = (other: Reason) =>
        other.id === 'recovery' && `${other.expected ?? ''} ${other.remedy}` === cause
      // An exit code that a missing recovery explains would repeat its remedy.
      if (reason.id === 'exit-code' && verdict.reasons.some(isSame)) continue
      const key = `${reason.id} ${cause}`
      groups.set(key, [...(groups.get(key) ?? []), [verdict, reason]])
    }
  const remedies = Array.from(groups.values(), group => remedyOf(group, verdicts.length))
  if (isNothingMet(verdicts))
    remedies.push({
      id: nothingMetId,
      severity: 'error',
      title: 'Expected: the client meets a situation. It met none, so nothing was judged.',
      remedy:
        'Let the command make more calls, or other ones. With --only, choose situations that its calls can meet.',
      source: 'PET_MOCK_SITUATION',
      count: verdicts.length,
      evidence: verdicts
        .slice(0, mostSituations)
        .map(({ name, unmet }) => ({ what: name, detail: `The client ${unmet ?? ''}.` })),
    })
  const byCount = remedies.flatMap(remedy => remedy ?? []).toSorted((one, other) => other.count - one.count)
  return sortReasons(byCount)
}

/** A rehearsal that judged nothing. */
export const nothingMetId = 'nothing-met'

/** With more situations, the others are only counted. */
const mostSituations = 50

function remedyOf(group: readonly (readonly [SituationVerdict, Reason])[], all: number): Finding | undefined {
  const [first] = group
  if (first === undefined) return undefined
  const [, { id, severity, expected, remedy, source }] = first
  const count = group.length
  return {
    id,
    severity,
    ...(expected && { expected }),
    title: `Expected: ${requirements[id] ?? id}. Not so in ${count} of ${formatCount(all, 'situation')}.`,
    remedy,
    source,
    count,
    evidence: group.slice(0, mostSituations).map(([{ name }, { title }]) => ({ what: name, detail: title })),
  }
}

const otherCounts = {
  unjudged: 'not wholly judged',
  allowed: 'allowed to fail',
  flaky: 'flaky',
  failed: 'failed',
  known: 'known to fail',
  'not-met': 'not met',
} as const satisfies Partial<Record<Mark, string>>

/** `29 of 33 situations passed, 1 flaky, 1 failed, 2 not met; not judged: 3 calls`. */
export function formatCounts(verdicts: readonly SituationVerdict[]): string {
  const passed = verdicts.filter(verdict => markOf(verdict) === 'passed').length
  const others = Object.entries(otherCounts).flatMap(([mark, text]) => {
    const found = verdicts.filter(verdict => markOf(verdict) === mark).length
    return found === 0 ? [] : [`${found} ${text}`]
  })
  const counts = [`${passed} of ${formatCount(verdicts.length, 'situation')} passed`, ...others].join(', ')
  const open = countUnjudged(verdicts.flatMap(({ unjudged }) => unjudged))
  return open === '' ? counts : `${counts}; not judged: ${open}`
}
