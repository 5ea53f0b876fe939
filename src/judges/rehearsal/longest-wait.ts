import { parseDuration } from '../../base/time/duration.ts'
import type { Fixtures } from '../../control/fixtures/fixtures.ts'
import type { ScenarioFile } from '../../control/scenario/file.ts'
import { settleChecked, settleKey } from '../../control/scenario/settle/settle.ts'
import { settleRule } from '../../control/scenario/settle-rules.ts'
import type { Rule } from '../../emulator/rules/rule.ts'
import type { KeyStart, Scenario, ScenarioEvent } from '../../emulator/worlds/scenario.ts'
import { windowLengths } from '../../service/limits/limiter.ts'

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
  return Math.max(
    windowLengths.minute,
    keys.some(isDayShort) ? dayLength(scenario) : 0,
    ...keys.map(({ bannedForMs = 0 }) => bannedForMs),
    // The usual bans are far away from a client that waits.
    file.bans || keys.some(({ strikes }) => strikes > 0) ? banLength(scenario) : 0,
    ...scenario.rules.map(timeOfRule),
    ...scenario.events.map(event => timeOfEvent(event, scenario)),
    ...brownoutsOf(scenario),
  )
}

/** Whether a key can use up its day within a minute. */
function isDayShort({ quota, used }: KeyStart): boolean {
  return quota.day - used.day < quota.minute
}

/** A day of the calendar that has begun is shorter. */
function dayLength({ clock: { at }, behaviour }: Scenario): number {
  if (behaviour.limits.window !== 'calendar' || at === undefined) return windowLengths.day
  return windowLengths.day - (at % windowLengths.day)
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

/** The time until each brownout is over, on a clock that starts at a known instant. */
function brownoutsOf({ clock: { at }, behaviour: { deprecation } }: Scenario): readonly number[] {
  return at === undefined ? [] : deprecation.brownouts.map(({ to }) => to - at)
}
