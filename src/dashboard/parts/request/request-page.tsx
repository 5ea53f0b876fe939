import { useLayoutEffect, useRef } from 'preact/hooks'
import { type PlaneExplainedRequest, planeGates } from '../../../generated/plane-operations.ts'
import type { App } from '../../app/app.ts'
import { Badge, Icon, Meter, severityTones, toneOf } from '../../design/basics.tsx'
import { IconButton, Problem, Table } from '../../design/elements.tsx'
import { clockTime, momentAfter } from '../../design/format.ts'
import { MessageView } from '../../design/message-parts.tsx'
import { useLoad } from '../../state/live.ts'
import { type CallRow, type Row, showCaller } from '../../traffic/rows.ts'
import { RequestActions, type RequestProps } from './request-actions.tsx'

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

type KnownProps = Omit<RequestPageProps, 'name'> & { readonly id: number }

function KnownRequest({ app, id, rows }: KnownProps) {
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

/** Names the call, and leads to the calls of the same key before and after it. */
function RequestTitle({
  app,
  id,
  rows,
  request,
}: KnownProps & { request: PlaneExplainedRequest | undefined }) {
  const { earlier, later } = neighboursOf(rows, id)
  const step = (to: number | undefined, icon: 'back' | 'forward', label: string) => (
    <IconButton
      icon={icon}
      label={label}
      disabled={to === undefined}
      onClick={() => app.places.goTo({ part: 'requests', rest: [`${to}`] })}
    />
  )
  return (
    <header class="request-title">
      <div class="request-steps">
        {step(earlier, 'back', 'Earlier call of this key')}
        {step(later, 'forward', 'Later call of this key')}
        <span class="muted">
          #{id}
          {request && ` · ${clockTime(request.at)} · ${showCaller(request)}`}
        </span>
        <span class="filler" />
        <CloseLink app={app} />
      </div>
      {request && (
        <h1>
          <span class="mono">
            {request.method} {request.path}
          </span>
          <Badge tone={toneOf(request.status)}>{request.status}</Badge>
          {request.code !== null && <span class="code">{request.code}</span>}
          {request.synthetic && <Badge tone="info">injected</Badge>}
        </h1>
      )}
    </header>
  )
}

function CloseLink({ app: { places } }: { readonly app: App }) {
  return (
    <a
      class="button icon-only"
      href={places.linkTo('requests', [], places.at.value.query)}
      aria-label="Close"
      title="Close"
    >
      <Icon name="close" />
    </a>
  )
}

/** The ids of the calls of the same key next to a call, as far as the page has them. */
function neighboursOf(rows: readonly Row[], id: number) {
  const calls = rows.filter((row): row is CallRow => row.kind === 'call')
  const index = calls.findIndex(call => call.id === id)
  if (index < 0) return {}
  const isSame = (call: CallRow) => call.key === calls[index]?.key
  return {
    earlier: calls.slice(index + 1).find(isSame)?.id,
    later: calls.slice(0, index).findLast(isSame)?.id,
  }
}

/** The findings about the client that this call is evidence of. */
function Findings({ app: { plane }, request: { id, sandbox, breaches } }: RequestProps) {
  const { value } = useLoad(
    () => plane.call('getConduct', { query: { sandbox, request: id } }),
    [id, sandbox],
  )
  const findings = value?.findings ?? []
  if (findings.length === 0 && breaches.length === 0) return null
  return (
    <div class="findings">
      <h2>Evidence of</h2>
      {findings.map(({ id, severity, title, evidence, remedy }) => (
        <div key={id} class="finding">
          <Badge tone={severityTones[severity]}>{severity}</Badge> <strong>{title}</strong>
          <p>{evidence[0]?.detail}</p>
          <p class="muted">{remedy}</p>
        </div>
      ))}
      {breaches.map(({ side, part, place, message }) => (
        <div key={`${side} ${part} ${place} ${message}`} class="finding">
          <Badge tone="bad">contract</Badge> <strong>The {side} breaks the contract</strong>
          <p>
            {part}
            {place === '' ? '' : ` ${place}`}: {message}
          </p>
        </div>
      ))}
    </div>
  )
}
