import type { PlaneFinding } from '../../../generated/plane-operations.ts'
import type { App } from '../../app/app.ts'
import { Badge, severityTones } from '../../design/basics.tsx'
import { Absent, Problem } from '../../design/elements.tsx'
import { clockTime } from '../../design/format.ts'
import { useAnswer } from '../../state/live.ts'
import { NotJudged } from './not-judged.tsx'

import './findings.css'

/** What the judges say about the calls in the journal. */
export function View({ app }: { readonly app: App }) {
  const { value, error } = app.conduct.value
  const report = value.value
  if (report === undefined) return <Absent title="No findings" error={error.value} />
  return (
    <div class="page findings-page">
      <h1>Findings</h1>
      {report.notes.map(note => (
        <p key={note} class="muted">
          {note}
        </p>
      ))}
      <NotJudged report={report} />
      {report.findings.length === 0 ? (
        <Problem title="No findings about the client">
          {report.calls > 0 &&
            report.unjudged.length === 0 &&
            'It waits, backs off and asks for nothing twice.'}
        </Problem>
      ) : (
        report.findings.map(finding => (
          <FindingCard key={`${finding.id} ${finding.severity}`} app={app} finding={finding} />
        ))
      )}
      <BreachList app={app} />
    </div>
  )
}

/** The newest calls that break the contract. There are none without --contract. */
const most = 50

function BreachList({ app }: { readonly app: App }) {
  const query = { sandbox: app.sandbox.value, breaking: true, limit: most }
  const requests = useAnswer(app, 'listRequests', { query }).value?.requests.toReversed() ?? []
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
            <a class="mono" href={app.places.linkTo('requests', [`${id}`])}>
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

function FindingCard({ app, finding }: { readonly app: App; readonly finding: PlaneFinding }) {
  const { id, severity, title, remedy, source, evidence, count } = finding
  const shown = evidence.reduce((sum, one) => sum + (one.count ?? 1), 0)
  return (
    <section class="card" aria-label={id}>
      <header>
        <Badge tone={severityTones[severity]}>{severity}</Badge>
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
                href={app.places.linkTo('requests', [`${request}`], { sandbox: sandbox ?? '' })}
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
