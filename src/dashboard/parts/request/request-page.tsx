import './request.css'
import type { App } from '../../app/app.ts'
import { Problem } from '../../design/problem.tsx'
import { useLoad } from '../../state/load.ts'
import type { Row } from '../../traffic/row.ts'
import { Findings } from './findings.tsx'
import { GateRow } from './gate-row.tsx'
import { MessageView } from './message-view.tsx'
import { QuotaLines } from './quota-lines.tsx'
import { RequestActions } from './request-actions.tsx'
import { RequestTitle } from './request-title.tsx'
import { Why } from './why.tsx'

export interface RequestPageProps {
  readonly app: App
  readonly id: number
  /** The rows of the list, in which the neighbours are. */
  readonly rows: readonly Row[]
}

/** Everything about one call. */
export function RequestPage({ app, id, rows }: RequestPageProps) {
  const { plane, sandbox, connection } = app
  const { value: request, error } = useLoad(
    () => plane.call('getRequest', { params: { id }, query: { sandbox: sandbox.value } }),
    [id, sandbox.value, connection.run.value],
  )
  return (
    <section class="request-page" aria-label={`Request ${id}`}>
      <RequestTitle app={app} id={id} rows={rows} request={request} />
      {error && (
        <Problem title={error.status === 404 ? 'This request is gone' : 'This request cannot be shown'}>
          {error.message}
        </Problem>
      )}
      {request && (
        <>
          <RequestActions app={app} request={request} />
          <Why explanation={request.explanation} />
          <GateRow gate={request.gate} status={request.status} />
          <QuotaLines limit={request.limit} plan={request.plan} at={request.at} />
          <Findings app={app} request={request} />
          <MessageView
            title="Request"
            first={`${request.method} ${request.target}`}
            message={request.request}
          />
          <MessageView title="Response" first={`${request.status}`} message={request.response} />
        </>
      )}
    </section>
  )
}
