import type { App } from '../../app/app.ts'
import type { ClockReading } from '../../clock/emulator-clock.ts'
import { act } from '../../state/act.ts'

export interface SpeedControlProps {
  readonly app: App
  readonly clock: ClockReading
  readonly onChanged: () => void
}

const speeds = [
  { scale: 1, about: 'as real time' },
  { scale: 30, about: 'a minute in two seconds' },
  { scale: 600, about: 'an hour in six seconds' },
  { scale: 3_600, about: 'a day in 24 seconds' },
] as const

/** Freezes the clock, or lets it run at a speed. */
export function SpeedControl({ app, clock, onChanged }: SpeedControlProps) {
  const query = { sandbox: app.sandbox.value }
  const freeze = async () => {
    if (await act(app, () => app.plane.call('freezeClock', { query, body: {} }))) onChanged()
  }
  const run = (scale: number) => async () => {
    if (await act(app, () => app.plane.call('resumeClock', { query, body: { scale } }))) onChanged()
  }
  return (
    <section class="card" aria-labelledby="speed-title">
      <h2 id="speed-title">Speed</h2>
      <div class="steps">
        <button type="button" aria-pressed={clock.frozen} onClick={freeze}>
          Freeze
        </button>
        {speeds.map(({ scale, about }) => (
          <button
            key={scale}
            type="button"
            title={about}
            aria-pressed={!clock.frozen && clock.scale === scale}
            onClick={run(scale)}
          >
            {scale}×
          </button>
        ))}
      </div>
      <p class="muted">
        On a fast clock, Retry-After and X-RateLimit-Reset stay in the client's own seconds.
      </p>
    </section>
  )
}
