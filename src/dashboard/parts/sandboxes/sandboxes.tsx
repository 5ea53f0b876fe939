import { formatCount } from '../../../base/text/quantities.ts'
import type { PlaneSandbox } from '../../../generated/plane-operations.ts'
import type { AppProps, ChangingProps } from '../../app/app.ts'
import { Badge, Button } from '../../design/basics.tsx'
import { Absent, Problem } from '../../design/elements.tsx'
import { FindField } from '../../design/form.tsx'
import { acting, useAnswer } from '../../state/live.ts'

import './sandboxes.css'

const most = 100

export function View({ app }: AppProps) {
  const { places } = app
  const { value: answer, error, reload } = useAnswer(app, 'listSandboxes')
  if (answer === undefined) return <Absent title="No sandboxes" error={error} />
  const typed = places.at.value.query.name ?? ''
  const words = typed.toLowerCase()
  const found = answer.sandboxes.filter(({ name }) => name.toLowerCase().includes(words))
  return (
    <div class="page sandboxes">
      <header class="row">
        <h1>Sandboxes</h1>
        <span class="filler" />
        <FindField label="Find a sandbox" value={typed} onChange={name => places.filter({ name })} />
      </header>
      <p class="muted">
        A key such as <code>demo-free+worker-3</code> uses the sandbox <code>worker-3</code>. Sandboxes share
        nothing.
      </p>
      <ul>
        {found.slice(0, most).map(one => (
          <SandboxRow key={one.name} app={app} sandbox={one} onChanged={reload} />
        ))}
      </ul>
      {found.length === 0 && <Problem title="No sandbox has this name" />}
      {found.length > most && <p class="muted">{found.length - most} more: search for them.</p>}
    </div>
  )
}

function SandboxRow({ app, sandbox, onChanged }: ChangingProps & { sandbox: PlaneSandbox }) {
  const { name, scenario, clock, pets, keys, requests } = sandbox
  const { plane, places } = app
  const isShown = name === app.sandbox.value
  const run = acting(app, onChanged)
  const query = { sandbox: name }
  const reset = run(() => plane.call('reset', { query }), `${name} restarted.`)
  const drop = run(() => {
    // Nothing may ask for a sandbox that is gone.
    if (isShown) places.goTo({ part: 'sandboxes', rest: [], query: {} })
    return plane.call('deleteSandbox', { query })
  }, `${name} is deleted.`)
  const look = () => places.goTo({ part: 'requests', rest: [], query })
  return (
    <li class="card">
      <div class="row">
        <h2 class="mono wraps">{name}</h2>
        {isShown && <Badge tone="info">shown</Badge>}
        <span class="muted">{scenario}</span>
        {(clock.frozen || clock.scale !== 1) && (
          <Badge tone="warn">{clock.frozen ? 'clock frozen' : `clock ${clock.scale}×`}</Badge>
        )}
      </div>
      <p class="muted">
        {formatCount(pets, 'pet')}, {formatCount(keys, 'key')}, {formatCount(requests, 'request')}
      </p>
      <div class="row">
        <Button aria-label={`Show ${name}`} disabled={isShown} onClick={look}>
          Show
        </Button>
        <Button aria-label={`Reset ${name}`} onClick={reset}>
          Reset
        </Button>
        {name !== 'default' && (
          <Button aria-label={`Delete ${name}`} onClick={drop}>
            Delete
          </Button>
        )}
      </div>
    </li>
  )
}
