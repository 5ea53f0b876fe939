import type { Sandboxes } from '../../emulator/worlds/sandboxes.ts'
import type { Scenario } from '../../emulator/worlds/scenario.ts'
import type { World } from '../../emulator/worlds/world.ts'
import { copyKey } from '../../service/keys/key.ts'
import { copyWindows } from '../../service/limits/limiter.ts'
import { savePetList, savePets } from './pets.ts'
import { saveRecords } from './records.ts'
import {
  type CapturedSandboxes,
  type CapturedWorld,
  type SandboxesSnapshot,
  type SavedPet,
  type SavedPetList,
  type SavedWorld,
  snapshotVersion,
  type WorldSnapshot,
} from './saved.ts'
import { saveScenario } from './scenario.ts'

/** One sandbox, as a constant value. */
export function takeSnapshot(world: World): WorldSnapshot {
  const { scenario, pets, ...rest } = captureWorld(world)
  return { ...rest, scenario: { ...scenario, pets: listed(scenario.pets()) }, pets: listed(pets()) }
}

/** The state of one sandbox now, for `writeWorld` to write later, piece by piece. */
export function captureWorld(world: World): CapturedWorld {
  const { scenario } = world
  // The world keeps changing its pets; a fork does not change.
  const pets = world.pets.fork()
  return {
    version: snapshotVersion,
    scenario: { ...saveScenario(scenario), pets: () => savePetList(scenario.pets) },
    ...saveWorld(world),
    pets: () => savePets(pets, scenario.pets),
  }
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

/** The state of all sandboxes now, for `writeSandboxes` to write later, piece by piece. */
export function captureSandboxes(sandboxes: Sandboxes): CapturedSandboxes {
  const scenarios = new Map<Scenario, number>()
  const placeOf = (scenario: Scenario) => {
    const place = scenarios.get(scenario) ?? scenarios.size
    scenarios.set(scenario, place)
    return place
  }
  return {
    version: snapshotVersion,
    startsFrom: placeOf(sandboxes.scenario),
    dropped: Array.from(sandboxes.dropped, ([name, nextExchange]) => ({ name, nextExchange })),
    sandboxes: Array.from(sandboxes, world => {
      const { sandbox: name, scenario } = world
      // The world keeps changing its pets; a fork does not change.
      const pets = world.pets.fork()
      return {
        name,
        scenario: placeOf(scenario),
        follows: world.follows,
        ...saveWorld(world),
        pets: () => savePets(pets, scenario.pets),
      }
    }),
    scenarios: Array.from(scenarios.keys(), scenario => ({
      ...saveScenario(scenario),
      pets: () => savePetList(scenario.pets),
    })),
  }
}

function saveWorld({
  clock,
  keys,
  anonymous,
  rules,
  events,
  records,
  deletedKeys,
  firstExchange,
  nextExchange,
}: World): Omit<SavedWorld, 'pets'> {
  return {
    clock,
    keys: Array.from(keys.values(), copyKey),
    anonymous: Array.from(anonymous, ([client, windows]) => ({ client, windows: copyWindows(windows) })),
    rules: rules.save(),
    ...(events.size > 0 && { events: events.save() }),
    firstExchange,
    nextExchange,
    ...(deletedKeys.size > 0 && { deletedKeys: [...deletedKeys] }),
    ...(records.size > 0 && { records: saveRecords(records) }),
  }
}

function listed<Pets extends SavedPetList<Iterable<SavedPet>>>(
  pets: Pets,
): Omit<Pets, 'list'> & { readonly list: readonly SavedPet[] } {
  return { ...pets, list: [...pets.list] }
}
