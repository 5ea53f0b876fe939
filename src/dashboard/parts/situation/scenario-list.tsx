import type { App } from '../../app/app.ts'
import { Button } from '../../design/basics.tsx'
import { Problem } from '../../design/elements.tsx'
import { SearchField } from '../../design/form.tsx'
import type { Answer } from '../../plane/plane.ts'
import { act, useAnswer, useLoad } from '../../state/live.ts'
import { UseInTest } from './use-in-test.tsx'
import { Walkthrough } from './walkthrough.tsx'

/** Runs a shipped scenario in the sandbox of the page. */
export function loadScenario(app: App, name: string): Promise<boolean> {
  const input = { query: { sandbox: app.sandbox.value }, body: { scenario: name } }
  return act(app, () => app.plane.call('useScenario', input), `${name} runs.`)
}

/** The shipped scenarios. A click on one shows it, its button loads it. */
export function ScenarioList({ app, open }: { readonly app: App; readonly open: string | undefined }) {
  const { places } = app
  const all = useAnswer(app, 'listScenarios', {}, 'changes')
  const query = { sandbox: app.sandbox.value }
  const { value: running } = useAnswer(app, 'getScenario', { query }, 'changes')
  const { q = '' } = places.at.value.query
  const found = findScenarios(all.value?.scenarios ?? [], q)
  return (
    <section class="scenario-list" aria-label="Scenarios">
      <SearchField app={app} label="Search scenarios" hasEscape={false} />
      <a href={places.linkTo('situation')} aria-current={open === undefined ? 'true' : undefined}>
        Your own scenario
      </a>
      <ul>
        {found.map(({ name, title, description }) => (
          <li key={name} data-runs={name === running?.name}>
            <a
              href={places.linkTo('situation', [name], q === '' ? {} : { q })}
              aria-current={name === open ? 'true' : undefined}
            >
              <strong>{title}</strong> <code>{name}</code>
              <span class="muted">{description}</span>
            </a>
            <Button aria-label={`Load ${name}`} onClick={() => loadScenario(app, name)}>
              Load
            </Button>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p class="muted">No scenario matches.</p>}
    </section>
  )
}

function findScenarios(all: Answer<'listScenarios'>['scenarios'], search: string) {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const inOrder = all.toSorted((one, other) => one.title.localeCompare(other.title))
  return inOrder.filter(({ name, title, description }) => {
    const text = `${name} ${title} ${description ?? ''}`.toLowerCase()
    return words.every(word => text.includes(word))
  })
}

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
