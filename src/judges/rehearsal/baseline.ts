import { anyText, choices } from '../../base/text/constraint.ts'
import { checkDocument } from '../../control/fields/check-document.ts'
import { list, names, record } from '../../control/fields/field.ts'
import type { Reading } from '../../control/files/complaint.ts'
import { readDocument } from '../../control/files/document.ts'
import { reasonIds, sortReasons } from './reason.ts'
import { isFailed, type SituationResult, type SituationVerdict } from './verdict.ts'

export interface Baseline {
  readonly version: typeof baselineVersion
  readonly situations: Readonly<Record<string, KnownFailure>>
}

interface KnownFailure {
  readonly result: 'failed' | 'flaky'
  readonly reasons: readonly string[]
}

const baselineVersion = 1

const shape = record({
  version: choices(baselineVersion),
  situations: names(
    anyText,
    record({ result: choices('failed', 'flaky'), reasons: list(choices(...reasonIds)) }),
  ),
})

export async function readBaseline(file: string, text: string): Promise<Reading<Baseline>> {
  const reading = await readDocument(file, text)
  return reading.ok ? checkDocument<Baseline>(shape, reading.value) : reading
}

/**
 * A baseline of what fails now, as JSON. Equal results give equal texts, and each reason has its own line.
 * Entries of `old` stay if their situation is one of `existing`, and was not rehearsed, not met, or not wholly judged.
 */
export function writeBaseline(
  verdicts: readonly SituationVerdict[],
  old?: Baseline,
  existing: Iterable<string> = [],
): string {
  const unrehearsed = new Set(existing)
  for (const { name, result } of verdicts) if (!provesNothing(result)) unrehearsed.delete(name)
  const kept = Object.entries(old?.situations ?? {}).filter(([name]) => unrehearsed.has(name))
  const failed = verdicts
    .filter(isFailed)
    .map(
      ({ name, result, reasons }) =>
        [name, { result, reasons: reasons.map(({ id }) => id).toSorted() }] as const,
    )
  const situations = Object.fromEntries(
    [...kept, ...failed].toSorted(([one], [other]) => (one < other ? -1 : 1)),
  )
  return `${JSON.stringify({ version: baselineVersion, situations }, undefined, 2)}\n`
}

/** Marks what a baseline has. `existing`: the names of all situations, also of those that were not rehearsed. */
export function compareBaseline(
  verdicts: readonly SituationVerdict[],
  { situations }: Baseline,
  existing: Iterable<string>,
) {
  const all = new Set(existing)
  const unknown = Object.keys(situations).filter(name => !all.has(name))
  return {
    /** Reasons that the baseline has are `expected`. */
    verdicts: verdicts.map(verdict => markKnown(verdict, knownOf(situations, verdict.name))),
    /** Entries of the baseline that are out of date, as sentences. */
    notes: [
      ...verdicts.flatMap(verdict => changes(verdict, knownOf(situations, verdict.name))),
      ...unknown.map(
        name =>
          `The baseline has ${name}, which is no situation of this rehearsal: remove it from the file, or name its file with --scenario.`,
      ),
    ],
  }
}

function knownOf(situations: Baseline['situations'], name: string): KnownFailure | undefined {
  return Object.hasOwn(situations, name) ? situations[name] : undefined
}

function markKnown(verdict: SituationVerdict, known: KnownFailure | undefined): SituationVerdict {
  if (known === undefined || !isFailed(verdict)) return verdict
  const isKnown = (id: string) => !isWorse(verdict, known) && known.reasons.includes(id)
  const reasons = verdict.reasons.map(reason =>
    isKnown(reason.id) ? { ...reason, expected: true as const } : reason,
  )
  return { ...verdict, reasons: sortReasons(reasons), known: reasons.every(({ expected }) => expected) }
}

function provesNothing(result: SituationResult): boolean {
  return result === 'not-met' || result === 'unjudged'
}

/** A single run does not show whether a flaky client got worse. */
function isWorse({ result, runs }: SituationVerdict, known: KnownFailure): boolean {
  return known.result === 'flaky' && result === 'failed' && runs.failed > 1
}

function changes(verdict: SituationVerdict, known: KnownFailure | undefined): readonly string[] {
  const { name, result, reasons, runs } = verdict
  if (known === undefined || provesNothing(result)) return []
  if (known.result === 'flaky' && runs.passed + runs.failed === 1) return []
  if (isWorse(verdict, known)) return [`${name} was flaky, and fails in every run now.`]
  if (result === 'passed') return [`${name} passes now: remove it from the baseline.`]
  const gone = known.reasons.filter(id => reasons.every(reason => reason.id !== id))
  return gone.map(id => `${name} no longer fails for ${id}: remove it from the baseline.`)
}
