import type { PlaneMessage } from '../../../generated/plane-operations.ts'
import { JsonText } from '../../design/json-text.tsx'

export interface MessageViewProps {
  readonly title: 'Request' | 'Response'
  readonly first: string
  readonly message: PlaneMessage
}

export function MessageView({ title, first, message: { headers, body, cutFrom } }: MessageViewProps) {
  const rows = Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value, index) => ({ name, value, key: `${name} ${index}` })),
  )
  return (
    <details class="message" open>
      <summary>
        <h2>{title}</h2>
        <span class="mono muted">{first}</span>
      </summary>
      <dl class="headers mono">
        {rows.map(({ name, value, key }) => (
          <div key={key}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {body === null ? <p class="muted">No body.</p> : <JsonText text={body} />}
      {cutFrom !== null && (
        <p class="muted">The journal keeps the first 16 KiB of {cutFrom.toLocaleString('en')} bytes.</p>
      )}
    </details>
  )
}
