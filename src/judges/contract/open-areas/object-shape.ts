import type { JsonObject } from '../../../base/json/value.ts'
import { documentOf } from '../../../control/files/document.ts'
import { DescriptionNode } from '../description/description-node.ts'
import { flatten } from '../description/flat-schema.ts'
import { exactly } from '../prism/for-prism.ts'
import type { Operation } from '../prism/prism.ts'

/** What the objects of a schema look like. */
export interface ObjectShape {
  /** The keywords of each property. */
  readonly properties: ReadonlyMap<string, JsonObject>
  readonly required: ReadonlySet<string>
}

/** The shape of a schema of an operation, whose references lead into it; undefined for anything but objects. */
export function objectShape(operation: Operation, schema: unknown): ObjectShape | undefined {
  return shapeOf(nodeOf(operation, schema))
}

/** The shape of the items of a list; undefined for anything but a list of objects. */
export function itemShape(operation: Operation, schema: unknown): ObjectShape | undefined {
  const { types, keywords } = flatten(nodeOf(operation, schema))
  const items = keywords.get('items')
  return types.has('array') && items !== undefined ? shapeOf(items) : undefined
}

/** The name of the only property with a list of objects, in the schema of an envelope such as `{ data: […], total: 2 }`. */
export function envelopedList(operation: Operation, schema: unknown): string | undefined {
  const lists = [...flatten(nodeOf(operation, schema)).properties].filter(([, property]) => {
    const { types, keywords } = flatten(property)
    const items = keywords.get('items')
    return types.has('array') && items !== undefined && shapeOf(items) !== undefined
  })
  return lists.length === 1 ? lists[0]?.[0] : undefined
}

function nodeOf(operation: Operation, schema: unknown): DescriptionNode {
  return new DescriptionNode(new Map(), documentOf(exactly(operation)), [], exactly(schema))
}

function shapeOf(node: DescriptionNode): ObjectShape | undefined {
  const { types, properties, required } = flatten(node)
  if (!(types.has('object') || (types.size === 0 && properties.size > 0))) return undefined
  const keywordsOf = (property: DescriptionNode): JsonObject =>
    Object.fromEntries([...flatten(property).keywords].map(([name, { value = null }]) => [name, value]))
  return {
    properties: new Map(Array.from(properties, ([name, property]) => [name, keywordsOf(property)])),
    required: new Set(required.keys()),
  }
}
