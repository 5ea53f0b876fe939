import type { Int64 } from '../../base/json/value.ts'
import { defaultSandbox, maxSandboxes } from '../../emulator/worlds/sandboxes.ts'
import type { Path } from '../files/show.ts'
import { canStartFrom, readInt64 } from './pets.ts'
import { readRecords } from './records.ts'
import {
  isOfAllSandboxes,
  type SandboxesSnapshot,
  type SavedInt64,
  type SavedPetList,
  type SavedPets,
  type SavedRecords,
  type SavedScenario,
  type SavedWorld,
  type Snapshot,
} from './saved.ts'
import { readOrders } from './scenario.ts'

/** Something in a snapshot that contradicts the rest of it. */
export interface Contradiction {
  readonly path: Path
  readonly message: string
}

/** Contradictions in a snapshot whose fields are all valid. Without any, it can be restored. */
export function checkSnapshot(snapshot: Snapshot): readonly Contradiction[] {
  if (isOfAllSandboxes(snapshot)) return checkSandboxes(snapshot)
  const { scenario } = snapshot
  return [...checkScenario(['scenario'], scenario), ...checkWorld([], snapshot, scenario)]
}

function checkSandboxes({ scenarios, startsFrom, sandboxes }: SandboxesSnapshot): readonly Contradiction[] {
  const names = sandboxes.map(({ name }) => name)
  return [
    ...checkPlace(['startsFrom'], startsFrom, scenarios),
    ...scenarios.flatMap((scenario, index) => checkScenario(['scenarios', index], scenario)),
    ...(names.includes(defaultSandbox)
      ? []
      : [{ path: ['sandboxes'], message: `there must be one with the name ${defaultSandbox}` }]),
    ...(names.length > maxSandboxes
      ? [{ path: ['sandboxes'], message: `there are ${names.length}, and at most ${maxSandboxes} are kept` }]
      : []),
    ...findRepeated(names).map(index => ({
      path: ['sandboxes', index, 'name'],
      message: `there is another sandbox with the name ${names[index]}`,
    })),
    ...sandboxes.flatMap((sandbox, index) => {
      const path = ['sandboxes', index]
      const misplaced = checkPlace([...path, 'scenario'], sandbox.scenario, scenarios)
      return [...misplaced, ...checkWorld(path, sandbox, scenarios[sandbox.scenario])]
    }),
  ]
}

function checkPlace(
  path: Path,
  place: number,
  scenarios: readonly SavedScenario[],
): readonly Contradiction[] {
  if (place < scenarios.length) return []
  return [{ path, message: `there is no scenario at the place ${place}, counted from 0` }]
}

function checkScenario(path: Path, { key, keys, orders, pets }: SavedScenario): readonly Contradiction[] {
  const texts = keys.map(({ text }) => text)
  return [
    ...(texts.includes(key) ? [] : [{ path: [...path, 'key'], message: `${key} is not among its keys` }]),
    ...checkKeys([...path, 'keys'], texts),
    ...(readOrders(orders) === undefined
      ? [{ path: [...path, 'orders'], message: 'expected a text that is a JSON array' }]
      : []),
    ...checkPetList([...path, 'pets'], pets),
  ]
}

function checkWorld(
  path: Path,
  { keys, records = [], pets, firstExchange, nextExchange }: SavedWorld,
  scenario: SavedScenario | undefined,
): readonly Contradiction[] {
  const flawed = checkPetList([...path, 'pets'], pets)
  return [
    ...checkKeys(
      [...path, 'keys'],
      keys.map(({ text }) => text),
    ),
    ...(firstExchange <= nextExchange
      ? []
      : [
          {
            path: [...path, 'firstExchange'],
            message: `${firstExchange} is beyond nextExchange, ${nextExchange}`,
          },
        ]),
    ...checkRecords([...path, 'records'], records),
    ...flawed,
    ...(scenario === undefined || flawed.length > 0 ? [] : checkBase([...path, 'pets'], pets, scenario.pets)),
  ]
}

function checkKeys(path: Path, texts: readonly string[]): readonly Contradiction[] {
  return findRepeated(texts).map(index => ({
    path: [...path, index, 'text'],
    message: `there is another key ${texts[index]}`,
  }))
}

function checkRecords(path: Path, records: readonly SavedRecords[]): readonly Contradiction[] {
  return [
    ...findRepeated(records.map(({ path: of }) => of)).map(index => ({
      path: [...path, index, 'path'],
      message: `there are other records of ${records[index]?.path}`,
    })),
    ...records.flatMap(({ list }, index) =>
      readRecords(list) === undefined
        ? [{ path: [...path, index, 'list'], message: 'expected a text that is a JSON array of objects' }]
        : [],
    ),
  ]
}

/** A snapshot that skips more ids would fill the memory. */
const mostIds = 20_000_000

function checkPetList(path: Path, { firstId, nextId, list }: SavedPetList): readonly Contradiction[] {
  const next = BigInt(nextId)
  let least = BigInt(firstId)
  if (next - least > mostIds)
    return [{ path: [...path, 'nextId'], message: `more than ${mostIds} ids cannot be used up` }]
  for (const [index, { id }] of list.entries()) {
    const at = [...path, 'list', index, 'id']
    if (BigInt(id) < least) return [{ path: at, message: `${id} is not in the order of the ids` }]
    if (BigInt(id) >= next) return [{ path: at, message: `${id} is not below the next id, ${nextId}` }]
    least = BigInt(id) + 1n
  }
  return least > next ? [{ path: [...path, 'nextId'], message: `${nextId} is below the first id` }] : []
}

function checkBase(
  path: Path,
  { startsFrom, gone, ...pets }: SavedPets,
  base: SavedPetList,
): readonly Contradiction[] {
  if (startsFrom === 'nothing') {
    return gone.length === 0 ? [] : [{ path: [...path, 'gone'], message: 'nothing can be gone from nothing' }]
  }
  if (canStartFrom(idsOf(base), idsOf(pets))) return []
  const message = `its ids do not go on from those of its scenario (${base.firstId} to below ${base.nextId})`
  return [{ path, message }]
}

function idsOf({ firstId, nextId }: { firstId: SavedInt64; nextId: SavedInt64 }): {
  firstId: Int64
  nextId: Int64
} {
  return { firstId: readInt64(firstId), nextId: readInt64(nextId) }
}

/** The indexes of texts that occur earlier in the list. */
function findRepeated(texts: readonly string[]): readonly number[] {
  const seen = new Set<string>()
  return texts.flatMap((text, index) => {
    if (seen.has(text)) return [index]
    seen.add(text)
    return []
  })
}
