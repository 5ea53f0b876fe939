import type { PlaneFinding } from '../../../generated/plane-operations.ts'
import type { App } from '../../app/app.ts'
import { Badge } from '../../design/badge.tsx'
import { clockTime } from '../../design/format.ts'

const tones = { error: 'bad', warning: 'warn', info: 'info' } as const

/** One finding about the client, with links to the calls that show it. */
export function FindingCard({ app, finding }: { readonly app: App; readonly finding: PlaneFinding }) {
  const { id, severity, title, remedy, source, evidence, count } = finding
  const shown = evidence.reduce((sum, one) => sum + (one.count ?? 1), 0)
  return (
    <section class="card" aria-label={id}>
      <header>
        <Badge tone={tones[severity]}>{severity}</Badge>
        <h2 class="mono">{id}</h2>
      </header>
      <p>{title}</p>
      <ul>
        {evidence.map(({ what, detail, at, request, sandbox }, index) => (
          <li key={request ?? index}>
            {request === undefined ? (
              <span class="mono">{what}</span>
            ) : (
              <a
                class="mono"
                href={app.places.linkTo(
                  'requests',
                  [`${request}`],
                  sandbox === 'default' ? {} : { sandbox: sandbox ?? '' },
                )}
              >
                {what}
              </a>
            )}
            <span class="muted">
              {[...(at === undefined ? [] : [clockTime(at)]), ...(detail === '' ? [] : [detail])].join(' · ')}
            </span>
          </li>
        ))}
      </ul>
      {count > shown && <p class="muted">and {count - shown} more</p>}
      <p>
        <strong>What to do:</strong> {remedy}
      </p>
      <p class="muted">Source: {source}</p>
    </section>
  )
}
