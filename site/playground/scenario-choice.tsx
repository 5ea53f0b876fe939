import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Duration } from '../../src/base/time/duration.ts'
import { shippedScenarios } from '../../src/control/scenario/shipped.ts'
import type { ShippedScenario } from '../../src/generated/scenario-name.ts'
import { act } from './call-client.tsx'
import { Button, Choice } from './controls.tsx'
import type { Editor } from './editor.ts'
import { isSending, isShipped, mock, ownScenario, running, send, useScenario } from './mock.ts'
import situations from './situations.json'

/** What a step does: a call without a body some times, a move of the clock, or the end of a ban. */
type Deed = Partial<{ call: string; times: number; by: Duration; to: string; unban: boolean }>
type GuidedStep = Readonly<Deed> & { readonly text: string; readonly label: string }

interface GuidedSituation extends Pick<(typeof situations)[number], 'title' | 'end'> {
  readonly scenario: ShippedScenario
  readonly steps: readonly GuidedStep[]
}

const guided = situations as readonly GuidedSituation[]

/** The situation that somebody goes through, and the steps that are done. */
const tour = signal<{ readonly situation: GuidedSituation; readonly done: number } | undefined>(undefined)
const isWriting = signal(false)

export function ScenarioChoice() {
  return (
    <>
      <fieldset class="buttons" aria-label="Situations, in a minute each">
        <span>In a minute each:</span>
        {guided.map(situation => (
          <button
            key={situation.title}
            type="button"
            aria-pressed={tour.value?.situation === situation}
            onClick={() => act(() => begin(situation))}
          >
            {situation.title}
          </button>
        ))}
      </fieldset>
      <Tour />
      <div class="buttons">
        <Choice
          label="Scenario"
          value={running.value}
          options={[...shippedScenarios.keys(), ownScenario]}
          titleOf={name => shippedScenarios.get(name)?.title}
          onChoose={name => act(() => choose(name))}
        />
        {!isWriting.value && <Button onClick={() => (isWriting.value = true)}>Write your own</Button>}
      </div>
      {isWriting.value && <OwnScenario />}
    </>
  )
}

async function begin(situation: GuidedSituation): Promise<void> {
  isWriting.value = false
  await useScenario(situation.scenario)
  tour.value = { situation, done: 0 }
}

async function choose(name: string): Promise<void> {
  tour.value = undefined
  isWriting.value = name === ownScenario
  if (isShipped(name)) await useScenario(name)
}

function Tour() {
  if (tour.value === undefined) return null
  const { situation, done } = tour.value
  const step = situation.steps[done]
  return (
    <section class="tour" aria-label={situation.title} aria-live="polite">
      <p>{step?.text ?? situation.end}</p>
      <div class="buttons">
        {step === undefined ? (
          <Button onClick={() => (tour.value = undefined)}>Done</Button>
        ) : (
          <Button main onClick={({ detail }) => detail < 2 && act(() => take(step))}>
            {step.label}
          </Button>
        )}
        <span>
          {Math.min(done + 1, situation.steps.length)} of {situation.steps.length}
        </span>
      </div>
    </section>
  )
}

async function take({ call, times, by, to, unban }: GuidedStep): Promise<void> {
  const { value: here } = tour
  if (here === undefined || isSending.value) return
  if (by !== undefined) await mock.clock.advance(by)
  if (to !== undefined) await mock.clock.advance({ to })
  if (unban) await mock.keys.unban(mock.key)
  const [method, target] = call?.split(' ') ?? []
  if (method !== undefined && target !== undefined)
    await send({ method, target, key: mock.key, body: '' }, times)
  // The reader may have left meanwhile.
  if (tour.value === here) tour.value = { ...here, done: here.done + 1 }
}

const complaints = signal<readonly string[]>([])

/** An editor, which loads when somebody writes a scenario. */
function OwnScenario() {
  const element = useRef<HTMLDivElement>(null)
  const editor = useRef<Promise<Editor>>()
  useEffect(() => {
    const { current: parent } = element
    if (parent === null) return undefined
    editor.current = import('./editor.ts').then(({ openEditor }) => openEditor(parent, complaints))
    return async () => (await editor.current)?.close()
  }, [])
  return (
    <section aria-label="Your scenario">
      <div ref={element} class="editor" />
      <div role="status" class="complaints">
        {complaints.value.map(text => (
          <p key={text}>{text}</p>
        ))}
      </div>
      <div class="buttons">
        <Button main onClick={() => act(async () => (await editor.current)?.run())}>
          Run this scenario
        </Button>
        <Button onClick={() => (isWriting.value = false)}>Close</Button>
      </div>
    </section>
  )
}
