import { batch, signal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import type { PlaneShippedScenario } from '../../../generated/plane-operations.ts'
import type { App, AppProps } from '../../app/app.ts'
import { Badge, Button } from '../../design/basics.tsx'
import type { Answer, Body } from '../../plane/plane.ts'
import { act } from '../../state/live.ts'

/** The steps of a scenario, played one by one in the sandbox of the page. */
export function Walkthrough({ app, scenario }: AppProps & { scenario: PlaneShippedScenario }) {
  const sandbox = app.sandbox.value
  const player = useMemo(() => createPlayer(app, scenario, sandbox), [app, scenario, sandbox])
  if (scenario.steps.length === 0) return <p class="muted">It has no walkthrough.</p>
  const { next, isBusy, results } = player
  const hasBegun = next.value !== undefined
  return (
    <div class="walkthrough">
      <h3>Walkthrough</h3>
      <p class="muted">It restarts the scenario on a frozen clock. Its calls appear among the requests.</p>
      <ol>
        {scenario.steps.map(({ text, note }, index) => (
          <li key={`${index} ${text}`} aria-current={next.value === index ? 'step' : undefined}>
            {note !== null && <p>{note}</p>}
            {text !== '' && <code>{text}</code>} <Result result={results.value[index]} />
          </li>
        ))}
      </ol>
      <div class="actions">
        <Button aria-disabled={isBusy.value} onClick={player.begin}>
          {hasBegun ? 'Begin again' : 'Begin'}
        </Button>
        <Button
          class="primary"
          aria-disabled={isBusy.value}
          disabled={next.value === undefined || next.value >= scenario.steps.length}
          onClick={player.playNext}
        >
          Next step
        </Button>
        <Button aria-disabled={isBusy.value} onClick={player.playAll}>
          Play all
        </Button>
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

type StepResult = Answer<'playStep'>

function createPlayer(app: App, { name, start, steps }: PlaneShippedScenario, sandbox: string) {
  const { plane } = app
  /** The index of the next step. Undefined: it has not begun. */
  const next = signal<number | undefined>(undefined)
  const isBusy = signal(false)
  const results = signal<readonly StepResult[]>([])
  // A disabled button would lose the focus, so a busy one stays and does nothing.
  const doBusily = async (work: () => Promise<void>) => {
    if (isBusy.value) return
    isBusy.value = true
    await act(app, work)
    isBusy.value = false
  }
  const begin = async () => {
    if (start === null) {
      await plane.call('reset', { query: { sandbox } })
      await plane.call('freezeClock', { query: { sandbox } })
    }
    // The plane made it for this call.
    else await plane.call('useScenario', { query: { sandbox }, body: start as Body<'useScenario'> })
    batch(() => {
      next.value = 0
      results.value = []
    })
  }
  const playNext = async () => {
    const index = next.value ?? 0
    if (index >= steps.length) return
    const saved = results.value.at(-1)?.saved ?? {}
    const params = { name, number: index + 1 }
    const result = await plane.call('playStep', { params, query: { sandbox }, body: { saved } })
    batch(() => {
      results.value = [...results.value, result]
      next.value = result.impossible === null ? index + 1 : steps.length
    })
  }
  const playAll = async () => {
    if (next.value === undefined || next.value >= steps.length) await begin()
    while ((next.value ?? 0) < steps.length) await playNext()
  }
  return {
    next,
    isBusy,
    results,
    begin: () => doBusily(begin),
    playNext: () => doBusily(playNext),
    playAll: () => doBusily(playAll),
  }
}
