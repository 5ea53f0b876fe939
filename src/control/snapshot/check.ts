import { defaultSandbox, maxSandboxes } from '../../emulator/worlds/sandboxes.ts'
import { room } from '../../service/pets/store.ts'
import { type Problems, problemIf } from '../fields/problem.ts'
import type { Path } from '../files/show.ts'
import { readOrders, readRecords } from './parts.ts'
import * as saved from './saved.ts'

/** Contradictions in a snapshot whose fields are all valid. Without any, it can be restored. */
export function checkSnapshot(snapshot: saved.Snapshot): Problems {
  if (saved.isOfAllSandboxes(snapshot)) return checkSandboxes(snapshot)
  const { scenario } = snapshot
  return [...checkScenario(['scenario'], scenario), ...checkWorld([], snapshot, scenario)]
}

function checkSandboxes({ scenarios, startsFrom, sandboxes }: saved.SandboxesSnapshot): Problems {
  const names = sandboxes.map(({ name }) => name)
  const noDefault = `expected a sandbox with the name ${defaultSandbox}`
  const tooMany = `expected at most ${maxSandboxes} sandboxes, found ${names.length}`
  const checkPlace = (path: Path, place: number) =>
    problemIf(place >= scenarios.length, path, `there is no scenario with the index ${place}`)
  return [
    ...checkPlace(['startsFrom'], startsFrom),
    ...scenarios.flatMap((scenario, index) => checkScenario(['scenarios', index], scenario)),
    ...problemIf(!names.includes(defaultSandbox), ['sandboxes'], noDefault),
    ...problemIf(names.length > maxSandboxes, ['sandboxes'], tooMany),
    ...checkRepeated(['sandboxes'], 'name', names, 'there is another sandbox with the name'),
    ...sandboxes.flatMap((sandbox, index) => [
      ...checkPlace(['sandboxes', index, 'scenario'], sandbox.scenario),
      ...checkWorld(['sandboxes', index], sandbox, scenarios[sandbox.scenario]),
    ]),
  ]
}

function checkScenario(path: Path, { key, keys, orders, pets }: saved.SavedScenario): Problems {
  const texts = keys.map(({ text }) => text)
  const noList = 'expected a text that is a JSON array'
  return [
    ...problemIf(!texts.includes(key), [...path, 'key'], `${key} is not among its keys`),
    ...checkRepeated([...path, 'keys'], 'text', texts, 'there is another key'),
    ...problemIf(readOrders(orders) === undefined, [...path, 'orders'], noList),
    ...checkPetList([...path, 'pets'], pets),
  ]
}

function checkWorld(
  path: Path,
  { keys, records = [], pets, firstExchange, nextExchange }: saved.SavedWorld,
  scenario: saved.SavedScenario | undefined,
): Problems {
  const texts = keys.map(({ text }) => text)
  const paths = records.map(record => record.path)
  const inPets = checkPetList([...path, 'pets'], pets)
  const beyondNext = `${firstExchange} is beyond nextExchange, ${nextExchange}`
  const noRecords = 'expected a text that is a JSON array of objects'
  return [
    ...checkRepeated([...path, 'keys'], 'text', texts, 'there is another key'),
    ...problemIf(firstExchange > nextExchange, [...path, 'firstExchange'], beyondNext),
    ...checkRepeated([...path, 'records'], 'path', paths, 'there are other records of'),
    ...records.flatMap(({ list }, index) =>
      problemIf(readRecords(list) === undefined, [...path, 'records', index, 'list'], noRecords),
    ),
    ...inPets,
    ...(scenario === undefined || inPets.length > 0 ? [] : checkBase([...path, 'pets'], pets, scenario.pets)),
  ]
}

/** The items of a list must differ in a field, whose texts are given. */
function checkRepeated(path: Path, field: string, texts: readonly string[], message: string): Problems {
  const seen = new Set<string>()
  return texts.flatMap((text, index) => {
    const isRepeated = seen.has(text)
    seen.add(text)
    return problemIf(isRepeated, [...path, index, field], `${message} ${text}`)
  })
}

/** A store that began with all its room still has this much. */
const leastRoom = BigInt(room / 2)

function checkPetList(path: Path, { firstId, nextId, list }: saved.SavedPetList): Problems {
  const next = BigInt(nextId)
  if (next + leastRoom >= 2n ** 63n)
    return [{ path: [...path, 'nextId'], message: `${nextId} leaves too few ids (int64) for new pets` }]
  let least = 1n
  for (const [index, { id }] of list.entries()) {
    const at = [...path, 'list', index, 'id']
    if (BigInt(id) < least) return [{ path: at, message: `${id} is out of order: ids must ascend` }]
    if (isNear(id, next)) return [{ path: at, message: `${id} is not below the next id, ${nextId}` }]
    least = BigInt(id) + 1n
  }
  return problemIf(BigInt(firstId) > next, [...path, 'nextId'], `${nextId} is below the first id`)
}

/** Whether a new pet could get the id of a pet that is there. */
function isNear(id: saved.SavedInt64, next: bigint): boolean {
  return BigInt(id) >= next && BigInt(id) < next + leastRoom
}

function checkBase(path: Path, pets: saved.SavedPets, base: saved.SavedPetList): Problems {
  const { startsFrom, gone, firstId, nextId } = pets
  if (startsFrom === 'nothing')
    return problemIf(gone.length > 0, [...path, 'gone'], 'startsFrom is nothing, so gone must be empty')
  const continues = BigInt(base.firstId) === BigInt(firstId) && BigInt(base.nextId) <= BigInt(nextId)
  const message = `its ids do not continue those of its scenario (from ${base.firstId}, next ${base.nextId})`
  const above = base.list[base.list.findLastIndex(({ id }) => BigInt(id) < BigInt(nextId)) + 1]
  const isTaken = above !== undefined && isNear(above.id, BigInt(nextId))
  return problemIf(!continues || isTaken, path, message)
}
