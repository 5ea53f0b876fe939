import './situation.css'
import type { App } from '../../app/app.ts'
import { CurrentSituation } from './current-situation.tsx'
import { OwnScenario } from './own-scenario.tsx'
import { ScenarioList } from './scenario-list.tsx'
import { ScenarioPage } from './scenario-page.tsx'

/** The situation that the server plays, and all others to choose from. */
export function View({ app }: { readonly app: App }) {
  const [open] = app.places.at.value.rest
  return (
    <div class="situation-part">
      <CurrentSituation app={app} />
      <div class="situation-columns" data-open={open !== undefined}>
        <ScenarioList app={app} open={open} />
        {open === undefined ? (
          <OwnScenario app={app} />
        ) : (
          <ScenarioPage key={open + app.sandbox.value} app={app} name={open} />
        )}
      </div>
    </div>
  )
}
