import type { DescriptionNode } from './description-node.ts'

/** A schema merged with everything it refers to or combines by `allOf`; each keyword keeps its place. */
export interface FlatSchema {
  readonly node: DescriptionNode
  readonly keywords: ReadonlyMap<string, DescriptionNode>
  readonly properties: ReadonlyMap<string, DescriptionNode>
  readonly required: ReadonlyMap<string, DescriptionNode>
  /** As in OpenAPI 3.1, where `nullable` is the type `null`. Empty if any type is allowed. */
  readonly types: ReadonlySet<string>
}

/** Schemas nested deeper than this are circular. */
const deepest = 20

export function flatten(node: DescriptionNode): FlatSchema {
  const parts = partsOf(node, 0)
  const keywords = new Map(parts.flatMap(part => part.fields))
  const types = [keywords.get('type')?.value ?? []].flat().map(String)
  return {
    node: node.follow() ?? node,
    keywords,
    properties: new Map(parts.flatMap(part => part.at('properties').fields)),
    required: new Map(
      parts.flatMap(part =>
        part
          .at('required')
          .items.flatMap(item => (typeof item.value === 'string' ? [[item.value, item] as const] : [])),
      ),
    ),
    types: new Set(keywords.get('nullable')?.value === true ? [...types, 'null'] : types),
  }
}

/** Later parts override earlier ones: keywords beside `$ref` override those of its target. */
function partsOf(node: DescriptionNode, depth: number): readonly DescriptionNode[] {
  const target = node.follow()
  if (target === undefined || depth > deepest) return []
  const parts = target.at('allOf').items.flatMap(part => partsOf(part, depth + 1))
  return target === node ? [...parts, node] : [...partsOf(target, depth + 1), node]
}
