import type {
  SandboxesSnapshot,
  SavedPet,
  SavedPetList,
  WorldSnapshot,
} from '../../src/control/snapshot/saved.ts'
import { captureSandboxes, captureWorld } from '../../src/control/snapshot/take.ts'
import type { Sandboxes } from '../../src/emulator/worlds/sandboxes.ts'
import type { World } from '../../src/emulator/worlds/world.ts'

/** One sandbox, as a constant value. */
export function takeSnapshot(world: World): WorldSnapshot {
  const { scenario, pets, ...rest } = captureWorld(world)
  return { ...rest, scenario: { ...scenario, pets: listed(scenario.pets()) }, pets: listed(pets()) }
}

/** All sandboxes, as a constant value. */
export function takeSandboxesSnapshot(sandboxes: Sandboxes): SandboxesSnapshot {
  const captured = captureSandboxes(sandboxes)
  return {
    ...captured,
    scenarios: captured.scenarios.map(({ pets, ...scenario }) => ({ ...scenario, pets: listed(pets()) })),
    sandboxes: captured.sandboxes.map(({ pets, ...sandbox }) => ({ ...sandbox, pets: listed(pets()) })),
  }
}

function listed<Pets extends SavedPetList<Iterable<SavedPet>>>(
  pets: Pets,
): Omit<Pets, 'list'> & { readonly list: readonly SavedPet[] } {
  return { ...pets, list: [...pets.list] }
}
