import { Badge, toneOf } from '../../design/badge.tsx'
import { clockTime, milliseconds } from '../../design/format.ts'
import { type CallRow, showCaller } from '../../traffic/row.ts'

const notMeasured =
  'Not measured: pet-mock measures times from the first visit of the dashboard or the admin plane.'

export interface CallLineProps {
  readonly row: CallRow
  readonly href: string
  readonly isOpen: boolean
}

/** One call in the list. It leads to everything that is known about it. */
export function CallLine({ row, href, isOpen }: CallLineProps) {
  const { at, method, target, status, code, plan, left, refused, synthetic, durationMs } = row
  return (
    <a class="call-line" href={href} aria-current={isOpen ? 'true' : undefined}>
      <time class="muted" dateTime={at} title={at}>
        {clockTime(at)}
      </time>
      <span class="method mono">{method}</span>
      <span class="target mono" title={target}>
        {target}
      </span>
      <span class="status">
        <Badge tone={toneOf(status)}>{status}</Badge> {code !== null && <span class="code">{code}</span>}
        {refused && <span class="visually-hidden">, refused</span>}
        {synthetic && <Badge tone="info">injected</Badge>}
      </span>
      <span class="key mono muted">{showCaller(row)}</span>
      <span class="plan muted">{plan ?? ''}</span>
      <span class="left number" title="Left this minute">
        {left === undefined ? '' : left.minute.toLocaleString('en')}
      </span>
      {durationMs === null ? (
        <span class="took number muted" title={notMeasured}>
          –
        </span>
      ) : (
        <span class="took number muted">{milliseconds(durationMs)}</span>
      )}
    </a>
  )
}
