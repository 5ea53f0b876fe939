import { useState } from 'preact/hooks'
import type { App } from '../app/app.ts'
import { Badge, toneOf } from '../design/badge.tsx'
import { clockTime } from '../design/format.ts'
import type { Answer, Plane } from '../plane/plane.ts'
import { useAnswer } from '../state/live.ts'
import { useLoad } from '../state/load.ts'

const most = 10

/** The last calls, each with the reason for its response. */
export function LastCalls({ host }: { readonly host: Pick<App, 'plane' | 'connection'> }) {
  const { plane, connection } = host
  const { value, error } = useAnswer(host, 'listRequests', { query: { limit: most, view: 'rows' } })
  const calls = value?.requests.toReversed()
  if (calls === undefined) return error === undefined ? null : <p class="section">{error.message}</p>
  return (
    <section class="section" aria-label="Last calls">
      {calls.length === 0 && <p class="muted">No calls yet.</p>}
      {calls.map(call => (
        <Call key={`${connection.run.value} ${call.id}`} plane={plane} call={call} />
      ))}
    </section>
  )
}

function Call({ plane, call }: { plane: Plane; call: Answer<'listRequests'>['requests'][number] }) {
  const { id, at, method, target, status, code } = call
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={event => setOpen(event.currentTarget.open)}>
      <summary class="one-line">
        <time class="muted" dateTime={at}>
          {clockTime(at).slice(0, 8)}
        </time>{' '}
        <Badge tone={toneOf(status)}>{status}</Badge>{' '}
        <span class="mono">
          {method} {target}
        </span>{' '}
        {code !== null && <span class="muted">{code}</span>}
      </summary>
      {isOpen && <Reasons plane={plane} id={id} />}
    </details>
  )
}

function Reasons({ plane, id }: { readonly plane: Plane; readonly id: number }) {
  const { value, error } = useLoad(() => plane.call('getRequest', { params: { id } }), [plane, id])
  if (error !== undefined) return <p>{error.message}</p>
  return (
    <>
      {value?.explanation.sentences.map(sentence => (
        <p key={sentence}>{sentence}</p>
      ))}
    </>
  )
}
