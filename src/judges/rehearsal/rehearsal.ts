import { parseDuration } from '../../base/time/duration.ts'
import { type Fixtures, shippedFixtures } from '../../control/fixtures/fixtures.ts'
import type { ScenarioFile } from '../../control/scenario/file.ts'
import { rehearsal, rehearsedConduct } from '../../control/scenario/settings/rehearsal.ts'
import { defaultsOf } from '../../control/scenario/settings/settled.ts'
import { settleChecked, settleKey } from '../../control/scenario/settle/settle.ts'
import { settleRule } from '../../control/scenario/settle-rules.ts'
import type { Rule } from '../../emulator/rules/rule.ts'
import type { Scenario, ScenarioEvent } from '../../emulator/worlds/scenario.ts'
import { rehearsals } from '../../generated/rehearsals.ts'
import { windowLengths } from '../../service/limits/limiter.ts'

/** What a scenario expects of a client, decided. */
export interface Rehearsal {
  readonly expects: 'success' | 'failure' | 'either'
  /** A call must succeed this soon once the situation allows it: milliseconds of the emulator's time. Undefined: no matter when. */
  readonly recovers: number | undefined
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
  readonly calls: number
}

export type SituationClock = { readonly scale: number } | { readonly frozen: true }

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

/**
 * The longest time that a client may have to wait in a situation: milliseconds of the emulator's time. It is at least a minute,
 * the window that every call counts in. It includes the times after which rules and events act.
 */
export function longestWait(file: ScenarioFile, fixtures: Fixtures): number {
  // Pets make nobody wait.
  const scenario = settleChecked('', { ...file, pets: { count: 0 } }, fixtures)
  const added = scenario.events.flatMap(({ change }) =>
    change.do === 'addKey' ? [settleKey(change, scenario.plans)] : [],
  )
  const keys = [...scenario.keys.values(), ...added]
  const { clock, behaviour } = scenario
  const { at = 0 } = clock
  // A day of the calendar that has begun is shorter.
  const dayLength = windowLengths.day - (behaviour.limits.window === 'calendar' ? at % windowLengths.day : 0)
  return Math.max(
    windowLengths.minute,
    // A key can use up its day within a minute.
    keys.some(({ quota, used }) => quota.day - used.day < quota.minute) ? dayLength : 0,
    ...keys.map(({ bannedForMs = 0 }) => bannedForMs),
    // The usual bans are far away from a client that waits.
    file.bans || keys.some(({ strikes }) => strikes > 0) ? banLength(scenario) : 0,
    ...scenario.rules.map(timeOfRule),
    ...scenario.events.map(event => timeOfEvent(event, scenario)),
    // On a clock that starts at a known instant.
    ...(clock.at === undefined ? [] : behaviour.deprecation.brownouts.map(({ to }) => to - at)),
  )
}

/** A rehearsal sees few bans: those that get longer are followed to the third. */
function banLength({ behaviour: { bans } }: Scenario): number {
  if (bans?.escalate === undefined) return bans?.forMs ?? 0
  const { factor, maxMs } = bans.escalate
  return Math.max(bans.forMs, Math.min(maxMs, bans.forMs * factor ** 2))
}

function timeOfRule({ when, ttlMs = 0 }: Rule): number {
  return Math.max(ttlMs, when.afterMs ?? 0, ...(when.between ?? []))
}

function timeOfEvent({ after, change }: ScenarioEvent, { behaviour }: Scenario): number {
  const begins = 'ms' in after ? after.ms : 0
  if (change.do === 'addRule') return Math.max(begins, timeOfRule(settleRule(change.rule, '')))
  if (change.do !== 'banKey') return begins
  return Math.max(begins, parseDuration(change.for ?? '') ?? behaviour.bans?.forMs ?? 0)
}

/** What the shipped scenarios expect of a client, by name. It is a file of its own because a server needs none. */
const shippedRehearsals: ReadonlyMap<string, ScenarioFile['rehearsal']> = new Map(Object.entries(rehearsals))

export function withRehearsal(name: string, file: ScenarioFile): ScenarioFile {
  return { ...file, rehearsal: shippedRehearsals.get(name) }
}
