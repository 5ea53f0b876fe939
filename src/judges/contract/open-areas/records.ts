import { Collection, Query } from '@msw/data'
import { addInt64, parseInt64 } from '../../../base/json/int64.ts'
import { isJsonObject, listOf } from '../../../base/json/is-object.ts'
import { valueAt } from '../../../base/json/pointer.ts'
import type { Int64, JsonObject, JsonValue } from '../../../base/json/value.ts'
import { draw, fork } from '../../../base/random/random.ts'
import type { CallContext } from '../../../emulator/gates/call-context.ts'
import type { Records } from '../../../emulator/worlds/world.ts'
import { jsonOf, successOf } from '../prism/examples.ts'
import { exactly } from '../prism/for-prism.ts'
import type { Operation } from '../prism/prism.ts'
import type { CollectionPlan } from './find-collections.ts'

/** Records are validated against the contract before they get here. */
const validate = (value: unknown) => ({ value: value as JsonObject })
const anyRecord = { '~standard': { version: 1, vendor: 'pet-mock', validate } } as const

/** The records of a collection in one world. `@msw/data` stores and finds them; this class assigns ids. */
export class Table implements Records {
  readonly plan: CollectionPlan
  nextId: Int64
  /** Resolves when the first records are stored. */
  readonly ready: Promise<unknown>
  readonly #makeId: (number: Int64) => JsonValue
  readonly #collection = new Collection({ schema: anyRecord })
  /** The ids of all records, also of those that are being stored. */
  readonly #ids = new Set<string>()

  constructor(
    plan: CollectionPlan,
    makeId: (number: Int64) => JsonValue,
    records: readonly JsonObject[],
    nextId: Int64,
  ) {
    this.plan = plan
    this.nextId = nextId
    this.#makeId = makeId
    this.ready = Promise.all(records.map(record => this.add(record)))
  }

  all(): readonly JsonObject[] {
    return this.#collection.all()
  }

  where(fits: (record: JsonObject) => boolean, most: number): readonly JsonObject[] {
    return this.#collection.findMany(new Query(fits), { take: most })
  }

  find(id: string): JsonObject | undefined {
    return this.#collection.findFirst(this.#byId(id))
  }

  has(id: JsonValue): boolean {
    return this.#ids.has(idText(id))
  }

  takeId(): JsonValue {
    const id = this.#makeId(this.nextId)
    this.nextId = addInt64(this.nextId, 1)
    if (this.has(id)) return this.takeId()
    this.#ids.add(idText(id))
    return id
  }

  async add(record: JsonObject): Promise<void> {
    const id = idText(record[this.plan.idName])
    this.#ids.add(id)
    // New ids follow the highest one. Ids that a double cannot hold do not count.
    const number = parseInt64(id)
    if (typeof number === 'number' && number >= this.nextId) this.nextId = addInt64(number, 1)
    await this.#collection.create({ ...record })
  }

  /** Keeps the order of the records. */
  async replace(id: string, record: JsonObject): Promise<void> {
    await this.#collection.update(this.#byId(id), {
      data: draft => {
        const fields = draft as Record<string, JsonValue>
        for (const name of Object.keys(fields)) delete fields[name]
        Object.assign(fields, record)
      },
    })
  }

  remove(id: string): void {
    this.#collection.delete(this.#byId(id))
    this.#ids.delete(id)
  }

  #byId(id: string): Query<JsonObject> {
    return new Query(record => idText(record[this.plan.idName]) === id)
  }
}

export function idText(id: JsonValue | undefined): string {
  return typeof id === 'object' ? JSON.stringify(id) : `${id}`
}

/** The first records come from the contract's example of the list, the first orders from the fixtures. */
export function tableIn({ world }: CallContext, plan: CollectionPlan, list: Operation | undefined): Table {
  const { path } = plan
  const kept = world.records.get(path)
  if (kept instanceof Table && kept.plan === plan) return kept
  const [example] = (list && jsonOf(successOf(list))?.examples) ?? []
  const value = example !== undefined && 'value' in example ? exactly(example.value) : undefined
  const examples = listOf(plan.envelope === undefined ? value : valueAt(value, [plan.envelope]))
  const first = path === '/v1/store/orders' ? world.scenario.orders : examples
  const records = kept?.all() ?? first.filter(isJsonObject)
  const table = new Table(plan, makeIds(plan, world.scenario.seed), records, kept?.nextId ?? 1)
  world.records.set(path, table)
  return table
}

function makeIds({ shape, idName, path }: CollectionPlan, seed: number): (number: Int64) => JsonValue {
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
