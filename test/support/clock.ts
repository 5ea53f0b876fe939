import type { World } from '../../src/emulator/worlds/world.ts'

/** Moves a world's clock forward: moving it is an assignment. */
export function advanceClock(world: World, ms: number): void {
  world.clock = { ...world.clock, at: world.clock.at + ms }
}
