import type { Sandboxes } from '../../emulator/worlds/sandboxes.ts'
import type { Scenario } from '../../emulator/worlds/scenario.ts'
import { about } from '../files/show.ts'
import { checkSnapshot } from '../snapshot/check.ts'
import { restoreSandboxes, restoreWorld } from '../snapshot/restore.ts'
import { isOfAllSandboxes, type SandboxesSnapshot, type Snapshot } from '../snapshot/saved.ts'
import type { CommandOf, WorldCommand } from './command.ts'
import { type Intent, notFound, refuseCommand } from './intent.ts'
import type { Place } from './place.ts'

/** How a scenario that a command names or writes becomes one, or what is wrong with it. */
export type SettleScenario = (
  scenario: unknown,
  name: string | undefined,
) => { readonly scenario: Scenario } | { readonly problems: readonly string[] }

export function changeWorld(place: Place, command: WorldCommand, settle: SettleScenario): Intent {
  switch (command.do) {
    case 'setScenario':
      return setScenario(place, command, settle)
    case 'reset':
      return act(() => place.startAnew())
    case 'restoreSnapshot':
      return restore(place, command)
    case 'clearRequests':
      return act(() => place.world.journal.clear())
    case 'createSandbox':
      // `change` keeps the world of every place, new ones included.
      return act(() => {})
    case 'dropSandbox':
      return place.exists ? act(() => place.drop()) : notFound(`there is no sandbox ${place.world.sandbox}`)
  }
}

function act(change: () => void): Intent {
  return {
    act: () => {
      change()
      return {}
    },
  }
}

function setScenario(
  place: Place,
  { scenario, name }: CommandOf<'setScenario'>,
  settle: SettleScenario,
): Intent {
  const settled = settle(scenario, name ?? undefined)
  if ('problems' in settled) return refuseCommand(...settled.problems)
  return act(() => place.startFrom(settled.scenario))
}

function restore(place: Place, { snapshot }: CommandOf<'restoreSnapshot'>): Intent {
  const problems = problemsOf(snapshot)
  if (problems.length > 0) return refuseCommand(...problems)
  if (isOfAllSandboxes(snapshot)) {
    return refuseCommand('snapshot: it is of all sandboxes, so it can only be put back in all of them (*)')
  }
  const world = restoreWorld(place.world.sandbox, snapshot, place.scenarios)
  return act(() => place.put(world))
}

/** Puts all sandboxes back at once. */
export function restoreAll(sandboxes: Sandboxes, snapshot: SandboxesSnapshot): Intent {
  const problems = problemsOf(snapshot)
  if (problems.length > 0) return refuseCommand(...problems)
  const known = new Set([sandboxes.scenario, ...Array.from(sandboxes, ({ scenario }) => scenario)])
  const restored = restoreSandboxes(snapshot, [...known])
  return act(() => sandboxes.replaceAll(...restored))
}

function problemsOf(snapshot: Snapshot): readonly string[] {
  return checkSnapshot(snapshot).map(({ path, message }) => about(['snapshot', ...path], message))
}
