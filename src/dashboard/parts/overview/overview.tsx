import { useEffect, useMemo } from 'preact/hooks'
import { formatTimes } from '../../../base/text/quantities.ts'
import type { AppProps } from '../../app/app.ts'
import { useEmulatorClock } from '../../clock/emulator-clock.ts'
import { Badge, severityTones, toneOf } from '../../design/badge.tsx'
import { clockTime } from '../../design/format.ts'
import { Absent } from '../../design/problem.tsx'
import { useKeys } from '../../state/keys.ts'
import { useAnswer, useLive } from '../../state/live.ts'
import { NotJudged } from '../findings/not-judged.tsx'
import { UseInTest } from '../situation/use-in-test.tsx'
import { Card } from './card.tsx'
import { Faults } from './faults.tsx'
import { FirstCall } from './first-call.tsx'
import { KeyRings } from './key-rings.tsx'
import { MinuteBars } from './minute-bars.tsx'

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
        {running.length === 0 && <p class="muted">No rule is at work.</p>}
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
      {calls === 0 && <p class="muted">No call came yet.</p>}
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
