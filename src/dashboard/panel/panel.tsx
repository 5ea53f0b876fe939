import type { ReadonlySignal } from '@preact/signals'
import { useState } from 'preact/hooks'
import type { App } from '../app/app.ts'
import { clockSteps, type EmulatorClock, isMoved, useEmulatorClock } from '../clock/emulator-clock.ts'
import { Badge, Button, Meter, toneOf } from '../design/basics.tsx'
import { clockTime, dayOf, lengthOfTime, timeOfDay } from '../design/format.ts'
import { type Answer, closedCode, type Plane } from '../plane/plane.ts'
import { LoginForm } from '../shell/login-form.tsx'
import type { Connection } from '../state/connection.ts'
import { bannedForMs, type KeyState, useKeys, windowAt } from '../state/keys.ts'
import { useAnswer, useLoad } from '../state/live.ts'
import type { Login } from '../state/login.ts'

/** What the panel shows: a server, or an emulator in the page. */
interface PanelHost {
  readonly plane: Plane
  readonly connection: Connection
  readonly sandbox: ReadonlySignal<string>
  /** Undefined for an emulator in the page. */
  readonly login: Login | undefined
  /** The address of the dashboard. An emulator in the page has none. */
  readonly dashboard: string | undefined
}

/** The panel in a user's own page: quotas, clock, situation and the last calls. */
export function Panel({ host }: { readonly host: PanelHost }) {
  const { login, connection, dashboard } = host
  const refusal = login?.refusal.value
  const isLost = connection.status.value.kind === 'lost'
  return (
    <main class="panel">
      <header>
        <h1>pet-mock</h1>
        <span class="filler" />
        {dashboard !== undefined && (
          <a href={dashboard} target="_blank" rel="noreferrer">
            Dashboard
          </a>
        )}
      </header>
      {isLost && (
        <p class="lost" role="status">
          The server does not answer. The panel tries again.
        </p>
      )}
      {login === undefined || refusal === undefined ? (
        <Rows host={host} />
      ) : refusal.code === closedCode ? (
        // No token opens it.
        <p class="section">{refusal.message}</p>
      ) : (
        <LoginForm app={{ login, connection }} why={refusal.message} />
      )}
    </main>
  )
}

function Rows({ host }: { readonly host: PanelHost }) {
  const clock = useEmulatorClock(host)
  return (
    <>
      <Quotas host={host} clock={clock} />
      <ClockRow host={host} clock={clock} />
      <SituationRow host={host} />
      <LastCalls host={host} />
    </>
  )
}

interface RowProps {
  readonly host: PanelHost
  readonly clock: EmulatorClock
}

/** The most keys that the panel shows: the ones in use. */
const mostKeys = 4
function Quotas({ host, clock }: RowProps) {
  const { plane } = host
  const { value: keys } = useKeys(host)
  const at = clock.at.value
  if (keys === undefined || at === undefined) return null
  const used = keys.filter(({ used, bannedUntil }) => used.day > 0 || bannedUntil !== null)
  const shown = (used.length === 0 ? keys.slice(0, 1) : used).slice(0, mostKeys)
  return (
    <section class="section" aria-label="Quotas">
      {shown.map(key => (
        <KeyQuota key={key.key} state={key} now={at} lift={() => plane.call('unbanKey', { params: key })} />
      ))}
    </section>
  )
}

/** `now`: the emulator's time, in milliseconds. */
export function KeyQuota({ state, now, lift }: { state: KeyState; now: number; lift: () => unknown }) {
  const { name: key, plan, strikes, banAfter } = state
  const banMs = bannedForMs(state, now)
  return (
    <div class="key">
      <p>
        <span class="mono">{key}</span> <span class="muted">{plan}</span>
        <span class="filler" />
        {banMs > 0 ? (
          <>
            <Badge tone="bad">banned for {lengthOfTime(banMs)}</Badge>
            <Button onClick={() => void lift()}>Lift</Button>
          </>
        ) : (
          strikes > 0 && (
            <Badge tone="warn">
              {strikes} of {banAfter ?? '∞'} strikes
            </Badge>
          )
        )}
      </p>
      {(['minute', 'day'] as const).map(name => {
        const { left, limit, endsIn } = windowAt(state, name, now)
        return (
          <div key={name} class="quota">
            <Meter label={`${key}, left this ${name}`} value={left} max={limit} />
            <span class="muted">
              {left.toLocaleString('en')} of {limit.toLocaleString('en')} left this {name}
              {endsIn !== undefined && `, ${lengthOfTime(endsIn)}`}
            </span>
          </div>
        )
      })}
    </div>
  )
}

