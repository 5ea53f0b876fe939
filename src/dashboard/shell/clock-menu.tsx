import { useEffect } from 'preact/hooks'
import type { AppProps } from '../app/app.ts'
import {
  clockSteps,
  describeClock,
  type EmulatorClock,
  isMoved,
  useEmulatorClock,
} from '../clock/emulator-clock.ts'
import { Button } from '../design/basics.tsx'
import { Fold } from '../design/elements.tsx'
import { dayOf, lengthOfTime, timeOfDay } from '../design/format.ts'
import type { Body } from '../plane/plane.ts'
import { acting, useAnswer } from '../state/live.ts'

/** The emulator's time on every page, and everything that changes it. */
export function ClockMenu({ app }: AppProps) {
  const clock = useEmulatorClock(app)
  const reading = clock.reading.value
  const at = clock.at.value
  if (reading === undefined || at === undefined) return null
  const { frozen, scale } = reading
  const query = { sandbox: app.sandbox.value }
  const change = acting(app, clock.reload)
  const move = change(() => app.plane.call('advanceClock', { query, body: { by: '1m' } }))
  const turn = change(() => app.plane.call(frozen ? 'resumeClock' : 'freezeClock', { query, body: {} }))
  const head = (
    <time dateTime={new Date(at).toISOString()}>
      <span class="day">{dayOf(at)}</span> {timeOfDay(at)}{' '}
      <b>{frozen ? 'frozen' : scale !== 1 && `${scale}×`}</b>
    </time>
  )
  return (
    <section class="clock-bar" aria-label="Clock" data-moved={isMoved(reading)}>
      <Fold class="clock-menu" label="Clock" icon="clock" head={head}>
        <ClockPanel app={app} clock={clock} />
      </Fold>
      <span class="clock-buttons">
        <Button onClick={move}>+1 min</Button>
        <Button onClick={turn}>{frozen ? 'Run' : 'Freeze'}</Button>
      </span>
    </section>
  )
}

const steps = { ...clockSteps, '+1 day': '24h' } as const
/** How long it takes at each speed. */
const speeds = { 1: 'real time', 30: '2 s a minute', 600: '6 s an hour', 3600: '24 s a day' } as const

/** Everything that moves the clock, the way back, and its speed. */
export function ClockPanel({ app, clock }: AppProps & { readonly clock: EmulatorClock }) {
  const { plane, sandbox, connection } = app
  const query = { sandbox: sandbox.value }
  const { value: moments, reload } = useAnswer(app, 'getMoments', { query })
  const at = clock.at.value ?? 0
  const { reset = null, midnight = null, removal = null } = moments ?? {}
  const isOver = [reset, midnight, removal].some(end => end !== null && Date.parse(end) <= at)
  // A running clock passes a moment without any change of the server.
  useEffect(() => {
    if (isOver && connection.status.peek().kind === 'live') reload()
  }, [isOver, at])
  const reading = clock.reading.value
  if (reading === undefined) return null
  const change = acting(app, clock.reload)
  const advance = (body: Body<'advanceClock'>) => change(() => plane.call('advanceClock', { query, body }))
  const run = (scale: number) => change(() => plane.call('resumeClock', { query, body: { scale } }))
  const wayTo = (text: string, to: string | null, none = '') => (
    <li>
      <Button disabled={to === null} onClick={to === null ? undefined : advance({ to })}>
        {text}
      </Button>
      <span class="muted">{to === null ? none : aheadOf(Date.parse(to), at)}</span>
    </li>
  )
  return (
    <>
      <p>{describeClock(reading)}</p>
      <h2>Move</h2>
      <div class="actions">
        {Object.entries(steps).map(([text, by]) => (
          <Button key={by} onClick={advance({ by })}>
            {text}
          </Button>
        ))}
      </div>
      <ul class="moments">
        {wayTo('To the next reset', reset, 'no window is open')}
        {wayTo('To midnight', midnight)}
        {wayTo('To the removal', removal, 'nothing is left to remove')}
        <li>
          <Button onClick={change(() => plane.call('resetClock', { query }))}>Back to real time</Button>
          <span class="muted">where the scenario starts; ends windows and bans</span>
        </li>
      </ul>
      <h2>Speed</h2>
      <div class="actions">
        <Button aria-pressed={reading.frozen} onClick={change(() => plane.call('freezeClock', { query }))}>
          Freeze
        </Button>
        {Object.entries(speeds).map(([scale, about]) => (
          <Button
            key={scale}
            title={about}
            aria-pressed={reading.scale === Number(scale)}
            onClick={run(Number(scale))}
          >
            {scale}×
          </Button>
        ))}
      </div>
      <p class="muted">
        On a fast clock, Retry-After and X-RateLimit-Reset stay in the client's own seconds.
      </p>
    </>
  )
}

function aheadOf(to: number, at: number): string {
  const ahead = to - at
  return `in ${lengthOfTime(ahead)}${ahead > 172_800_000 ? `, on ${dayOf(to)}` : ''}`
}
