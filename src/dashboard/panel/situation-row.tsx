import { useLive } from '../state/live.ts'
import { useLoad } from '../state/load.ts'
import type { PanelHost } from './panel-host.ts'

/** The running scenario, and the choice of another one. */
export function SituationRow({ host: { plane, connection } }: { readonly host: PanelHost }) {
  const { value, reload } = useLive(connection, () => plane.call('getScenario'))
  const known = useLoad(() => plane.call('listScenarios'), [plane])
  const running = value.value
  if (running === undefined) return null
  const scenarios = known.value?.scenarios ?? []
  const change = (done: Promise<unknown>) => void done.then(reload, reload)
  return (
    <section class="section" aria-label="Situation">
      <p class="buttons">
        <select
          aria-label="Scenario"
          value={running.name}
          onChange={event =>
            change(plane.call('setScenario', { body: { scenario: event.currentTarget.value } }))
          }
        >
          {scenarios.every(({ name }) => name !== running.name) && (
            <option value={running.name}>{running.title}</option>
          )}
          {scenarios.map(({ name, title }) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
        <button type="button" onClick={() => change(plane.call('reset'))}>
          Restart
        </button>
      </p>
      {running.description !== null && <p class="muted">{running.description}</p>}
    </section>
  )
}
