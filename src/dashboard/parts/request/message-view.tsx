import type { PlaneMessage } from '../../../generated/plane-operations.ts'
import { HeaderList, JsonText } from '../../design/message-parts.tsx'

export interface MessageViewProps {
  readonly title: 'Request' | 'Response'
  readonly first: string
  readonly message: PlaneMessage
}

export function MessageView({ title, first, message: { headers, body, cutFrom } }: MessageViewProps) {
  return (
    <details class="message" open>
      <summary>
        <h2>{title}</h2>
        <span class="mono muted one-line">{first}</span>
      </summary>
      <HeaderList headers={headers} />
      {body === null ? <p class="muted">No body.</p> : <JsonText text={body} />}
      {cutFrom !== null && (
        <p class="muted">The journal keeps the first 16 KiB of {cutFrom.toLocaleString('en')} bytes.</p>
      )}
    </details>
  )
}
