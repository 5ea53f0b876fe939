import { describeClock, isMoved } from '../../clock/describe-clock.ts'
import type { ClockReading } from '../../clock/emulator-clock.ts'
import { Badge } from '../../design/badge.tsx'
import { dayOf, timeOfDay } from '../../design/time-text.ts'

/** The time in large digits. A clock that does not show real time has another colour and says so. */
export function ClockFace({ at, clock }: { readonly at: number; readonly clock: ClockReading }) {
  const moved = isMoved(clock)
  return (
    <section class="clock-face card" data-moved={moved} aria-label="The emulator's clock">
      <time dateTime={new Date(at).toISOString()}>
        <span class="day">{dayOf(at)}</span>
        <span class="digits">{timeOfDay(at)}</span>
        <span class="zone">UTC</span>
      </time>
      <p>
        <Badge tone={moved ? 'warn' : 'good'}>{moved ? 'moved' : 'real time'}</Badge> {describeClock(clock)}
      </p>
    </section>
  )
}
