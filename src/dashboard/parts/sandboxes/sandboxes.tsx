import './sandboxes.css'
import type { App } from '../../app/app.ts'
import { Problem } from '../../design/problem.tsx'
import { useLive } from '../../state/live.ts'
import { SandboxRow } from './sandbox-row.tsx'

/** The most sandboxes to show at once. */
const most = 100

/** The sandboxes of the server: show one, reset it, drop it. */
export function View({ app }: { readonly app: App }) {
  const { plane, connection, places, sandbox } = app
  const live = useLive(connection, () => plane.call('listSandboxes', { query: {} }))
  const answer = live.value.value
  if (answer === undefined) {
    const error = live.error.value
    return error === undefined ? null : <Problem title="No sandboxes">{error.message}</Problem>
  }
  const words = (places.at.value.query.name ?? '').toLowerCase()
  const found = answer.sandboxes.filter(({ name }) => name.toLowerCase().includes(words))
  return (
    <div class="sandboxes">
      <header>
        <h1>Sandboxes</h1>
        <span class="filler" />
        <input
          type="search"
          aria-label="Find a sandbox"
          placeholder="Find a sandbox"
          value={places.at.value.query.name ?? ''}
          onInput={event => places.filter({ name: event.currentTarget.value })}
        />
      </header>
      <p class="muted">
        A key such as <code>demo-free+worker-3</code> uses the sandbox <code>worker-3</code>. Sandboxes share
        nothing.
      </p>
      <ul>
        {found.slice(0, most).map(one => (
          <SandboxRow
            key={one.name}
            app={app}
            sandbox={one}
            isShown={one.name === sandbox.value}
            onChanged={live.reload}
          />
        ))}
      </ul>
      {found.length === 0 && <Problem title="No sandbox has this name" />}
      {found.length > most && <p class="muted">{found.length - most} more: search for them.</p>}
    </div>
  )
}
