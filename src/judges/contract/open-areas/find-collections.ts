import type { Described } from '../description/described-operation.ts'
import { itemShapeOf, type Shape, shapeOf } from '../prism/schema-shape.ts'
import { jsonOf, successOf } from './prism-mocker.ts'

/** Operations of a contract that read as a collection: something is created, and can be read again. */
export interface CollectionPlan {
  /** `/v1/toys` */
  readonly shown: string
  /** The field that holds a record's id. */
  readonly idName: string
  readonly shape: Shape
  readonly create: Described
  readonly list: Described | undefined
  /** Of one record: GET, and PUT, PATCH and DELETE where there is one. */
  readonly single: ReadonlyMap<string, Described>
}

/** The collections among operations; a path of which the emulator answers a part with records of its own is none. */
export function findCollections(operations: readonly Described[]): readonly CollectionPlan[] {
  const at = (segments: readonly string[], method: string) =>
    operations.find(other => other.method === method && other.segments.join('/') === segments.join('/'))
  return operations.flatMap(create => {
    if (create.method !== 'POST' || create.isEmulated || create.segments.at(-1) === '') return []
    const success = successOf(create.operation)
    const shape = shapeOf(create.operation, jsonOf(success)?.schema)
    const takes = shapeOf(create.operation, jsonOf(create.operation.request?.body)?.schema)
    if (shape === undefined || takes === undefined) return []
    const list = at(create.segments, 'GET')
    const isList =
      list !== undefined &&
      itemShapeOf(list.operation, jsonOf(successOf(list.operation))?.schema) !== undefined
    const inside = [...create.segments, '']
    const single = new Map(
      ['GET', 'PUT', 'PATCH', 'DELETE'].flatMap(method => {
        const found = at(inside, method)
        return found === undefined || found.isEmulated ? [] : [[method, found] as const]
      }),
    )
    if (!isList && !single.has('GET')) return []
    const idName = idNameOf(shape, single)
    if (idName === undefined) return []
    return [{ shown: create.shown, idName, shape, create, list: isList ? list : undefined, single }]
  })
}

/** `id`, else the field that bears the name of the path's parameter, else any that ends as ids do. */
function idNameOf({ properties }: Shape, single: CollectionPlan['single']): string | undefined {
  const [one] = single.values()
  const parameter = /\{([^{}]*)\}$/.exec(one?.shown ?? '')?.[1]
  const names = [...properties.keys()]
  return [
    'id',
    ...names.filter(name => name === parameter),
    ...names.filter(name => /^uuid$|^_id$/.test(name)),
  ].find(name => properties.has(name))
}
