import type { App } from '../../app/app.ts'
import { Button } from '../../design/button.tsx'
import { Problem } from '../../design/problem.tsx'
import { useLoad } from '../../state/load.ts'
import { loadScenario } from './scenario-list.tsx'
import { UseInTest } from './use-in-test.tsx'
import { Walkthrough } from './walkthrough.tsx'

/** One shipped scenario: what it sets up, its walkthrough and its file. */
export function ScenarioPage({ app, name }: { readonly app: App; readonly name: string }) {
  const { plane } = app
  const sandbox = app.sandbox.value
  const { value, error } = useLoad(
    () => plane.call('getShippedScenario', { params: { name }, query: { sandbox } }),
    [name, sandbox],
  )
  if (error !== undefined) return <Problem title="No such scenario">{error.message}</Problem>
  if (value === undefined) return <section aria-busy="true" />
  return (
    <section class="scenario-page" aria-label={value.title}>
      <header>
        <h2>
          {value.title} <code>{name}</code>
        </h2>
        <UseInTest app={app} name={name} />
        <Button class="primary" onClick={() => loadScenario(app, name)}>
          Load
        </Button>
      </header>
      <p>{value.description}</p>
      <p class="muted">
        Its key is <code>{value.key}</code>.
      </p>
      <Walkthrough app={app} scenario={value} />
      <details>
        <summary>The file</summary>
        <pre class="json">{value.yaml}</pre>
      </details>
    </section>
  )
}
