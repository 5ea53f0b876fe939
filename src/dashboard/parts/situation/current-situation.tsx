import type { App } from '../../app/app.ts'
import { CopyButton } from '../../design/copy-button.tsx'
import { saveText } from '../../design/save-text.ts'
import { act } from '../../state/act.ts'
import { useLive } from '../../state/live.ts'

/** The running scenario: start it anew, or take the present state away as a scenario file. */
export function CurrentSituation({ app }: { readonly app: App }) {
  const { plane, connection, notices } = app
  const sandbox = app.sandbox.value
  const load = () => plane.call('getScenario', { query: { sandbox } })
  const { value } = useLive(connection, load, [sandbox], 'changes')
  const readYaml = () => plane.call('getSituation', { query: { sandbox } })
  const save = () =>
    act(app, async () => saveText('situation.yaml', await readYaml(), 'application/yaml'), 'Saved.')
  const restart = () =>
    act(app, () => plane.call('reset', { query: { sandbox } }), 'The scenario began anew.')
  return (
    <header class="situation-now">
      <div>
        <h1>{value.value?.title ?? value.value?.name ?? '…'}</h1>
        <p class="muted">{value.value?.description}</p>
      </div>
      <div class="situation-actions">
        <button type="button" onClick={restart}>
          Start anew
        </button>
        <button type="button" onClick={save}>
          Save the present state
        </button>
        <CopyButton text={readYaml} notices={notices}>
          Copy it as YAML
        </CopyButton>
      </div>
    </header>
  )
}
