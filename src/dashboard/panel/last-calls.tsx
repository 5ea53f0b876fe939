import { Badge, toneOf } from '../design/badge.tsx'
import { clockTime } from '../design/format.ts'
import { useLive } from '../state/live.ts'
import type { PanelHost } from './panel-host.ts'

const most = 10

/** The last calls, each with the reason for its answer. */
export function LastCalls({ host: { plane, connection } }: { readonly host: PanelHost }) {
  const { value, error } = useLive(connection, async () => {
    const { requests } = await plane.call('listRequests', { query: { limit: most, view: 'rows' } })
    const ids = requests.map(({ id }) => id)
    const whole = await Promise.all(ids.map(id => plane.call('getRequest', { params: { id } })))
    return whole
  })
  const calls = value.value
  if (calls === undefined)
    return error.value === undefined ? null : <p class="section">{error.value.message}</p>
  return (
    <section class="section" aria-label="Last calls">
      {calls.length === 0 && <p class="muted">No calls yet.</p>}
      {calls.map(({ id, at, method, target, status, code, explanation }) => (
        <details key={id}>
          <summary>
            <time class="muted" dateTime={at}>
              {clockTime(at).slice(0, 8)}
            </time>{' '}
            <Badge tone={toneOf(status)}>{status}</Badge>{' '}
            <span class="mono">
              {method} {target}
            </span>{' '}
            {code !== null && <span class="muted">{code}</span>}
          </summary>
          {explanation.sentences.map(sentence => (
            <p key={sentence}>{sentence}</p>
          ))}
        </details>
      ))}
    </section>
  )
}
