import type { CapturedSandboxes, SavedPet, SavedPetList } from './saved.ts'

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

function* writeItems(
  items: readonly { readonly pets: () => SavedPetList<Iterable<SavedPet>> }[],
): Generator<string> {
  let before = '\n'
  for (const { pets, ...rest } of items) {
    const { list, ...ids } = pets()
    yield `${before}${JSON.stringify(rest).slice(0, -1)},"pets":${JSON.stringify(ids).slice(0, -1)},"list":[`
    yield* writePets(list)
    yield ']}}'
    before = ',\n'
  }
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
