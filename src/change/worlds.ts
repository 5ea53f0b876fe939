import type { Scenario } from '../emulator/scenario.ts'
import { checkSnapshot, restoreSnapshot } from '../emulator/snapshot.ts'
import type { World } from '../emulator/world.ts'
import { type Intent, notFound, refuseCommand } from './changing.ts'
import type { CommandOf, WorldCommand } from './command.ts'
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
      return restore(place.world, command)
    case 'clearRequests':
      return act(() => place.world.journal.clear())
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

function restore(world: World, { snapshot }: CommandOf<'restoreSnapshot'>): Intent {
  const problem = checkSnapshot(snapshot)
  if (problem !== undefined) return refuseCommand(`snapshot: ${problem}`)
  return act(() => restoreSnapshot(world, snapshot))
}
