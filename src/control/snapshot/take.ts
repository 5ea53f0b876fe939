import type { Sandboxes } from '../../emulator/worlds/sandboxes.ts'
import type { Scenario } from '../../emulator/worlds/scenario.ts'
import type { World } from '../../emulator/worlds/world.ts'
import { copyKey } from '../../service/keys/key.ts'
import { copyWindows } from '../../service/limits/limiter.ts'
import { savePetList, savePets, saveRecords, saveScenario } from './parts.ts'
import {
  type CapturedSandboxes,
  type CapturedWorld,
  type SavedPet,
  type SavedPetList,
  type SavedPets,
  type SavedWorld,
  snapshotVersion,
} from './saved.ts'

/** The state of one sandbox now, for `writeWorld` to write later, piece by piece. */
export function captureWorld(world: World): CapturedWorld {
  return { version: snapshotVersion, scenario: captureScenario(world.scenario), ...captureState(world) }
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
      const { sandbox: name, scenario, follows } = world
      return { name, scenario: placeOf(scenario), follows, ...captureState(world) }
    }),
    scenarios: Array.from(scenarios.keys(), captureScenario),
  }
}

function captureScenario(scenario: Scenario) {
  return { ...saveScenario(scenario), pets: () => savePetList(scenario.pets) }
}

function captureState(world: World): SavedWorld<() => SavedPets<Iterable<SavedPet>>> {
  const { clock, keys, anonymous, rules, events, records, deletedKeys, scenario } = world
  const { firstExchange, nextExchange } = world
  // The world keeps changing its pets; a fork does not change.
  const pets = world.pets.fork()
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
    pets: () => savePets(pets, scenario.pets),
  }
}

/** Pets in one piece: half a millisecond's work. */
const petsAtOnce = 500

/** JSON of sandboxes in pieces, to answer calls in between. A line holds one scenario, sandbox or pet. */
export function* writeSandboxes({ scenarios, sandboxes, ...rest }: CapturedSandboxes): Generator<string> {
  yield `${JSON.stringify(rest).slice(0, -1)},"scenarios":[`
  yield* writeItems(scenarios)
  yield '],"sandboxes":['
  yield* writeItems(sandboxes)
  yield ']}\n'
}

/** JSON of one captured sandbox, in small pieces. */
export function* writeWorld({ scenario, ...world }: CapturedWorld): Generator<string> {
  yield '{"scenario":'
  yield* writeItem(scenario)
  // The fields of the world follow that of its scenario.
  let isFirst = true
  for (const piece of writeItem(world)) {
    yield isFirst ? `,\n${piece.slice(1)}` : piece
    isFirst = false
  }
  yield '\n'
}

interface Item {
  readonly pets: () => SavedPetList<Iterable<SavedPet>>
}

function* writeItems(items: readonly Item[]): Generator<string> {
  let before = '\n'
  for (const item of items) {
    yield before
    yield* writeItem(item)
    before = ',\n'
  }
}

function* writeItem({ pets, ...rest }: Item): Generator<string> {
  const { list, ...ids } = pets()
  yield `${JSON.stringify(rest).slice(0, -1)},"pets":${JSON.stringify(ids).slice(0, -1)},"list":[`
  yield* writePets(list)
  yield ']}}'
}

function* writePets(list: Iterable<SavedPet>): Generator<string> {
  let before = '\n'
  let piece: SavedPet[] = []
  const write = () => {
    const text = before + piece.map(pet => JSON.stringify(pet)).join(',\n')
    before = ',\n'
    piece = []
    return text
  }
  for (const pet of list) {
    piece.push(pet)
    if (piece.length === petsAtOnce) yield write()
  }
  if (piece.length > 0) yield write()
}
