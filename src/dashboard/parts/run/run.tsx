import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { App } from '../../app/app.ts'
import { Badge, toneOf } from '../../design/badge.tsx'
import { Button, IconButton } from '../../design/button.tsx'
import { clockTime } from '../../design/format.ts'
import { Absent, Problem } from '../../design/problem.tsx'
import { act } from '../../state/act.ts'
import { useLoad } from '../../state/load.ts'
import { MessageView } from '../request/message-view.tsx'
import { GateRow, QuotaLines, Why } from '../request/request-page.tsx'
import { TimeLine } from './time-line.tsx'
import { type Look, WorldBefore } from './world-before.tsx'

import './run.css'

/** A slider that is dragged passes many calls: the server plays only the one where it rests for so long, in milliseconds. */
const restMs = 80
const mostCalls = 20_000

/** The run of the box that the server was opened from, call by call. */
export function View({ app }: { readonly app: App }) {
  const { plane, connection, places } = app
  const served = useSignal<number | undefined>(undefined)
  const typed = Number(places.at.value.query.call)
  const chosen = Number.isSafeInteger(typed) ? typed : served.value
  /** A very long run has several pages. */
  const from = 1 + Math.floor(Math.max(0, (chosen ?? 1) - 1) / mostCalls) * mostCalls
  const load = () => plane.call('listBoxCalls', { query: { from } })
  const { value: run, error } = useLoad(load, [from, connection.run.value])
  if (run === undefined) return <Absent title="There is no run to show" error={error} />
  const { calls, end } = run
  const usual = served.value ?? run.served
  const first = calls[0]?.number ?? end
  const number = Math.min(end, Math.max(from > 1 ? 1 : first, chosen ?? usual))
  const goTo = (call: number) => places.filter({ call: `${call}` })
  const serve = async () => {
    const done = `The worlds are now those before call ${number}.`
    if (await act(app, () => plane.call('serveBoxCall', { body: { number } }), done)) served.value = number
  }
  const listed = calls.find(call => call.number === number)
  return (
    <div class="page run">
      <header class="row">
        <h1>Run</h1>
        <span class="muted">
          {number < end ? `Call ${number} of ${end - 1}` : `After call ${end - 1}, the last`}
        </span>
        <span class="filler" />
        <Button class="primary" disabled={number === usual} onClick={serve}>
          {number === usual ? 'Served from here' : 'Serve from here'}
        </Button>
      </header>
      <TimeLine calls={calls} number={number} onChoose={goTo} />
      <div class="steps">
        <IconButton
          icon="back"
          label="Previous call"
          disabled={number <= first}
          onClick={() => goTo(number - 1)}
        />
        <input
          type="range"
          aria-label="Call"
          min={first}
          max={end}
          value={number}
          onInput={event => goTo(event.currentTarget.valueAsNumber)}
        />
        <IconButton
          icon="forward"
          label="Next call"
          disabled={number >= end}
          onClick={() => goTo(number + 1)}
        />
      </div>
      {listed && (
        <h2 class="wraps">
          <span class="muted">
            {listed.sandbox}:{listed.id ?? '–'} · {clockTime(listed.at)}
          </span>{' '}
          <span class="mono">
            {listed.method} {listed.target}
          </span>{' '}
          {listed.status !== null && <Badge tone={toneOf(listed.status)}>{listed.status}</Badge>}
        </h2>
      )}
      <ShownCall app={app} number={number} isLast={number === end} />
    </div>
  )
}

/** `isLast`: there is no call, and the run is over. */
function ShownCall({ app, number, isLast }: { app: App; number: number; isLast: boolean }) {
  const { plane, connection } = app
  const wanted = useSignal(number)
  useEffect(() => {
    const timer = setTimeout(() => {
      wanted.value = number
    }, restMs)
    return () => clearTimeout(timer)
  }, [number])
  const load = () => plane.call('getBoxCall', { params: { number: wanted.value } })
  const { value: look, error } = useLoad(load, [wanted.value, connection.run.value])
  return (
    <div class="look">
      {error && <Problem title="This call cannot be shown">{error.message}</Problem>}
      {look && (isLast ? <p class="muted">The run ends here.</p> : <CallView look={look} />)}
      {look && <WorldBefore look={look} />}
    </div>
  )
}

export function CallView({ look: { request, isSame } }: { readonly look: Pick<Look, 'request' | 'isSame'> }) {
  return (
    <section class="call-view" aria-label="The call">
      {isSame === false && <Badge tone="bad">The run had another response</Badge>}
      {isSame === null && <Badge tone="plain">Not compared with the run</Badge>}
      {request === null ? (
        <p class="muted">No journal has this call.</p>
      ) : (
        <>
          <Why explanation={request.explanation} />
          <GateRow gate={request.gate} status={request.status} />
          <QuotaLines limit={request.limit} plan={request.plan} at={request.at} />
          <MessageView title="Request" first={request.method} message={request.request} />
          <MessageView title="Response" first={`${request.status}`} message={request.response} />
        </>
      )}
    </section>
  )
}
