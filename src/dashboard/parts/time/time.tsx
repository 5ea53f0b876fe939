import './time.css'
import type { App } from '../../app/app.ts'
import { useEmulatorClock } from '../../clock/emulator-clock.ts'
import { Problem } from '../../design/problem.tsx'
import { ClockFace } from './clock-face.tsx'
import { MoveButtons } from './move-buttons.tsx'
import { SpeedControl } from './speed-control.tsx'

/** The emulator's clock, and what moves it. */
export function View({ app }: { readonly app: App }) {
  const clock = useEmulatorClock(app)
  const at = clock.at.value
  const reading = clock.reading.value
  if (at === undefined || reading === undefined) {
    const error = clock.error.value
    return error === undefined ? null : <Problem title="No clock">{error.message}</Problem>
  }
  return (
    <div class="time">
      <h1>Time</h1>
      <ClockFace at={at} clock={reading} />
      <MoveButtons app={app} at={at} clock={reading} onMoved={clock.reload} />
      <SpeedControl app={app} clock={reading} onChanged={clock.reload} />
    </div>
  )
}
