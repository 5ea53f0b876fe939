import type { Finding } from '../../report/finding.ts'
import type { ClientRun } from '../client-run.ts'
import type { LifetimeRow } from '../lifetime-log.ts'
import { isFailing, isNothingMet, type SituationVerdict } from '../verdict.ts'
import { formatCounts } from '../verdict-texts.ts'
import { remediesOf } from './remedies.ts'

/** How ready a client is for the service, as plain JSON. */
export interface Certificate {
  readonly version: typeof certificateVersion
  /** Whether a situation fails that the baseline does not have, or none was met. */
  readonly failed: boolean
  /** In words: `29 of 33 situations passed, 2 failed, 2 not met`. */
  readonly summary: string
  /** With keys masked. */
  readonly command: string
  readonly seed: number | null
  /** The run without any disturbance. */
  readonly calm: { readonly calls: number; readonly durationMs: number }
  /** What to fix, the worst first. */
  readonly remedies: readonly Finding[]
  readonly situations: readonly SituationVerdict[]
  /** Calls of deprecated operations by call site, if a sunset was rehearsed. */
  readonly sunset: readonly LifetimeRow[] | null
  /** What the baseline has and should not have, and how many situations were left out. */
  readonly notes: readonly string[]
}

const certificateVersion = 1

/** `notes`: on the baseline, and on situations that were left out. */
export function createCertificate({
  command,
  calm,
  verdicts,
  seed,
  notes = [],
  sunset,
}: {
  readonly command: string
  readonly calm: ClientRun
  readonly verdicts: readonly SituationVerdict[]
  readonly seed?: number | undefined
  readonly notes?: readonly string[]
  readonly sunset?: readonly LifetimeRow[] | undefined
}): Certificate {
  return {
    version: certificateVersion,
    failed: verdicts.some(isFailing) || isNothingMet(verdicts),
    summary: formatCounts(verdicts),
    command,
    seed: seed ?? null,
    calm: { calls: calm.facts.calls, durationMs: calm.durationMs },
    remedies: remediesOf(verdicts),
    situations: verdicts,
    sunset: sunset ?? null,
    notes,
  }
}
