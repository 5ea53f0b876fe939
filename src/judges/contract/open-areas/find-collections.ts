import type { Described } from './described-operation.ts'
import { itemShape, type ObjectShape, objectShape } from './object-shape.ts'
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
    const list = reading && listsObjects(reading) ? reading : undefined
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
    return [{ idName, clientSetsId, shape, create, list, single }]
  })
}

function listsObjects({ operation }: Described): boolean {
  return itemShape(operation, jsonOf(successOf(operation))?.schema) !== undefined
}

/** `id`, or the property that is named like the path parameter, or `uuid` or `_id`. */
function idNameOf({ properties }: ObjectShape, single: CollectionPlan['single']): string | undefined {
  const [one] = single.values()
  const parameter = /\{([^{}]*)\}$/.exec(one?.fullPath ?? '')?.[1]
  const names = [...properties.keys()]
  return ['id', parameter, names.find(name => name === 'uuid' || name === '_id')].find(
    name => name !== undefined && properties.has(name),
  )
}
