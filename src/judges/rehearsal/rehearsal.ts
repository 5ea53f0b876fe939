import { parseDuration } from '../../base/time/duration.ts'
import { type Fixtures, shippedFixtures } from '../../control/fixtures/fixtures.ts'
import type { ScenarioFile } from '../../control/scenario/file.ts'
import { defaultsOf } from '../../control/scenario/settings/defaults.ts'
import { rehearsal, rehearsedConduct } from '../../control/scenario/settings/rehearsal.ts'
import { longestWait } from './longest-wait.ts'

/** What a scenario expects of a client, decided. */
export interface Rehearsal {
  /** How the client's command ends. */
  readonly expects: 'success' | 'failure' | 'either'
  /** A call must succeed this soon once the situation allows it: milliseconds of the emulator's time. Undefined: no matter when. */
  readonly recovers: number | undefined
  /** Findings that do not fail the client. */
  readonly allow: readonly string[]
  /** Findings that fail the client, whatever their severity. */
  readonly forbid: readonly string[]
  readonly failOn: 'error' | 'warning' | 'never'
  /** Undefined: see `situationClock`. */
  readonly clock: SituationClock | undefined
}

/** When a situation begins that was moved to the middle of a client's calls. */
export interface Begin {
  /** After this many calls of the client. */
  readonly after: number
  /** In the scenario: after this many. */
  readonly declared: number
  /** The calls of the calm run. */
  readonly calls: number
}

export type SituationClock = { readonly scale: number } | { readonly frozen: true }

/** Settles the rehearsal of a scenario that was checked. */
export function settleRehearsal(file: ScenarioFile): Rehearsal {
  const usual = defaultsOf(rehearsal)
  const { expects = usual.expects, recovers, conduct, clock } = file.rehearsal ?? {}
  return {
    expects,
    // No duration is "none".
    recovers: parseDuration(recovers ?? usual.recovers),
    allow: conduct?.allow ?? [],
    forbid: conduct?.forbid ?? [],
    failOn: conduct?.failOn ?? defaultsOf(rehearsedConduct).failOn,
    clock: clock && settleClock(clock.frozen, clock.scale),
  }
}

/** How long the longest wait of a situation takes by default: milliseconds of the client's time. */
const longestForClient = 2_000

/** The fastest clock that a scenario may have. */
const fastest = 86_400

/**
 * The clock of a rehearsal: that of its field, else the scenario's own if it is frozen or scaled, else one on which the
 * longest wait takes two seconds. A wait of more than two days takes longer.
 */
export function situationClock(file: ScenarioFile, fixtures: Fixtures = shippedFixtures): SituationClock {
  const { clock } = settleRehearsal(file)
  if (clock !== undefined) return clock
  const { frozen, scale } = file.clock ?? {}
  if (frozen === true || typeof scale === 'number') return settleClock(frozen, scale)
  return { scale: Math.min(fastest, longestWait(file, fixtures) / longestForClient) }
}

function settleClock(frozen: boolean | null | undefined, scale: number | null | undefined): SituationClock {
  return frozen === true ? { frozen } : { scale: scale ?? 1 }
}
