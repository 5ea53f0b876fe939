import type { PlaneKey } from '../../../generated/plane-operations.ts'
import type { App } from '../../app/app.ts'
import { useEmulatorClock } from '../../clock/emulator-clock.ts'
import { FindField } from '../../design/form.tsx'
import { Absent, Problem } from '../../design/problem.tsx'
import { useAnswer, useLive } from '../../state/live.ts'
import { KeyCard } from './key-card.tsx'

import './keys.css'

const most = 60

export function View({ app }: { readonly app: App }) {
  const { plane, connection, places, sandbox } = app
  const query = { sandbox: sandbox.value }
  const clock = useEmulatorClock(app)
  const keys = useAnswer(app, 'listKeys', { query })
  const readSettings = async () => {
    const masked = await plane.call('listKeys', { query: { ...query, keys: 'masked' } })
    const { plans } = await plane.call('listPlans', { query })
    const { key } = await plane.call('getScenario', { query })
    return { masked: masked.keys, plans, key }
  }
  const settings = useLive(connection, readSettings, [sandbox.value], 'changes')
  const { masked = [], plans = [], key: ownKey } = settings.value.value ?? {}
  // Clients send the key and the sandbox.
  const suffix = sandbox.value === 'default' ? '' : `+${sandbox.value}`
  const answer = keys.value?.keys.map((key, index) => ({
    ...key,
    masked: `${masked[index]?.key ?? ''}${suffix}`,
  }))
  const at = clock.at.value
  if (answer === undefined || at === undefined)
    return <Absent title="No keys" error={keys.error ?? settings.error.value ?? clock.error.value} />
  const words = places.at.value.query.key ?? ''
  const chosen = chooseKeys(answer, words, ownKey)
  return (
    <div class="page keys">
      <header class="row">
        <h1>Quotas</h1>
        {(answer.length > 4 || words !== '') && (
          <FindField label="Find a key" value={words} onChange={key => places.filter({ key })} />
        )}
      </header>
      {chosen.slice(0, most).map(one => (
        <KeyCard key={one.key} app={app} shown={one} plans={plans} at={at} onChanged={keys.reload} />
      ))}
      {chosen.length === 0 && <Problem title={words === '' ? 'There are no keys' : 'No key has this name'} />}
      {chosen.length > most && <p class="muted">{chosen.length - most} more keys: search for them.</p>}
    </div>
  )
}

/** The keys whose names or plans hold a text: that of the situation first, then the busiest. */
function chooseKeys<K extends PlaneKey>(keys: readonly K[], words: string, featured: string | undefined) {
  const wanted = words.trim().toLowerCase()
  const rank = ({ key, used }: PlaneKey) => (key === featured ? Number.POSITIVE_INFINITY : used.day)
  return keys
    .filter(({ key, plan }) => `${key} ${plan}`.toLowerCase().includes(wanted))
    .toSorted((one, other) => (rank(one) === rank(other) ? 0 : rank(other) - rank(one)))
}
