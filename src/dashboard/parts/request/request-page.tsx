import './request.css'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { App } from '../../app/app.ts'
import { Problem } from '../../design/problem.tsx'
import { useLoad } from '../../state/load.ts'
import type { Row } from '../../traffic/row.ts'
import { Findings } from './findings.tsx'
import { GateRow } from './gate-row.tsx'
import { MessageView } from './message-view.tsx'
import { QuotaLines } from './quota-lines.tsx'
import { RequestActions } from './request-actions.tsx'
import { CloseLink, RequestTitle } from './request-title.tsx'
import { Why } from './why.tsx'

export interface RequestPageProps {
  readonly app: App
  /** The id, as the URL has it. */
  readonly name: string
  /** The rows of the list, in which the neighbours are. */
  readonly rows: readonly Row[]
}

/** Everything about one call. */
export function RequestPage({ app, name, rows }: RequestPageProps) {
  const id = Number(name)
  const page = useReturnToRow(app, name)
  return (
    <section ref={page} class="request-page" aria-label={`Request ${name}`}>
      {/^[1-9]\d*$/.test(name) && Number.isSafeInteger(id) ? (
        <KnownRequest app={app} id={id} rows={rows} />
      ) : (
        <>
          <header class="request-title">
            <CloseLink app={app} />
          </header>
          <Problem title={`There is no request ${name}`}>The list has all of them.</Problem>
        </>
      )}
    </section>
  )
}

/** Gives the focus to the row when a request that has it is closed. */
function useReturnToRow({ places }: App, name: string) {
  const page = useRef<HTMLElement>(null)
  useLayoutEffect(
    () => () => {
      const { rest, query } = places.at.value
      if (rest.length > 0 || page.current?.contains(document.activeElement) !== true) return
      const href = CSS.escape(places.linkTo('requests', [name], query))
      document.querySelector<HTMLElement>(`a[href="${href}"]`)?.focus()
    },
    [],
  )
  return page
}

function KnownRequest({ app, id, rows }: Omit<RequestPageProps, 'name'> & { readonly id: number }) {
  const { plane, sandbox, connection } = app
  const { value: request, error } = useLoad(
    () => plane.call('getRequest', { params: { id }, query: { sandbox: sandbox.value } }),
    [id, sandbox.value, connection.run.value],
  )
  return (
    <>
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
    </>
  )
}
