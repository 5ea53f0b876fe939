import { Collection, Query } from '@msw/data'
import { addInt64, parseInt64 } from '../../../base/json/int64.ts'
import type { Int64, JsonObject, JsonValue } from '../../../base/json/value.ts'
import type { Records } from '../../../emulator/worlds/world.ts'

/** Records are validated against the contract before they get here. */
const anyRecord = {
  '~standard': {
    version: 1,
    vendor: 'pet-mock',
    validate: (value: unknown) => ({ value: value as JsonObject }),
  },
} as const

/** The records of a collection in one world. `@msw/data` stores and finds them; this class assigns ids. */
export class Table implements Records {
  /** The property that holds the id. */
  readonly idName: string
  nextId: Int64
  /** Resolves when the first records are stored. */
  readonly ready: Promise<unknown>
  /** Creates an id from a number that no record had before. */
  readonly #makeId: (number: Int64) => JsonValue
  readonly #collection = new Collection({ schema: anyRecord })
  /** The ids of all records, also of those that are being stored. */
  readonly #ids = new Set<string>()

  constructor(
    idName: string,
    makeId: (number: Int64) => JsonValue,
    records: readonly JsonObject[],
    nextId: Int64,
  ) {
    this.idName = idName
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

  /** Reserves an id that no record has. */
  takeId(): JsonValue {
    const id = this.#makeId(this.nextId)
    this.nextId = addInt64(this.nextId, 1)
    if (this.has(id)) return this.takeId()
    this.#ids.add(idText(id))
    return id
  }

  /** Stores a record with a new id. */
  async add(record: JsonObject): Promise<void> {
    const id = idText(record[this.idName])
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
    return new Query(record => idText(record[this.idName]) === id)
  }
}

/** An id as it appears in a path. */
export function idText(id: JsonValue | undefined): string {
  return typeof id === 'object' ? JSON.stringify(id) : `${id}`
}
