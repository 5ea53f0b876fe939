import type { ComponentChildren } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import { formatCount, formatTimes } from '../../../base/text/quantities.ts'
import type { AppProps } from '../../app/app.ts'
import { useEmulatorClock } from '../../clock/emulator-clock.ts'
import { Badge, Icon, severityTones, toneOf } from '../../design/basics.tsx'
import { Absent, Ring } from '../../design/elements.tsx'
import { clockTime, lengthOfTime } from '../../design/format.ts'
import { bannedForMs, type KeyState, useKeys, windowAt } from '../../state/keys.ts'
import { useAnswer, useLive } from '../../state/live.ts'
import type { Row } from '../../traffic/rows.ts'
import { NotJudged } from '../findings/not-judged.tsx'
import { UseInTest } from '../situation/use-in-test.tsx'
import { Faults } from './faults.tsx'
import { FirstCall } from './first-call.tsx'

import './overview.css'

/** What happens now, and the faults that people want first. */
export function View({ app }: AppProps) {
  const query = { sandbox: app.sandbox.value }
  const { value: scenario } = useAnswer(app, 'getScenario', { query }, 'changes')
  const rules = useAnswer(app, 'listRules', { query })
  const clock = useEmulatorClock(app)
  const keys = useKeys(app)
  const [key] = keys.value ?? []
  const at = clock.at.value
  const reload = () => {
    keys.reload()
    rules.reload()
  }
  const feed = app.feed.value
  // The calls of the picture are read while somebody looks at it.
  useEffect(() => feed.show(), [feed])
  if (scenario === undefined || rules.value === undefined || at === undefined)
    return <Absent title="No overview" error={rules.error ?? clock.error.value} />
  const running = rules.value.rules.filter(({ on, retired }) => on && !retired)
  return (
    <div class="page overview">
      <header class="row">
        <h1>Overview</h1>
        <span class="muted">
          {scenario.title} <code>{scenario.name}</code>
        </span>
        <span class="filler" />
        <UseInTest app={app} name={scenario.name} />
      </header>
      {key && <KeyRings app={app} state={key} at={at} />}
      <MinuteBars app={app} at={at} />
      {key && <Faults app={app} state={key} rules={rules.value.rules} at={at} onChanged={reload} />}
      <LastRefusals app={app} />
      <LastFindings app={app} />
      <Card name="Running rules" href={app.places.linkTo('rules')}>
        {running.length === 0 && <p class="muted">No active rules.</p>}
        <ul>
          {running.map(({ name, acted }) => (
            <li key={name}>
              <span class="mono wraps">{name}</span>
              <span class="muted">acted {formatTimes(acted)}</span>
            </li>
          ))}
        </ul>
      </Card>
      {app.conduct.value.value.value?.calls === 0 && <FirstCall app={app} />}
    </div>
  )
}

/** The most lines of a card. */
const most = 4

