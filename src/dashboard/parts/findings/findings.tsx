import './findings.css'
import type { App } from '../../app/app.ts'
import { Problem } from '../../design/problem.tsx'
import { useLive } from '../../state/live.ts'
import { BreachList } from './breach-list.tsx'
import { FindingCard } from './finding-card.tsx'

/** What the judges say about the calls in the journal. */
export function View({ app }: { readonly app: App }) {
  const { plane, connection, sandbox } = app
  const query = { sandbox: sandbox.value }
  const live = useLive(connection, () => plane.call('getConduct', { query }), [sandbox.value])
  const report = live.value.value
  if (report === undefined) {
    const error = live.error.value
    return error === undefined ? null : <Problem title="No findings">{error.message}</Problem>
  }
  return (
    <div class="findings-page">
      <h1>Findings</h1>
      {report.notes.map(note => (
        <p key={note} class="muted">
          {note}
        </p>
      ))}
      {report.findings.length === 0 ? (
        <Problem title="No findings about the client">
          {report.calls === 0 ? 'No call came yet.' : 'It waits, backs off and asks for nothing twice.'}
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
