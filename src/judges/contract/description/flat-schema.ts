import { below, type Files, fieldsOf, follow, itemsOf, type Spot } from './description-node.ts'

/** A schema with what it refers to and what it is combined of by `allOf`, each keyword where it stands. */
export interface FlatSchema {
  readonly spot: Spot
  readonly keywords: ReadonlyMap<string, Spot>
  readonly properties: ReadonlyMap<string, Spot>
  readonly required: ReadonlyMap<string, Spot>
  /** In the words of OpenAPI 3.1: `nullable` is a type. Empty where any will do. */
  readonly types: ReadonlySet<string>
}

/** More schemas within schemas than this lead round in a circle. */
const deepest = 20

export function flatten(spot: Spot, files: Files): FlatSchema {
  const parts = partsOf(spot, files, 0)
  const keywords = new Map(parts.flatMap(fieldsOf))
  const type = keywords.get('type')
  const types = [type?.value ?? []].flat().map(String)
  return {
    spot: follow(spot, files) ?? spot,
    keywords,
    properties: new Map(parts.flatMap(part => fieldsOf(below(part, 'properties')))),
    required: new Map(
      parts.flatMap(part => itemsOf(below(part, 'required')).map(item => [`${item.value}`, item] as const)),
    ),
    types: new Set(keywords.get('nullable')?.value === true ? [...types, 'null'] : types),
  }
}

function partsOf(spot: Spot, files: Files, depth: number): readonly Spot[] {
  const target = follow(spot, files)
  if (target === undefined || depth > deepest) return []
  return [...itemsOf(below(target, 'allOf')).flatMap(part => partsOf(part, files, depth + 1)), target]
}