function ClockRow({ host: { plane }, clock }: RowProps) {
  const reading = clock.reading.value
  const at = clock.at.value
  if (reading === undefined || at === undefined) return null
  const { frozen, scale, aheadMs } = reading
  const change = (done: Promise<unknown>) => void done.then(clock.reload, clock.reload)
  return (
    <section class="section" aria-label="Clock">
      <p>
        <time class="clock mono">
          {dayOf(at)} {timeOfDay(at)}
        </time>
        <span class="filler" />
        {frozen && <Badge tone="info">frozen</Badge>}
        {scale > 0 && scale !== 1 && <Badge tone="info">{scale}× as fast</Badge>}
        {!frozen && isMoved({ frozen, scale: 1, aheadMs }) && (
          <Badge tone="warn">
            {lengthOfTime(Math.abs(aheadMs))} {aheadMs > 0 ? 'ahead' : 'behind'}
          </Badge>
        )}
      </p>
      <p class="buttons">
        {Object.entries(clockSteps).map(([text, by]) => (
          <Button key={by} onClick={() => change(plane.call('advanceClock', { body: { by } }))}>
            {text}
          </Button>
        ))}
        <Button
          onClick={() => change(frozen ? plane.call('resumeClock', { body: {} }) : plane.call('freezeClock'))}
        >
          {frozen ? 'Run' : 'Freeze'}
        </Button>
        <Button onClick={() => change(plane.call('resetClock'))}>Back to the start</Button>
      </p>
    </section>
  )
}
function SituationRow({ host }: Pick<RowProps, 'host'>) {
  const { plane } = host
  const { value: running, reload } = useAnswer(host, 'getScenario')
  const known = useLoad(() => plane.call('listScenarios'), [plane])
  if (running === undefined) return null
  const scenarios = known.value?.scenarios ?? []
  const change = (done: Promise<unknown>) => void done.then(reload, reload)
  return (
    <section class="section" aria-label="Situation">
      <p class="buttons">
        <select
          aria-label="Scenario"
          value={running.name}
          onChange={event =>
            change(plane.call('useScenario', { body: { scenario: event.currentTarget.value } }))
          }
        >
          {scenarios.every(({ name }) => name !== running.name) && (
            <option value={running.name}>{running.title}</option>
          )}
          {scenarios.map(({ name, title }) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
        <Button onClick={() => change(plane.call('reset'))}>Restart</Button>
      </p>
      {running.description !== null && <p class="muted">{running.description}</p>}
    </section>
  )
}

const most = 10

/** The last calls, each with the reason for its response. */
function LastCalls({ host }: { readonly host: Pick<App, 'plane' | 'connection'> }) {
  const { plane, connection } = host
  const { value, error } = useAnswer(host, 'listRequests', { query: { limit: most, view: 'rows' } })
  const calls = value?.requests.toReversed()
  if (calls === undefined) return error === undefined ? null : <p class="section">{error.message}</p>
  return (
    <section class="section" aria-label="Last calls">
      {calls.length === 0 && <p class="muted">No calls yet.</p>}
      {calls.map(call => (
        <Call key={`${connection.run.value} ${call.id}`} plane={plane} call={call} />
      ))}
    </section>
  )
}

function Call({ plane, call }: { plane: Plane; call: Answer<'listRequests'>['requests'][number] }) {
  const { id, at, method, target, status, code } = call
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={event => setOpen(event.currentTarget.open)}>
      <summary class="one-line">
        <time class="muted" dateTime={at}>
          {clockTime(at).slice(0, 8)}
        </time>{' '}
        <Badge tone={toneOf(status)}>{status}</Badge>{' '}
        <span class="mono">
          {method} {target}
        </span>{' '}
        {code !== null && <span class="muted">{code}</span>}
      </summary>
      {isOpen && <Reasons plane={plane} id={id} />}
    </details>
  )
}

function Reasons({ plane, id }: { readonly plane: Plane; readonly id: number }) {
  const { value, error } = useLoad(() => plane.call('getRequest', { params: { id } }), [plane, id])
  if (error !== undefined) return <p>{error.message}</p>
  return (
    <>
      {value?.explanation.sentences.map(sentence => (
        <p key={sentence}>{sentence}</p>
      ))}
    </>
  )
}
