import type { CapturedSandboxes, CapturedWorld, SavedPet, SavedPetList } from './saved.ts'

/** Pets in one piece: half a millisecond's work. */
const petsAtOnce = 500

/**
 * JSON of captured sandboxes, in small pieces, so that a server can answer calls between two of them. A line holds one
 * scenario, one sandbox or one pet.
 */
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
