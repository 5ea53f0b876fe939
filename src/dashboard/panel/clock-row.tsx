import { Badge } from '../design/badge.tsx'
import { useLive } from '../state/live.ts'
import { roughly, timeOf, useTick } from './emulator-clock.ts'
import type { PanelHost } from './panel-host.ts'

const steps = [
  ['+1 s', '1s'],
  ['+1 min', '1m'],
  ['+1 h', '1h'],
] as const

/** The emulator's clock, and the ways to move it. */
export function ClockRow({ host: { plane, connection } }: { readonly host: PanelHost }) {
  useTick()
  const { value, reload } = useLive(connection, async () => {
    const [clock, { aheadMs }] = await Promise.all([plane.call('getClock'), plane.call('getMoments')])
    return { clock, aheadMs, readAt: performance.now() }
  })
  const read = value.value
  if (read === undefined) return null
  const { frozen, scale } = read.clock
  const aheadMs = timeOf(read) - Date.now()
  const isMoved = !frozen && Math.abs(read.aheadMs) > 1_500
  const change = (done: Promise<unknown>) => void done.then(reload, reload)
  return (
    <section class="section" aria-label="Clock">
      <p>
        <time class="clock mono">{new Date(timeOf(read)).toISOString().slice(0, 19).replace('T', ' ')}</time>
        <span class="filler" />
        {frozen && <Badge tone="info">frozen</Badge>}
        {scale > 0 && scale !== 1 && <Badge tone="info">{scale}× as fast</Badge>}
        {isMoved && (
          <Badge tone="warn">
            {roughly(aheadMs)} {aheadMs > 0 ? 'ahead' : 'behind'}
          </Badge>
        )}
      </p>
      <p class="buttons">
        {steps.map(([text, by]) => (
          <button key={by} type="button" onClick={() => change(plane.call('advanceClock', { body: { by } }))}>
            {text}
          </button>
        ))}
        <button
          type="button"
          onClick={() => change(frozen ? plane.call('resumeClock', { body: {} }) : plane.call('freezeClock'))}
        >
          {frozen ? 'Run' : 'Freeze'}
        </button>
        <button type="button" onClick={() => change(plane.call('resetClock'))}>
          Back to the start
        </button>
      </p>
    </section>
  )
}
