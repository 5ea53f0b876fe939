import type { App } from '../../app/app.ts'
import { act } from '../../state/act.ts'

/** Runs a shipped scenario in the sandbox of the page. */
export function loadScenario(app: App, name: string): Promise<boolean> {
  const input = { query: { sandbox: app.sandbox.value }, body: { scenario: name } }
  return act(app, () => app.plane.call('useScenario', input), `${name} runs.`)
}
