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
