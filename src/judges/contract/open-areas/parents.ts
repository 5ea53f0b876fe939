import { parseInt64 } from '../../../base/json/int64.ts'
import type { JsonObject } from '../../../base/json/value.ts'
import type { CallContext } from '../../../emulator/gates/call-context.ts'
import type { CollectionPlan } from './find-collections.ts'
import { tableIn } from './record-tables.ts'

/** The path of a collection below the records that `segments` name: `/v1/shops/north/items`. */
export function pathOf({ create }: CollectionPlan, segments: readonly string[]): string {
  return `/v1/${segments.slice(0, create.segments.length).map(encodeURIComponent).join('/')}`
}

/** The fields of a collection's records that hold the parameters of its path. */
export function parentFields({ parents, shape }: CollectionPlan, segments: readonly string[]): JsonObject {
  return Object.fromEntries(
    Array.from(parents, ([place, name]) => {
      const text = segments[place] ?? ''
      const isText = [shape.properties.get(name)?.type].flat().includes('string')
      return [name, isText ? text : (parseInt64(text) ?? text)]
    }),
  )
}

/** The id of the first record above a collection that does not exist; undefined if all do. */
export async function missingParent(
  plan: CollectionPlan,
  plans: readonly CollectionPlan[],
  context: CallContext,
  segments: readonly string[],
): Promise<string | undefined> {
  for (const place of plan.create.parameters.keys()) {
    const id = segments[place] ?? ''
    const above = plan.create.segments.slice(0, place).join('/')
    if (above === 'pets' && context.world.pets.get(parseInt64(id) ?? 0) === undefined) return id
    const parent = plans.find(({ create }) => create.segments.join('/') === above)
    if (parent === undefined) continue
    const table = tableIn(context, parent, pathOf(parent, segments), parentFields(parent, segments))
    await table.ready
    if (table.find(id) === undefined) return id
  }
  return undefined
}
