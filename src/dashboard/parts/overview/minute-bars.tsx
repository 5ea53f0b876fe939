import { useMemo } from 'preact/hooks'
import { formatCount } from '../../../base/text/quantities.ts'
import type { AppProps } from '../../app/app.ts'
import type { Row } from '../../traffic/row.ts'
import { Card } from './card.tsx'

const minuteMs = 60_000
/** The minutes of the picture. */
const span = 15

interface Minute {
  readonly calls: number
  readonly refused: number
}

/** Calls by minute of the emulator's clock, the present one last. Calls of a gap count in the minute of the call after them. */
export function countByMinute(rows: readonly Row[], now: number): readonly Minute[] {
  const minutes = Array.from({ length: span }, () => ({ calls: 0, refused: 0 }))
  const last = Math.floor(now / minuteMs)
  let place = span - 1
  for (const row of rows) {
    if (row.kind === 'call') place = span - 1 - last + Math.floor(Date.parse(row.at) / minuteMs)
    const minute = minutes[place]
    if (minute === undefined) continue
    minute.calls += row.kind === 'call' ? 1 : row.to - row.from + 1
    if (row.kind === 'call' && row.refused) minute.refused += 1
  }
  return minutes
}

/** Calls a minute as a small picture, what was refused at the bottom. */
export function MinuteBars({ app, at }: AppProps & { readonly at: number }) {
  const minute = Math.floor(at / minuteMs) * minuteMs
  const rows = app.feed.value.rows.value
  const minutes = useMemo(() => countByMinute(rows, minute), [rows, minute])
  const isLoaded = app.feed.value.isLoaded.value
  const top = Math.max(1, ...minutes.map(({ calls }) => calls))
  const now = minutes.at(-1) ?? { calls: 0, refused: 0 }
  const all = minutes.reduce((sum, { calls }) => sum + calls, 0)
  const words = `${formatCount(now.calls, 'call')} in this minute, ${now.refused} of them refused; ${all} in ${span} minutes`
  return (
    <Card class="minute-bars" name="Calls a minute" href={app.places.linkTo('requests')}>
      <p>
        <strong>{isLoaded ? now.calls.toLocaleString('en') : '–'}</strong> in this minute
        {now.refused > 0 && <span class="refused">, {now.refused.toLocaleString('en')} refused</span>}
      </p>
      <svg viewBox={`0 0 ${span * 8} 40`} preserveAspectRatio="none" role="img" aria-label={words}>
        {minutes.map(({ calls, refused }, index) => {
          const height = (calls / top) * 38
          const wrong = (refused / top) * 38
          return (
            <g key={`${index}`} transform={`translate(${index * 8 + 1} 0)`}>
              <rect class="empty" y={39} width={6} height={1} />
              <rect y={40 - height} width={6} height={Math.max(0, height - wrong - (wrong > 0 ? 1 : 0))} />
              <rect class="refused" y={40 - wrong} width={6} height={wrong} />
            </g>
          )
        })}
      </svg>
      <p class="muted ends">
        <span>{span} minutes ago</span>
        <span>now</span>
      </p>
    </Card>
  )
}
