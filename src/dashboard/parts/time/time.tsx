import './time.css'
import { useEffect } from 'preact/hooks'
import type { App } from '../../app/app.ts'
import { useEmulatorClock } from '../../clock/emulator-clock.ts'
import { Problem } from '../../design/problem.tsx'
import type { Answer } from '../../plane/plane.ts'
import { useLive } from '../../state/live.ts'
import { ClockFace } from './clock-face.tsx'
import { MoveButtons } from './move-buttons.tsx'
import { SpeedControl } from './speed-control.tsx'

/** The emulator's clock, and what moves it. */
export function View({ app }: { readonly app: App }) {
  const { plane, connection, sandbox } = app
  const clock = useEmulatorClock(app)
  const load = () => plane.call('getMoments', { query: { sandbox: sandbox.value } })
  const moments = useLive(connection, load, [sandbox.value])
  const at = clock.at.value
  const reading = clock.reading.value
  const ahead = moments.value.value
  const isOver = at !== undefined && ahead !== undefined && isAnyOver(ahead, at)
  // A running clock passes a moment without any change of the server.
  useEffect(() => {
    if (isOver && connection.status.peek().kind === 'live') moments.reload()
  }, [isOver, at])
  if (at === undefined || reading === undefined || ahead === undefined) {
    const error = clock.error.value ?? moments.error.value
    return error === undefined ? null : <Problem title="No clock">{error.message}</Problem>
  }
  return (
    <div class="time">
      <h1>Time</h1>
      <ClockFace at={at} clock={reading} />
      <MoveButtons app={app} at={at} moments={ahead} onMoved={clock.reload} />
      <SpeedControl app={app} clock={reading} onChanged={clock.reload} />
    </div>
  )
}

function isAnyOver({ reset, midnight, removal }: Answer<'getMoments'>, at: number): boolean {
  return [reset, midnight, removal].some(moment => moment !== null && Date.parse(moment) <= at)
}
