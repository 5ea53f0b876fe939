import { batch, type ReadonlySignal, signal } from '@preact/signals'
import type { PlaneShippedScenario } from '../../../generated/plane-operations.ts'
import type { App } from '../../app/app.ts'
import type { Answer, Body } from '../../plane/plane.ts'
import { act } from '../../state/act.ts'

export type StepResult = Answer<'playStep'>

/** Plays a walkthrough in a sandbox. */
export interface Player {
  /** The index of the next step. Undefined: it has not begun. */
  readonly next: ReadonlySignal<number | undefined>
  readonly isBusy: ReadonlySignal<boolean>
  /** What came of each step, by its index. */
  readonly results: ReadonlySignal<readonly StepResult[]>
  readonly begin: () => Promise<void>
  readonly playNext: () => Promise<void>
  readonly playAll: () => Promise<void>
}

export function createPlayer(
  app: Pick<App, 'plane' | 'notices'>,
  { name, start, steps }: PlaneShippedScenario,
  sandbox: string,
): Player {
  const { plane } = app
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
    // The plane made it for this call.
    await plane.call('setScenario', { query: { sandbox }, body: start as Body<'setScenario'> })
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
