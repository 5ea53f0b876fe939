import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { formatTimes } from '../../../base/text/quantities.ts'
import type { App } from '../../app/app.ts'
import { Badge, Button, toneOf } from '../../design/basics.tsx'
import { Absent, IconButton, Problem } from '../../design/elements.tsx'
import { clockTime, dayOf, lengthOfTime, timeOfDay } from '../../design/format.ts'
import { MessageView } from '../../design/message-parts.tsx'
import type { Answer } from '../../plane/plane.ts'
import { act, useLoad } from '../../state/live.ts'
import { Strikes, WindowBar } from '../keys/key-card.tsx'
import { GateRow, QuotaLines, Why } from '../request/request-page.tsx'

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

type Calls = Answer<'listBoxCalls'>['calls']

/** All calls by time. A click chooses the nearest one; the slider does the same with the keyboard. */
export function TimeLine(props: { calls: Calls; number: number; onChoose: (number: number) => void }) {
  const { calls, number, onChoose } = props
  const { times, places, marks } = useMemo(() => layOut(calls), [calls])
  const choose = (event: MouseEvent & { readonly currentTarget: HTMLElement }) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const distances = places.map(place => Math.abs(place - ((event.clientX - left) / width) * 100))
    const nearest = distances.indexOf(distances.reduce((least, one) => Math.min(least, one), 100))
    onChoose(calls[nearest]?.number ?? number)
  }
  const chosen = places[Math.min(places.length - 1, number - (calls[0]?.number ?? 1))] ?? 0
  return (
    <figure class="time-line" aria-hidden="true">
      <div onPointerDown={choose}>
        <i class="chosen" style={{ left: `${chosen}%` }} />
        {marks.map(([place, tone]) => (
          <i key={`${place} ${tone}`} data-tone={tone} style={{ left: `${place}%` }} />
        ))}
      </div>
      <figcaption class="muted">
        {times.map(time => (
          <span key={time}>{clockTime(new Date(time).toISOString())}</span>
        ))}
      </figcaption>
    </figure>
  )
}

function layOut(calls: Calls) {
  const at = calls.map(call => Date.parse(call.at))
  // The system's clock may go back in a run.
  const begin = at.reduce((least, time) => Math.min(least, time), at[0] ?? 0)
  const end = at.reduce((most, time) => Math.max(most, time), begin)
  const places = at.map(time => Math.round(((time - begin) / Math.max(1, end - begin)) * 1_000) / 10)
  const marks = places.map((place, index) => [place, toneOf(calls[index]?.status ?? 500)] as const)
  return { times: [begin, end], places, marks: [...new Map(marks.map(mark => [mark.join(), mark])).values()] }
}

export type Look = Answer<'getBoxCall'>

/** The sandbox of the call, before it: what changed since the call before, clock, quotas, bans, rules and pets. */
export function WorldBefore({ look }: { readonly look: Pick<Look, 'world' | 'changes'> }) {
  const { changes, world } = look
  const { sandbox, clock, keys, rules, pets, petChanges } = world
  const at = Date.parse(clock.at)
  return (
    <section class="world-before card" aria-labelledby="world-title">
      <h2 id="world-title">The world at this point</h2>
      <p>
        Sandbox {sandbox}, {dayOf(at)} {timeOfDay(at)}
        {clock.frozen && ', and the clock stands still'}
      </p>
      {changes.map(change => (
        <p key={change} class="mono">
          {change}
        </p>
      ))}
      <h3>Quotas</h3>
      {keys.length === 0 && <p class="muted">No key was used yet.</p>}
      {keys.map(key => (
        <div key={key.key}>
          <p>
            <span class="mono">{key.key}</span> <span class="muted">{key.plan}</span>{' '}
            {key.bannedUntil !== null && (
              <Badge tone="bad">banned for {lengthOfTime(Date.parse(key.bannedUntil) - at)}</Badge>
            )}
          </p>
          <WindowBar shown={key} name="minute" at={at} />
          <WindowBar shown={key} name="day" at={at} />
          {key.strikes > 0 && <Strikes count={key.strikes} banAfter={key.banAfter} />}
        </div>
      ))}
      {rules.length > 0 && <h3>Rules</h3>}
      {rules.map(({ name, acted, on }) => (
        <p key={name}>
          <span class="mono">{name}</span> acted {formatTimes(acted)}
          {!on && ', off'}
        </p>
      ))}
      <h3>Pets</h3>
      <p>
        {pets.toLocaleString('en')} pets{petChanges.length === 0 && ', as in the scenario'}
      </p>
      {petChanges.map(change => (
        <p key={change}>{change}</p>
      ))}
    </section>
  )
}
