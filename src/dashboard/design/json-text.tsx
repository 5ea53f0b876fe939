import { useMemo } from 'preact/hooks'
import { formatJson } from './json-tokens.ts'

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