function LastRefusals({ app }: AppProps) {
  const { plane, connection, sandbox, places } = app
  const query = { sandbox: sandbox.value, refused: true, limit: most, view: 'rows' } as const
  // A reason stays as it is.
  const reasons = useMemo(() => new Map<number, string>(), [sandbox.value, connection.run.value])
  const load = async () => {
    const { requests } = await plane.call('listRequests', { query })
    for (const { id } of requests) {
      if (reasons.has(id)) continue
      const { explanation } = await plane.call('getRequest', {
        params: { id },
        query: { sandbox: sandbox.value },
      })
      reasons.set(id, explanation.sentences[1] ?? '')
    }
    return requests.toReversed()
  }
  const { value: rows } = useLive(connection, load, [sandbox.value, reasons]).value
  return (
    <Card name="Last refusals" href={places.linkTo('requests', [], { refused: 'yes' })}>
      {rows?.length === 0 && <p class="muted">No call was refused.</p>}
      <ul>
        {rows?.map(({ id, at, method, target, status }, index) => (
          <li key={id}>
            <Badge tone={toneOf(status)}>{status}</Badge>
            <a class="mono wraps" href={places.linkTo('requests', [`${id}`])}>
              {method} {target}
            </a>
            <time class="muted" dateTime={at}>
              {clockTime(at).slice(0, 8)}
            </time>
            {reasons.get(id) !== reasons.get(rows[index - 1]?.id ?? 0) && (
              <p class="muted">{reasons.get(id)}</p>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}

function LastFindings({ app }: AppProps) {
  const report = app.conduct.value.value.value
  if (report === undefined) return null
  const { findings, calls, unjudged } = report
  return (
    <Card name="Findings" href={app.places.linkTo('findings')}>
      {calls === 0 && <p class="muted">No calls yet.</p>}
      {calls > 0 && findings.length === 0 && unjudged.length === 0 && (
        <p class="muted">The client does nothing wrong.</p>
      )}
      <NotJudged report={report} />
      <ul>
        {findings.slice(0, most).map(({ id, severity, title }) => (
          <li key={`${id} ${severity}`}>
            <Badge tone={severityTones[severity]}>{severity}</Badge>
            <span class="mono">{id}</span>
            <p class="muted">{title}</p>
          </li>
        ))}
      </ul>
      {findings.length > most && <p class="muted">and {findings.length - most} more</p>}
    </Card>
  )
}

/** What the key of the scenario has left, and how near it is to a ban. `at`: the emulator's time. */
export function KeyRings({ app, state, at }: AppProps & { state: KeyState; at: number }) {
  const { name, plan, strikes, banAfter } = state
  const bannedFor = bannedForMs(state, at)
  const bans = banAfter === null ? 'bans are off' : `${strikes} of ${banAfter} refusals to a ban`
  return (
    <Card class="key-rings" name={`Quotas of ${name}`} href={app.places.linkTo('keys')}>
      <p class="muted">
        {plan}, {bannedFor > 0 ? <Badge tone="bad">banned for {lengthOfTime(bannedFor)}</Badge> : bans}
      </p>
      <div class="rings">
        {(['minute', 'day'] as const).map(window => {
          const { left, limit, endsIn } = windowAt(state, window, at)
          const end = endsIn === undefined ? 'opens with the next call' : `resets in ${lengthOfTime(endsIn)}`
          return (
            <div key={window}>
              <Ring label={`${left} of ${limit} left this ${window}`} value={left} max={limit} />
              <p>left this {window}</p>
              <p class="muted">{end}</p>
            </div>
          )
        })}
      </div>
    </Card>
  )
}

/** The minutes of the picture. */
const span = 15

/** Calls by minute of the emulator's clock, the present one last. Calls of a gap count in the minute of the call after them. */
function countByMinute(rows: readonly Row[], thisMinute: number) {
  const minutes = Array.from({ length: span }, () => ({ calls: 0, refused: 0 }))
  let place = span - 1
  for (const row of rows) {
    if (row.kind === 'call') place = span - 1 - thisMinute + Math.floor(Date.parse(row.at) / 60_000)
    const minute = minutes[place]
    if (minute === undefined) continue
    minute.calls += row.kind === 'call' ? 1 : row.to - row.from + 1
    if (row.kind === 'call' && row.refused) minute.refused += 1
  }
  return minutes
}

/** Calls a minute as a small picture, what was refused at the bottom. */
export function MinuteBars({ app, at }: AppProps & { at: number }) {
  const thisMinute = Math.floor(at / 60_000)
  const { rows, isLoaded } = app.feed.value
  const minutes = useMemo(() => countByMinute(rows.value, thisMinute), [rows.value, thisMinute])
  const unit = 38 / Math.max(1, ...minutes.map(({ calls }) => calls))
  const { calls, refused } = minutes.at(-1) ?? { calls: 0, refused: 0 }
  const all = minutes.reduce((sum, minute) => sum + minute.calls, 0)
  const words = `${formatCount(calls, 'call')} in this minute, ${refused} of them refused; ${all} in ${span} minutes`
  return (
    <Card class="minute-bars" name="Calls a minute" href={app.places.linkTo('requests')}>
      <p>
        <strong>{isLoaded.value ? calls.toLocaleString('en') : '–'}</strong> in this minute
        {refused > 0 && <span class="refused">, {refused.toLocaleString('en')} refused</span>}
      </p>
      <svg viewBox={`0 0 ${span * 8} 40`} preserveAspectRatio="none" role="img" aria-label={words}>
        {minutes.map(({ calls, refused }, index) => (
          <g key={`${index}`} transform={`translate(${index * 8 + 1} 0)`}>
            <rect class="empty" y={39} width={6} height={1} />
            <rect y={40 - calls * unit} width={6} height={(calls - refused) * unit} />
            <rect class="refused" y={40 - refused * unit} width={6} height={refused * unit} />
          </g>
        ))}
      </svg>
      <p class="muted ends">
        <span>{span} minutes ago</span>
        <span>now</span>
      </p>
    </Card>
  )
}

/** A part of the Overview. Its heading leads to the page that has more. */
function Card(props: { class?: string; name: string; href: string; children: ComponentChildren }) {
  return (
    <section class={`card ${props.class ?? ''}`} aria-label={props.name}>
      <h2>
        <a href={props.href}>
          <span class="wraps">{props.name}</span>
          <Icon name="forward" />
        </a>
      </h2>
      {props.children}
    </section>
  )
}
