import { isJsonArray, isJsonObject } from '../../../base/json/is-object.ts'
import type { Int64, JsonObject, JsonValue } from '../../../base/json/value.ts'
import { draw, fork } from '../../../base/random/random.ts'
import type { CallContext } from '../../../emulator/gates/call-context.ts'
import { exactly } from '../prism/for-prism.ts'
import type { CollectionPlan } from './find-collections.ts'
import { jsonOf, successOf } from './prism-mocker.ts'
import { idText, Table } from './record-table.ts'

const orders = '/v1/store/orders'

/**
 * The records of a collection in the world of a call. The first ones come from the contract's example of the list; the
 * first orders come from the fixtures.
 */
export function tableIn(
  { world }: CallContext,
  plan: CollectionPlan,
  path: string,
  parents: JsonObject,
): Table {
  const kept = world.records.get(path)
  if (kept instanceof Table && kept.idName === plan.idName) return kept
  const first = path === orders ? world.scenario.orders : exampleOf(plan)
  const records = kept?.all() ?? first.filter(isJsonObject).filter(record => isBelow(record, parents))
  const table = new Table(plan.idName, makeIds(plan, path, world.scenario.seed), records, kept?.nextId ?? 1)
  world.records.set(path, table)
  return table
}

/** Whether no field of a record names another parent. */
function isBelow(record: JsonObject, parents: JsonObject): boolean {
  return Object.entries(parents).every(
    ([name, value]) => record[name] === undefined || idText(record[name]) === idText(value),
  )
}

function exampleOf({ list, envelope }: CollectionPlan): readonly JsonValue[] {
  const [example] = (list && jsonOf(successOf(list.operation))?.examples) ?? []
  const value = example !== undefined && 'value' in example ? exactly(example.value) : undefined
  const records = envelope !== undefined && isJsonObject(value) ? value[envelope] : value
  return isJsonArray(records) ? records : []
}

/** Ids of the type and format in the contract. */
function makeIds(
  { shape, idName }: CollectionPlan,
  path: string,
  seed: number,
): (number: Int64) => JsonValue {
  const schema = shape.properties.get(idName) ?? {}
  if (![schema.type].flat().includes('string')) return number => number
  if (schema.format !== 'uuid') return number => `${number}`
  return number => uuid(fork(seed, `the ids of ${path}`), Number(number))
}

/** A UUID of version 4 (RFC 9562, section 5.4) from the n-th draws of a seed. */
function uuid(seed: number, n: number): string {
  const words = [0, 1, 2, 3].map(word => Math.floor(draw(fork(seed, `${word}`), n) * 2 ** 32))
  const hex = words.map(word => word.toString(16).padStart(8, '0')).join('')
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) % 4)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`
}
