import type { AppProps, ChangingProps } from '../../app/app.ts'
import { Badge } from '../../design/badge.tsx'
import { Button } from '../../design/button.tsx'
import { Problem } from '../../design/problem.tsx'
import type { Answer } from '../../plane/plane.ts'
import { acting } from '../../state/act.ts'
import { useAnswer } from '../../state/live.ts'
import { RuleForm } from './rule-form.tsx'

import './rules.css'

/** The rules of the sandbox in the order of their evaluation, and a form for another one. */
export function View({ app }: AppProps) {
  const query = { sandbox: app.sandbox.value }
  const { value, error, reload } = useAnswer(app, 'listRules', { query })
  if (error !== undefined) return <Problem title="The rules cannot be shown">{error.message}</Problem>
  if (value === undefined) return null
  return (
    <div class="page rules">
      <h1>Rules</h1>
      <p class="muted">A rule injects an error, a delay or a fault. The first one that acts decides.</p>
      {value.rules.length === 0 && <p>No rule is at work.</p>}
      <ul>
        {value.rules.map(status => (
          <RuleLine key={status.name} app={app} status={status} onChanged={reload} />
        ))}
      </ul>
      <RuleForm app={app} onAdded={reload} />
    </div>
  )
}

export type RuleStatus = Answer<'listRules'>['rules'][number]

export function RuleLine({ app, status, onChanged }: ChangingProps & { status: RuleStatus }) {
  const { plane } = app
  const { name, on, added, retired, acted } = status
  const { match, when, then } = status.rule
  const target = { params: { name }, query: { sandbox: app.sandbox.value } }
  const change = acting(app, onChanged)
  const turn = change(() => plane.call('changeRule', { ...target, body: { on: !on } }))
  const remove = change(() => plane.call('deleteRule', target), `${name} is deleted.`)
  return (
    <li class="rule card" data-on={on}>
      <header class="row">
        <h2 class="wraps">{name}</h2>
        {added && <Badge tone="info">added</Badge>}
        {retired && <Badge tone="plain">done</Badge>}
        {!on && <Badge tone="plain">off</Badge>}
        <span class="muted">acted {acted.toLocaleString('en')} times</span>
        <span class="filler" />
        <Button aria-pressed={on} aria-label={`${on ? 'On' : 'Off'}: ${name}`} onClick={turn}>
          {on ? 'On' : 'Off'}
        </Button>
        <Button aria-label={`Delete ${name}`} onClick={remove}>
          Delete
        </Button>
      </header>
      <dl class="mono">
        <Fact name="match" value={match ?? 'every call'} />
        {when && <Fact name="when" value={when} />}
        <Fact name="then" value={then} />
      </dl>
    </li>
  )
}

function Fact({ name, value }: { readonly name: string; readonly value: unknown }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="wraps">{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
    </div>
  )
}
