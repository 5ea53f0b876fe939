import type { App } from '../../app/app.ts'
import { useOwnScenario } from './use-own-scenario.ts'

const example = 'extends: free-plan\nkeys:\n  demo-free: { used: { minute: 57 } }\n'

/** A scenario of the reader: from a file, or typed. */
export function OwnScenario({ app }: { readonly app: App }) {
  const { text, mistake, load, readFile } = useOwnScenario(app)
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
