import type { Described } from './described-operation.ts'
import { envelopedList, itemShape, type ObjectShape, objectShape } from './object-shape.ts'
import { jsonOf, successOf } from './prism-mocker.ts'

/** Operations of a contract that form a collection: one creates records, others read and change them. */
export interface CollectionPlan {
  /** The property that holds a record's id. */
  readonly idName: string
  /** Whether the client may choose the id of a new record. */
  readonly clientSetsId: boolean
  readonly shape: ObjectShape
  readonly create: Described
  readonly list: Described | undefined
  /** The property of the list's answer that holds the records; undefined: the answer is a plain list. */
  readonly envelope: string | undefined
  /** Properties that hold the parameters above the collection, by their place in the path. */
  readonly parents: ReadonlyMap<number, string>
  /** Operations on one record, by method. */
  readonly single: ReadonlyMap<string, Described>
}

/** Finds collections. Skips paths that pet-mock emulates. */
export function findCollections(operations: readonly Described[]): readonly CollectionPlan[] {
  const at = (segments: readonly string[], method: string) =>
    operations.find(other => other.method === method && other.segments.join('/') === segments.join('/'))
  return operations.flatMap(create => {
    const { method, isEmulated, segments, operation } = create
    if (method !== 'POST' || isEmulated || segments.at(-1) === '') return []
    const shape = objectShape(operation, jsonOf(successOf(operation))?.schema)
    const sent = objectShape(operation, jsonOf(operation.request?.body)?.schema)
    if (shape === undefined || sent === undefined) return []
    const reading = at(segments, 'GET')
    const envelope = reading && envelopeOf(reading)
    const list = reading && (envelope !== undefined || listsObjects(reading)) ? reading : undefined
    const single = new Map(
      ['GET', 'PUT', 'PATCH', 'DELETE'].flatMap(method => {
        const found = at([...segments, ''], method)
        return found === undefined || found.isEmulated ? [] : [[method, found] as const]
      }),
    )
    const idName = idNameOf(shape, single)
    if (idName === undefined || (list === undefined && !single.has('GET'))) return []
    const isWritable = ({ properties }: ObjectShape) => properties.get(idName)?.readOnly !== true
    const clientSetsId = sent.properties.has(idName) && isWritable(sent) && isWritable(shape)
    const parents = parentsOf(create, shape, idName)
    return [{ idName, clientSetsId, shape, create, list, envelope, parents, single }]
  })
}

function listsObjects({ operation }: Described): boolean {
  return itemShape(operation, jsonOf(successOf(operation))?.schema) !== undefined
}

function envelopeOf({ operation }: Described): string | undefined {
  return envelopedList(operation, jsonOf(successOf(operation))?.schema)
}

/** The property that is named like the path parameter, or `id`, `uuid` or `_id`. */
function idNameOf({ properties }: ObjectShape, single: CollectionPlan['single']): string | undefined {
  const [one] = single.values()
  const parameter = one?.parameters.get(one.segments.length - 1)
  const named = parameter === undefined ? undefined : propertyLike(properties, parameter)
  return named ?? ['id', 'uuid', '_id'].find(name => properties.has(name))
}

function parentsOf(
  { parameters }: Described,
  { properties }: ObjectShape,
  idName: string,
): CollectionPlan['parents'] {
  return new Map(
    Array.from(parameters).flatMap(([place, name]) => {
      const property = propertyLike(properties, name)
      return property === undefined || property === idName ? [] : [[place, property] as const]
    }),
  )
}

/** The property of this name, or one that is only written otherwise: `item_id` for `itemId`. */
function propertyLike(properties: ObjectShape['properties'], name: string): string | undefined {
  const plain = (text: string) => text.replace(/[-_]/g, '').toLowerCase()
  return properties.has(name) ? name : [...properties.keys()].find(key => plain(key) === plain(name))
}
