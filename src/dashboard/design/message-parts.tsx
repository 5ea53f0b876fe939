import { useMemo } from 'preact/hooks'
import type { PlaneMessage } from '../../generated/plane-operations.ts'
import { formatJson } from './json-tokens.ts'

/** A header that was sent several times has a line for each value. */
export function HeaderList({ headers }: Pick<PlaneMessage, 'headers'>) {
  return (
    <dl class="headers mono wraps">
      {Object.entries(headers).flatMap(([name, values]) =>
        [values].flat().map((value, index) => (
          <div key={`${name} ${index}`}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        )),
      )}
    </dl>
  )
}

/** A body: JSON in lines and colours, other text as it is. */
export function JsonText({ text }: { readonly text: string }) {
  const tokens = useMemo(() => formatJson(text), [text])
  return (
    <pre class="json">
      {tokens === undefined
        ? text
        : tokens.map(({ kind, text, at }) =>
            kind === 'plain' ? (
              text
            ) : (
              <span key={at} data-kind={kind}>
                {text}
              </span>
            ),
          )}
    </pre>
  )
}

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
