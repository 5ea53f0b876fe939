import { useMemo } from 'preact/hooks'
import type { PlaneShippedScenario } from '../../../generated/plane-operations.ts'
import type { App } from '../../app/app.ts'
import { Badge } from '../../design/badge.tsx'
import { createPlayer, type StepResult } from './player.ts'

/** The steps of a scenario, played one by one in the sandbox of the page. */
export function Walkthrough({
  app,
  scenario,
}: {
  readonly app: App
  readonly scenario: PlaneShippedScenario
}) {
  const sandbox = app.sandbox.value
  const player = useMemo(() => createPlayer(app, scenario, sandbox), [app, scenario, sandbox])
  if (scenario.steps.length === 0) return <p class="muted">It has no walkthrough.</p>
  const { next, isBusy, results } = player
  const hasBegun = next.value !== undefined
  return (
    <div class="walkthrough">
      <h3>Walkthrough</h3>
      <p class="muted">It begins the scenario anew on a frozen clock. Its calls appear among the requests.</p>
      <ol>
        {scenario.steps.map(({ text, note }, index) => (
          <li key={`${index} ${text}`} aria-current={next.value === index ? 'step' : undefined}>
            {note !== null && <p>{note}</p>}
            {text !== '' && <code>{text}</code>} <Result result={results.value[index]} />
          </li>
        ))}
      </ol>
      <div class="situation-actions">
        <button type="button" aria-disabled={isBusy.value} onClick={player.begin}>
          {hasBegun ? 'Begin anew' : 'Begin'}
        </button>
        <button
          type="button"
          class="primary"
          aria-disabled={isBusy.value}
          disabled={next.value === undefined || next.value >= scenario.steps.length}
          onClick={player.playNext}
        >
          Next step
        </button>
        <button type="button" aria-disabled={isBusy.value} onClick={player.playAll}>
          Play all
        </button>
      </div>
    </div>
  )
}

function Result({ result }: { readonly result: StepResult | undefined }) {
  if (result === undefined) return null
  const { outcome, differences, unjudged, impossible } = result
  if (impossible !== null) return <Badge tone="bad">{impossible}</Badge>
  return (
    <>
      <Badge tone={differences.length === 0 ? 'good' : 'bad'}>
        {differences.length === 0 ? 'as expected' : 'differs'}
      </Badge>{' '}
      <span class="muted">{outcome}</span>
      {differences.map(({ what, expected, got }) => (
        <p key={what} class="mono">
          {what}: expected {expected}, got {got}
        </p>
      ))}
      {unjudged.map(what => (
        <p key={what} class="muted">
          Not compared: {what}
        </p>
      ))}
    </>
  )
}
