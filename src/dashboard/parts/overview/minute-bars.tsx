import { useMemo } from 'preact/hooks'
import { formatCount } from '../../../base/text/quantities.ts'
import type { AppProps } from '../../app/app.ts'
import type { Row } from '../../traffic/row.ts'
import { Card } from './card.tsx'

/** The minutes of the picture. */
const span = 15

/** Calls by minute of the emulator's clock, the present one last. Calls of a gap count in the minute of the call after them. */
export function countByMinute(rows: readonly Row[], thisMinute: number) {
  const minutes = Array.from({ length: span }, () => ({ calls: 0, refused: 0 }))
  let place = span - 1
  for (const row of rows) {
    if (row.kind === 'call') place = span - 1 - thisMinute + Math.floor(Date.parse(row.at) / 60_000)
    const minute = minutes[place]
    if (minute === undefined) continue
    minute.calls += row.kind === 'call' ? 1 : row.to - row.from + 1
    if (row.kind === 'call' && row.refused) minute.refused += 1
  }
  return minutes
}

/** Calls a minute as a small picture, what was refused at the bottom. */
export function MinuteBars({ app, at }: AppProps & { at: number }) {
  const thisMinute = Math.floor(at / 60_000)
  const { rows, isLoaded } = app.feed.value
  const minutes = useMemo(() => countByMinute(rows.value, thisMinute), [rows.value, thisMinute])
  const unit = 38 / Math.max(1, ...minutes.map(({ calls }) => calls))
  const { calls, refused } = minutes.at(-1) ?? { calls: 0, refused: 0 }
  const all = minutes.reduce((sum, minute) => sum + minute.calls, 0)
  const words = `${formatCount(calls, 'call')} in this minute, ${refused} of them refused; ${all} in ${span} minutes`
  return (
    <Card class="minute-bars" name="Calls a minute" href={app.places.linkTo('requests')}>
      <p>
        <strong>{isLoaded.value ? calls.toLocaleString('en') : '–'}</strong> in this minute
        {refused > 0 && <span class="refused">, {refused.toLocaleString('en')} refused</span>}
      </p>
      <svg viewBox={`0 0 ${span * 8} 40`} preserveAspectRatio="none" role="img" aria-label={words}>
        {minutes.map(({ calls, refused }, index) => (
          <g key={`${index}`} transform={`translate(${index * 8 + 1} 0)`}>
            <rect class="empty" y={39} width={6} height={1} />
            <rect y={40 - calls * unit} width={6} height={(calls - refused) * unit} />
            <rect class="refused" y={40 - refused * unit} width={6} height={refused * unit} />
          </g>
        ))}
      </svg>
      <p class="muted ends">
        <span>{span} minutes ago</span>
        <span>now</span>
      </p>
    </Card>
  )
}
