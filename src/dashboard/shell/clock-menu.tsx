import { useEffect } from 'preact/hooks'
import type { AppProps, ChangingProps } from '../app/app.ts'
import { describeClock, isMoved } from '../clock/describe-clock.ts'
import { type ClockReading, type EmulatorClock, useEmulatorClock } from '../clock/emulator-clock.ts'
import { Button, Fold } from '../design/button.tsx'
import { Icon } from '../design/icon.tsx'
import { dayOf, lengthOfTime, timeOfDay } from '../design/time-text.ts'
import type { Answer, Body } from '../plane/plane.ts'
import { acting } from '../state/act.ts'
import { useAnswer } from '../state/live.ts'

/** The emulator's time on every page, and everything that changes it. */
export function ClockMenu({ app }: AppProps) {
  const clock = useEmulatorClock(app)
  const reading = clock.reading.value
  const at = clock.at.value
  if (reading === undefined || at === undefined) return null
  const query = { sandbox: app.sandbox.value }
  const change = acting(app, clock.reload)
  const move = change(() => app.plane.call('advanceClock', { query, body: { by: '1m' } }))
  const { frozen, scale } = reading
  const turn = change(() => app.plane.call(frozen ? 'resumeClock' : 'freezeClock', { query, body: {} }))
  return (
    <section class="clock-bar" aria-label="Clock" data-moved={isMoved(reading)}>
      <Fold
        class="clock-menu"
        label="Clock"
        head={
          <>
            <Icon name="clock" />
            <time dateTime={new Date(at).toISOString()}>
              <span class="day">{dayOf(at)}</span> {timeOfDay(at)}
            </time>
            {(frozen || scale !== 1) && <span class="speed">{frozen ? 'frozen' : `${scale}×`}</span>}
          </>
        }
      >
        <ClockPanel app={app} at={at} clock={clock} reading={reading} />
      </Fold>
      <span class="clock-buttons">
        <Button onClick={move}>+1 min</Button>
        <Button onClick={turn}>{frozen ? 'Run' : 'Freeze'}</Button>
      </span>
    </section>
  )
}

interface ClockPanelProps extends AppProps {
  readonly at: number
  readonly clock: EmulatorClock
  readonly reading: ClockReading
}

function ClockPanel({ app, at, clock, reading }: ClockPanelProps) {
  const moments = useAnswer(app, 'getMoments', { query: { sandbox: app.sandbox.value } })
  const ahead = moments.value
  const ends = ahead === undefined ? [] : [ahead.reset, ahead.midnight, ahead.removal]
  const isOver = ends.some(end => end !== null && Date.parse(end) <= at)
  // A running clock passes a moment without any change of the server.
  useEffect(() => {
    if (isOver && app.connection.status.peek().kind === 'live') moments.reload()
  }, [isOver, at])
  return (
    <>
      <p>{describeClock(reading)}</p>
      {ahead && <MoveButtons app={app} at={at} moments={ahead} onMoved={clock.reload} />}
      <SpeedControl app={app} clock={reading} onChanged={clock.reload} />
    </>
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
    <section aria-labelledby="move-title">
      <h2 id="move-title">Move</h2>
      <div class="actions">
        {steps.map(({ text, by }) => (
          <Button key={by} onClick={advance({ by })}>
            {text}
          </Button>
        ))}
      </div>
      <ul class="moments">
        {ways.map(({ text, to, none }) => (
          <li key={text}>
            <Button disabled={to === null} onClick={to === null ? undefined : advance({ to })}>
              {text}
            </Button>
            <span class="muted">{to === null ? none : aheadOf(Date.parse(to), at)}</span>
          </li>
        ))}
        <li>
          <Button onClick={move(() => app.plane.call('resetClock', { query }))}>Back to now</Button>
          <span class="muted">where the scenario starts; ends windows and bans</span>
        </li>
      </ul>
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
    <section aria-labelledby="speed-title">
      <h2 id="speed-title">Speed</h2>
      <div class="actions">
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
