import type { Sandboxes } from '../../emulator/worlds/sandboxes.ts'
import type { Scenario } from '../../emulator/worlds/scenario.ts'
import type { World } from '../../emulator/worlds/world.ts'

/** A sandbox that a command is about, and what can be made of it as a whole. */
export interface Place {
  /** As it would start, where the sandbox does not exist yet. */
  readonly world: World
  readonly exists: boolean
  /** The scenarios that are run here or would be. */
  readonly scenarios: readonly Scenario[]
  readonly put: (world: World) => void
  readonly startAnew: () => void
  readonly startFrom: (scenario: Scenario) => void
  readonly drop: () => void
}

/**
 * The sandboxes that a command names: one, all (`*`), or, where none is named, the default one. One that does not
 * exist yet is made, as a call with a valid key would make it, but only when the command is done.
 */
export function findPlaces(
  sandboxes: Sandboxes,
  named: string | undefined,
  now: number,
): readonly Place[] | undefined {
  const worlds = (named === '*' ? sandboxes.names() : [named ?? sandboxes.default.sandbox]).map(name =>
    sandboxes.open(name, now),
  )
  const found = worlds.filter(world => world !== undefined)
  if (found.length < worlds.length) return undefined
  const isForAll = named === undefined || named === '*'
  return found.map(world => ({
    world,
    exists: sandboxes.get(world.sandbox) !== undefined,
    scenarios: [world.scenario, sandboxes.scenario],
    put: restored => sandboxes.keep(restored),
    startAnew: () => sandboxes.startAnew(world.sandbox, now),
    startFrom: scenario => {
      if (isForAll) sandboxes.scenario = scenario
      sandboxes.startAnew(world.sandbox, now, scenario)
    },
    drop: () => sandboxes.drop(world.sandbox, now),
  }))
}
