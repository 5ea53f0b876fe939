import type { PlaneMessage } from '../../../generated/plane-operations.ts'
import { HeaderList, JsonText } from '../../design/message-parts.tsx'

export function MessageView(props: { title: string; first: string; message: PlaneMessage }) {
  const { title, first, message } = props
  const { headers, body, cutFrom } = message
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
