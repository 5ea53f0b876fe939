import type { PlaneKey } from '../../generated/plane-operations.ts'
import { Badge } from '../design/badge.tsx'
import { Meter } from '../design/meter.tsx'
import { useLive } from '../state/live.ts'
import { roughly, timeOf, useTick } from './emulator-clock.ts'
import type { PanelHost } from './panel-host.ts'

/** The most keys that the panel shows: the ones in use. */
const mostKeys = 4

/** What the keys in use have left, on the emulator's clock. */
export function Quotas({ host: { plane, connection } }: { readonly host: PanelHost }) {
  useTick()
  const { value } = useLive(connection, async () => {
    const [{ keys }, clock] = await Promise.all([plane.call('listKeys'), plane.call('getClock')])
    return { keys, clock, readAt: performance.now() }
  })
  const read = value.value
  if (read === undefined) return null
  const now = timeOf(read)
  const used = read.keys.filter(({ used, bannedUntil }) => used.day > 0 || bannedUntil !== null)
  const shown = (used.length === 0 ? read.keys.slice(0, 1) : used).slice(0, mostKeys)
  return (
    <section class="section" aria-label="Quotas">
      {shown.map(key => (
        <KeyQuota key={key.key} state={key} now={now} lift={() => plane.call('unbanKey', { params: key })} />
      ))}
    </section>
  )
}

interface KeyQuotaProps {
  readonly state: PlaneKey
  /** The emulator's time, in milliseconds. */
  readonly now: number
  readonly lift: () => Promise<unknown>
}

export function KeyQuota({ state, now, lift }: KeyQuotaProps) {
  const banMs = state.bannedUntil === null ? 0 : Date.parse(state.bannedUntil) - now
  return (
    <div class="key">
      <p>
        <span class="mono">{state.key}</span> <span class="muted">{state.plan}</span>
        <span class="filler" />
        {banMs > 0 ? (
          <>
            <Badge tone="bad">banned for {roughly(banMs)}</Badge>
            <button type="button" onClick={() => void lift()}>
              Lift
            </button>
          </>
        ) : (
          state.strikes > 0 && (
            <Badge tone="warn">
              {state.strikes} of {state.banAfter ?? '∞'} strikes
            </Badge>
          )
        )}
      </p>
      {(['minute', 'day'] as const).map(window => {
        const resets = state.resets[window]
        const waitMs = resets === null ? 0 : Date.parse(resets) - now
        const isOver = resets !== null && waitMs <= 0
        const left = isOver ? state.limits[window] : state.remaining[window]
        return (
          <div key={window} class="quota">
            <Meter label={`${state.key}, left this ${window}`} value={left} max={state.limits[window]} />
            <span class="muted">
              {left.toLocaleString('en')} of {state.limits[window].toLocaleString('en')} left this {window}
              {waitMs > 0 && `, ${roughly(waitMs)}`}
            </span>
          </div>
        )
      })}
    </div>
  )
}
