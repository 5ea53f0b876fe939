import './rules.css'
import type { App } from '../../app/app.ts'
import { Problem } from '../../design/problem.tsx'
import { useLive } from '../../state/live.ts'
import { RuleForm } from './rule-form.tsx'
import { RuleLine } from './rule-line.tsx'

/** The rules of the sandbox in the order of their evaluation, and a form for another one. */
export function View({ app }: { readonly app: App }) {
  const { plane, connection } = app
  const sandbox = app.sandbox.value
  const live = useLive(connection, () => plane.call('listRules', { query: { sandbox } }), [sandbox])
  const error = live.error.value
  if (error !== undefined) return <Problem title="The rules cannot be shown">{error.message}</Problem>
  const rules = live.value.value?.rules
  if (rules === undefined) return null
  return (
    <div class="rules">
      <h1>Rules</h1>
      <p class="muted">A rule injects an error, a delay or a fault. The first one that acts decides.</p>
      {rules.length === 0 && <p>No rule is at work.</p>}
      <ul>
        {rules.map(status => (
          <RuleLine key={status.name} app={app} status={status} onChanged={live.reload} />
        ))}
      </ul>
      <RuleForm app={app} onAdded={live.reload} />
    </div>
  )
}
