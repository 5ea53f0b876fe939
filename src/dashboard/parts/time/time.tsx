import { useEffect } from 'preact/hooks'
import type { AppProps, ChangingProps } from '../../app/app.ts'
import { describeClock, isMoved } from '../../clock/describe-clock.ts'
import { type ClockReading, useEmulatorClock } from '../../clock/emulator-clock.ts'
import { Badge } from '../../design/badge.tsx'
import { Button } from '../../design/button.tsx'
import { Absent } from '../../design/problem.tsx'
import { dayOf, lengthOfTime, timeOfDay } from '../../design/time-text.ts'
import type { Answer, Body } from '../../plane/plane.ts'
import { acting } from '../../state/act.ts'
import { useAnswer } from '../../state/live.ts'

import './time.css'

export function View({ app }: AppProps) {
  const clock = useEmulatorClock(app)
  const moments = useAnswer(app, 'getMoments', { query: { sandbox: app.sandbox.value } })
  const at = clock.at.value
  const reading = clock.reading.value
  const ahead = moments.value
  const ends = ahead === undefined ? [] : [ahead.reset, ahead.midnight, ahead.removal]
  const isOver = at !== undefined && ends.some(end => end !== null && Date.parse(end) <= at)
  // A running clock passes a moment without any change of the server.
  useEffect(() => {
    if (isOver && app.connection.status.peek().kind === 'live') moments.reload()
  }, [isOver, at])
  if (at === undefined || reading === undefined || ahead === undefined)
    return <Absent title="No clock" error={clock.error.value ?? moments.error} />
  return (
    <div class="page time">
      <h1>Time</h1>
      <ClockFace at={at} clock={reading} />
      <MoveButtons app={app} at={at} moments={ahead} onMoved={clock.reload} />
      <SpeedControl app={app} clock={reading} onChanged={clock.reload} />
    </div>
  )
}

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

interface MoveButtonsProps extends AppProps {
  readonly at: number
  readonly moments: Answer<'getMoments'>
  readonly onMoved: () => void
}

const steps = [
  { text: '+1 s', by: '1s' },
  { text: '+1 min', by: '1m' },
  { text: '+1 h', by: '1h' },
  { text: '+1 day', by: '24h' },
] as const

/** Everything that moves the clock forward, and the way back. */
export function MoveButtons({ app, at, moments, onMoved }: MoveButtonsProps) {
  const query = { sandbox: app.sandbox.value }
  const move = acting(app, onMoved)
  const advance = (body: Body<'advanceClock'>) => move(() => app.plane.call('advanceClock', { query, body }))
  const ways = [
    { text: 'To the next reset', to: moments.reset, none: 'no window is open' },
    { text: 'To midnight', to: moments.midnight, none: '' },
    { text: 'To the removal', to: moments.removal, none: 'nothing is left to remove' },
  ]
  return (
    <section class="card" aria-labelledby="move-title">
      <h2 id="move-title">Move</h2>
      <div class="row">
        {steps.map(({ text, by }) => (
          <Button key={by} onClick={advance({ by })}>
            {text}
          </Button>
        ))}
      </div>
      <ul class="moments">
        {ways.map(({ text, to, none }) => (
          <li key={text} class="row">
            <Button disabled={to === null} onClick={to === null ? undefined : advance({ to })}>
              {text}
            </Button>
            <span class="muted">{to === null ? none : aheadOf(Date.parse(to), at)}</span>
          </li>
        ))}
      </ul>
      <Button onClick={move(() => app.plane.call('resetClock', { query }))}>Back to now</Button>
      <p class="muted">
        Back to the time at which the situation starts: real time, unless its clock says otherwise. Going back
        ends windows, strikes and bans.
      </p>
    </section>
  )
}

function aheadOf(to: number, at: number): string {
  const ahead = to - at
  return `in ${lengthOfTime(ahead)}${ahead > 172_800_000 ? `, on ${dayOf(to)}` : ''}`
}

const speeds = [
  { scale: 1, about: 'as real time' },
  { scale: 30, about: 'a minute in two seconds' },
  { scale: 600, about: 'an hour in six seconds' },
  { scale: 3_600, about: 'a day in 24 seconds' },
] as const

export function SpeedControl({ app, clock, onChanged }: ChangingProps & { clock: ClockReading }) {
  const query = { sandbox: app.sandbox.value }
  const change = acting(app, onChanged)
  const freeze = change(() => app.plane.call('freezeClock', { query, body: {} }))
  const run = (scale: number) => change(() => app.plane.call('resumeClock', { query, body: { scale } }))
  return (
    <section class="card" aria-labelledby="speed-title">
      <h2 id="speed-title">Speed</h2>
      <div class="row">
        <Button aria-pressed={clock.frozen} onClick={freeze}>
          Freeze
        </Button>
        {speeds.map(({ scale, about }) => (
          <Button
            key={scale}
            title={about}
            aria-pressed={!clock.frozen && clock.scale === scale}
            onClick={run(scale)}
          >
            {scale}×
          </Button>
        ))}
      </div>
      <p class="muted">
        On a fast clock, Retry-After and X-RateLimit-Reset stay in the client's own seconds.
      </p>
    </section>
  )
}
