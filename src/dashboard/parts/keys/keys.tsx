import type { App } from '../../app/app.ts'
import { useEmulatorClock } from '../../clock/emulator-clock.ts'
import { Absent, Problem } from '../../design/elements.tsx'
import { FindField } from '../../design/form.tsx'
import { type KeyState, useKeys } from '../../state/keys.ts'
import { useAnswer } from '../../state/live.ts'
import { KeyCard } from './key-card.tsx'

import './keys.css'

const most = 60

export function View({ app }: { readonly app: App }) {
  const { places, sandbox } = app
  const clock = useEmulatorClock(app)
  const { value: keys, error, reload } = useKeys(app)
  const { value: plans } = useAnswer(app, 'listPlans', { query: { sandbox: sandbox.value } }, 'changes')
  const at = clock.at.value
  if (keys === undefined || plans === undefined || at === undefined)
    return <Absent title="No keys" error={error ?? clock.error.value} />
  const words = places.at.value.query.key ?? ''
  const chosen = chooseKeys(keys, words)
  return (
    <div class="page columns keys">
      <header class="row">
        <h1>Keys</h1>
        {(keys.length > 4 || words !== '') && (
          <FindField label="Find a key" value={words} onChange={key => places.filter({ key })} />
        )}
      </header>
      {chosen.slice(0, most).map(one => (
        <KeyCard key={one.key} app={app} shown={one} plans={plans.plans} at={at} onChanged={reload} />
      ))}
      {chosen.length === 0 && <Problem title={words === '' ? 'There are no keys' : 'No key has this name'} />}
      {chosen.length > most && <p class="muted">{chosen.length - most} more keys: search for them.</p>}
    </div>
  )
}

/** The keys whose names or plans hold a text: that of the scenario first, then the busiest. */
function chooseKeys(keys: readonly KeyState[], words: string): readonly KeyState[] {
  const wanted = words.trim().toLowerCase()
  const [featured] = keys
  const rank = (key: KeyState) => (key === featured ? Number.POSITIVE_INFINITY : key.used.day)
  return keys
    .filter(({ key, plan }) => `${key} ${plan}`.toLowerCase().includes(wanted))
    .toSorted((one, other) => (rank(one) === rank(other) ? 0 : rank(other) - rank(one)))
}
