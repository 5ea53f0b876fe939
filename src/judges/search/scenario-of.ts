import type { ScenarioFile } from '../../control/scenario/file.ts'
import type { ClockFields, KeyFields } from '../../generated/scenario-fields.ts'
import { shippedPlans } from '../../service/plans/plan.ts'
import type { DrawnSituation } from './situation.ts'

const key = 'demo-free'

export function scenarioOf(situation: DrawnSituation): ScenarioFile {
  const { ban, banAfter, retryAfter, window, fault } = situation
  const limits = {
    ...(window !== undefined && { window: 'calendar' as const }),
    ...(retryAfter !== undefined && { retryAfter }),
  }
  return {
    ...wholeField('keys', wholeField(key, keyOf(situation))),
    ...wholeField('limits', limits),
    ...(banAfter !== undefined && { bans: { after: banAfter } }),
    ...wholeField('clock', clockOf(situation)),
    // After a call: a ban from the start could be over before a slow client makes its first one.
    ...(ban !== undefined && {
      events: [{ after: 1, change: { do: 'banKey', key, for: `${ban}s` } as const }],
    }),
    ...(fault !== undefined && {
      rules: [
        { ...(fault.nth > 1 && { when: { after: fault.nth - 1 } }), then: fault.then, times: fault.times },
      ],
    }),
  }
}

function keyOf({ plan, minute, day }: DrawnSituation): KeyFields {
  const quota = shippedPlans[plan ?? 'free']
  const used = {
    ...(minute !== undefined && { minute: quota.minute - minute }),
    ...(day !== undefined && { day: quota.day - day }),
  }
  return { ...(plan !== undefined && { plan }), ...wholeField('used', used) }
}

/** Both windows end at midnight. */
function clockOf({ day, window, clock }: DrawnSituation): ClockFields {
  if (clock !== undefined) return { offset: `${clock}m` }
  if (window === undefined) return {}
  const minute = day === undefined ? '09:00' : '23:59'
  return { at: `2026-03-02T${minute}:${`${60 - window}`.padStart(2, '0')}Z` }
}

/** A field, unless it would be empty. */
function wholeField<F extends object>(name: string, fields: F): Readonly<Record<string, F>> {
  return Object.keys(fields).length === 0 ? {} : { [name]: fields }
}

/** Real seconds that the longest wait takes. */
const longestWait = 2

/**
 * A scenario on a clock that is fast enough for its longest wait, or as fast as `scale` says. Without limits, too: some
 * clients wait for X-RateLimit-Reset after any failure.
 */
export function withPace(
  situation: DrawnSituation,
  file: ScenarioFile,
  scale = usualScale(situation),
): ScenarioFile {
  return scale === 1 || situation.clock !== undefined ? file : { ...file, clock: { ...file.clock, scale } }
}

function usualScale({ day, ban, banAfter }: DrawnSituation): number {
  const minute = 60
  const banned = banAfter === undefined ? minute : 300
  return (day === undefined ? (ban ?? banned) : 86_400) / longestWait
}
