import './rules.css'
import type { App } from '../../app/app.ts'
import { Problem } from '../../design/problem.tsx'
import { useLive } from '../../state/live.ts'
import { createOffRules } from './off-rules.ts'
import { RuleForm } from './rule-form.tsx'
import { RuleLine } from './rule-line.tsx'

/** The rules of the sandbox in the order of their evaluation, and a form for another one. */
export function View({ app }: { readonly app: App }) {
  const { plane, connection } = app
  const sandbox = app.sandbox.value
  const rules = useLive(connection, () => plane.call('listRules', { query: { sandbox } }), [sandbox])
  const error = rules.error.value
  if (error !== undefined) return <Problem title="The rules cannot be shown">{error.message}</Problem>
  const shown = rules.value.value?.rules
  if (shown === undefined) return null
  const off = createOffRules(window.sessionStorage, `${connection.run.value} ${sandbox}`)
  const names = new Set(shown.map(({ name }) => name))
  const away = off.all().filter(({ name }) => !names.has(name))
  return (
    <div class="rules">
      <h1>Rules</h1>
      <p class="muted">A rule injects an error, a delay or a fault. The first one that acts decides.</p>
      {shown.length + away.length === 0 && <p>No rule is at work.</p>}
      <ul>
        {shown.map(status => (
          <RuleLine
            key={status.name}
            app={app}
            off={off}
            rule={{ ...status.rule, name: status.name }}
            status={status}
            onChanged={rules.reload}
          />
        ))}
        {away.map(rule => (
          <RuleLine
            key={rule.name}
            app={app}
            off={off}
            rule={rule}
            status={undefined}
            onChanged={rules.reload}
          />
        ))}
      </ul>
      <RuleForm app={app} onAdded={rules.reload} />
    </div>
  )
}
