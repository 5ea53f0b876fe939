import { parseDuration } from '../../../base/time/duration.ts'
import { formatInstant, parseInstant } from '../../../base/time/instant.ts'
import type { EventFields } from '../../../generated/scenario-fields.ts'
import type { Problem } from '../../fields/problem.ts'
import type { ScenarioFile } from '../file.ts'
import { settleAfter } from '../settings/events.ts'

/** The clock moves forward only: an event must not name a moment that is over by then. Real time is not known here. */
export function checkMoments({ clock, ...file }: ScenarioFile): readonly Problem[] {
  const events = file.events ?? []
  const start = parseInstant(clock?.at ?? '')
  if (start === undefined) return []
  const isReset = events.some(({ change }) => change.do === 'resetClock')
  /** The earliest instant of the clock after each event. */
  const reached: number[] = []
  return events.flatMap((event, index) => {
    const sure = isReset ? [] : reached.filter((_, other) => isBefore(events[other], event))
    const after = settleAfter(event.after)
    const now = Math.max('ms' in after ? start + after.ms : start, ...sure)
    const { field, to } = moveOf(event, now)
    reached.push(Math.max(to, now))
    if (to >= now) return []
    const message = `the clock is at ${formatInstant(now)} by then, and only a reset moves it back: expected a later instant`
    return [{ path: ['events', index, 'change', field], message }]
  })
}

/** Where an event moves the clock, and the field that says so. */
function moveOf({ change }: EventFields, now: number): { readonly field: string; readonly to: number } {
  if (change.do === 'freezeClock') return { field: 'at', to: parseInstant(change.at ?? '') ?? now }
  if (change.do !== 'advanceClock') return { field: 'do', to: now }
  return { field: 'to', to: parseInstant(change.to ?? '') ?? now + (parseDuration(change.by ?? '') ?? 0) }
}

/** Whether an event, earlier in the file, surely happens before another one. */
function isBefore(earlier: EventFields | undefined, event: EventFields): boolean {
  if (earlier === undefined || earlier.key !== event.key) return false
  const [one, other] = [settleAfter(earlier.after), settleAfter(event.after)]
  if ('calls' in one) return 'calls' in other && one.calls <= other.calls
  return 'ms' in other && one.ms <= other.ms
}
