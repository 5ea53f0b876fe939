import type { App } from '../../app/app.ts'
import { Badge } from '../../design/badge.tsx'
import { useLive } from '../../state/live.ts'

/** The newest calls that break the contract. There are none without --contract. */
const most = 50

export function BreachList({ app }: { readonly app: App }) {
  const { plane, connection, places, sandbox } = app
  const live = useLive(
    connection,
    () => plane.call('listRequests', { query: { sandbox: sandbox.value, breaking: true, limit: most } }),
    [sandbox.value],
  )
  const requests = live.value.value?.requests ?? []
  if (requests.length === 0) return null
  return (
    <section class="card" aria-label="Breaches of the contract">
      <header>
        <Badge tone="bad">contract</Badge>
        <h2>Breaches of the contract</h2>
      </header>
      <ul>
        {requests.map(({ id, method, target, status, breaches }) => (
          <li key={id}>
            <a class="mono" href={places.linkTo('requests', [`${id}`])}>
              {method} {target} → {status}
            </a>
            {breaches.map(({ side, part, place, message }) => (
              <span key={`${side} ${part} ${place} ${message}`} class="muted">
                {side}, {part}
                {place === '' ? '' : ` ${place}`}: {message}
              </span>
            ))}
          </li>
        ))}
      </ul>
    </section>
  )
}
