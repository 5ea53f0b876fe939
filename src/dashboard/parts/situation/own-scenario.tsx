import { useSignal } from '@preact/signals'
import type { App } from '../../app/app.ts'
import type { Body } from '../../plane/plane.ts'
import { act } from '../../state/act.ts'
import { toPlaneError } from '../../state/live.ts'

const example = 'extends: free-plan\nkeys:\n  demo-free: { used: { minute: 57 } }\n'

/** A scenario of the reader: from a file, or typed. */
export function OwnScenario({ app }: { readonly app: App }) {
  const text = useSignal('')
  const name = useSignal('')
  const mistake = useSignal('')
  const load = async () => {
    try {
      const scenario = await readYaml(text.value)
      const sandbox = app.sandbox.value
      const body = { scenario, ...(name.value !== '' && { name: name.value }) }
      await app.plane.call('setScenario', { query: { sandbox }, body })
      mistake.value = ''
      app.notices.show('Your scenario runs.', 'good')
    } catch (error) {
      mistake.value = toPlaneError(error).message
    }
  }
  const readFile = (file: File | undefined) =>
    file !== undefined &&
    act(app, async () => {
      text.value = await file.text()
      name.value = file.name
    })
  return (
    <form
      class="own-scenario"
      aria-label="Your own scenario"
      onSubmit={event => {
        event.preventDefault()
        void load()
      }}
    >
      <h2>Your own scenario</h2>
      <p class="muted">YAML or JSON. It extends a shipped scenario by its name.</p>
      <label>
        A file
        <input
          type="file"
          accept=".yaml,.yml,.json"
          onChange={event => readFile(event.currentTarget.files?.[0])}
        />
      </label>
      <label>
        The scenario
        <textarea
          class="mono"
          rows={14}
          spellcheck={false}
          placeholder={example}
          value={text.value}
          onInput={event => {
            text.value = event.currentTarget.value
          }}
        />
      </label>
      {mistake.value !== '' && (
        <p class="mistake" role="alert">
          {mistake.value}
        </p>
      )}
      <button type="submit" class="primary" disabled={text.value.trim() === ''}>
        Load
      </button>
    </form>
  )
}

/** The reader of YAML is loaded when somebody needs it. The server checks the value. */
async function readYaml(text: string): Promise<Body<'setScenario'>['scenario']> {
  const { parse } = await import('yaml')
  return parse(text)
}
