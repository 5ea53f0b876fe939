import type { App } from '../app/app.ts'
import { describeClock, isMoved } from '../clock/describe-clock.ts'
import { useEmulatorClock } from '../clock/emulator-clock.ts'
import { Icon } from '../design/icon.tsx'
import { dayOf, timeOfDay } from '../design/time-text.ts'

/** The emulator's time on every page, as soon as it is not real time. */
export function ClockChip({ app }: { readonly app: App }) {
  const clock = useEmulatorClock(app)
  const reading = clock.reading.value
  if (reading === undefined || !isMoved(reading)) return null
  const at = clock.at.value ?? 0
  return (
    <a class="clock-chip" href={app.places.linkTo('time')} title={describeClock(reading)}>
      <Icon name="clock" />
      <span>
        <span class="day">{dayOf(at)}</span> {timeOfDay(at)}
      </span>
    </a>
  )
}
