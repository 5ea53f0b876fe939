import { useLayoutEffect, useRef } from 'preact/hooks'
import { type PlaneExplainedRequest, planeGates } from '../../../generated/plane-operations.ts'
import type { App } from '../../app/app.ts'
import { toneOf } from '../../design/badge.tsx'
import { momentAfter } from '../../design/format.ts'
import { Meter } from '../../design/meter.tsx'
import { Problem } from '../../design/problem.tsx'
import { Table } from '../../design/table.tsx'
import { useLoad } from '../../state/load.ts'
import type { Row } from '../../traffic/row.ts'
import { Findings } from './findings.tsx'
import { MessageView } from './message-view.tsx'
import { RequestActions } from './request-actions.tsx'
import { CloseLink, RequestTitle } from './request-title.tsx'

import './request.css'

export interface RequestPageProps {
  readonly app: App
  /** The id, as the URL has it. */
  readonly name: string
  /** The rows of the list, in which the neighbours are. */
  readonly rows: readonly Row[]
}

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

type Gate = (typeof planeGates)[number]

const names: Readonly<Record<Gate, string>> = {
  host: 'Host',
  preflight: 'Preflight',
  api: 'Base path',
  key: 'Key',
  ban: 'Ban',
  limit: 'Limit',
  prefer: 'Prefer',
  rule: 'Rules',
  route: 'Route',
  operation: 'Operation',
  failure: 'Failure',
}

/** The gates in their order: those that the call passed, and the one that decided. */
export function GateRow({ gate, status }: { readonly gate: Gate; readonly status: number }) {
  const decided = planeGates.indexOf(gate)
  const shown = planeGates.filter(one => one !== 'failure' || gate === 'failure')
  return (
    <ol class="gates" aria-label="Gates">
      {shown.map((one, index) => {
        const state = index < decided ? 'passed' : index === decided ? 'decided' : 'rest'
        return (
          <li key={one} data-state={state} data-tone={state === 'decided' ? toneOf(status) : undefined}>
            {names[one]}
            <span class="visually-hidden">{words[state]}</span>
          </li>
        )
      })}
    </ol>
  )
}

const words = { passed: ': passed', decided: ': decided', rest: ': did not decide' }

export function QuotaLines({ limit, plan, at }: Pick<PlaneExplainedRequest, 'limit' | 'plan' | 'at'>) {
  if (limit === null) return <p class="quota-none muted">The call used no quota and has no windows.</p>
  return (
    <div class="quota-lines">
      {(['minute', 'day'] as const).map(name => {
        const { remaining, limit: most, resetsAt } = limit[name]
        return (
          <div key={name}>
            <span>
              <strong>{remaining.toLocaleString('en')}</strong> of {most.toLocaleString('en')} left this{' '}
              {name}
              {plan !== null && ` on ${plan}`}
            </span>
            <Meter label={`Left this ${name}`} value={remaining} max={most} />
            <span class="muted">
              {resetsAt === null ? 'opens with the next call' : `resets ${momentAfter(at, resetsAt)}`}
            </span>
          </div>
        )
      })}
    </div>
  )
}

/** Why the call got its response, in sentences, and what would have worked. */
export function Why({ explanation }: { readonly explanation: PlaneExplainedRequest['explanation'] }) {
  const { sentences, mismatches } = explanation
  // The title says the first one.
  const [, ...reasons] = sentences
  return (
    <div class="why">
      <h2>Why</h2>
      {reasons.map(sentence => (
        <p key={sentence}>{sentence}</p>
      ))}
      {reasons.length === 0 && <p>Every gate let it pass.</p>}
      {mismatches.length > 0 && (
        <Table class="facts" heads={['What', 'Sent', 'Expected']}>
          {mismatches.map(({ what, asked, expected }) => (
            <tr key={what + asked}>
              <td>{what}</td>
              <td class="mono">{asked}</td>
              <td class="mono">{expected}</td>
            </tr>
          ))}
        </Table>
      )}
    </div>
  )
}
