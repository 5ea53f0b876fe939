import type { App } from '../../app/app.ts'
import { Badge } from '../../design/badge.tsx'
import type { Answer } from '../../plane/plane.ts'
import { act } from '../../state/act.ts'
import type { NamedRule, OffRules } from './off-rules.ts'

export interface RuleLineProps {
  readonly app: App
  readonly off: OffRules
  readonly rule: NamedRule
  /** Undefined: it is off. */
  readonly status: Answer<'listRules'>['rules'][number] | undefined
  readonly onChanged: () => void
}

/** One rule: what it is about, what it does, how often it acted, and a switch. */
export function RuleLine({ app, off, rule, status, onChanged }: RuleLineProps) {
  const { plane } = app
  const { name, match, when, then } = rule
  const query = { sandbox: app.sandbox.value }
  const isOn = status !== undefined
  const turn = () =>
    act(app, async () => {
      if (isOn) {
        await plane.call('removeRule', { params: { name }, query })
        off.add(rule)
      } else {
        await plane.call('addRule', { query, body: rule })
        off.remove(name)
      }
      onChanged()
    })
  const remove = () =>
    act(
      app,
      async () => {
        if (isOn) await plane.call('removeRule', { params: { name }, query })
        off.remove(name)
        onChanged()
      },
      `${name} is removed.`,
    )
  return (
    <li class="rule card" data-on={isOn}>
      <header>
        <h2>{name}</h2>
        {status?.added && <Badge tone="info">added</Badge>}
        {status?.retired && <Badge tone="plain">done</Badge>}
        {!isOn && <Badge tone="plain">off</Badge>}
        {isOn && <span class="muted">acted {status.acted.toLocaleString('en')} times</span>}
        <span class="filler" />
        <button
          type="button"
          aria-pressed={isOn}
          aria-label={`${name}: on`}
          onClick={turn}
          title="A rule that is turned on again goes first, and its time begins anew."
        >
          {isOn ? 'On' : 'Off'}
        </button>
        <button type="button" aria-label={`Remove ${name}`} onClick={remove}>
          Remove
        </button>
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
      <dd>{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
    </div>
  )
}
