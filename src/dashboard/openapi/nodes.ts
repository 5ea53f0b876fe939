import { isJsonArray, isJsonObject } from '../../base/json/is-object.ts'
import type { JsonObject, JsonValue } from '../../base/json/value.ts'

/** Fields of a document that nobody checked. What is missing or has another type reads as empty. */
export function objectAt(node: JsonObject, name: string): JsonObject {
  const value = node[name]
  return value !== undefined && isJsonObject(value) ? value : {}
}

export function objectsAt(node: JsonObject, name: string): readonly JsonObject[] {
  return valuesAt(node, name).filter(isJsonObject)
}

export function valuesAt(node: JsonObject, name: string): readonly JsonValue[] {
  const value = node[name]
  return value !== undefined && isJsonArray(value) ? value : []
}

export function textAt(node: JsonObject, name: string): string {
  const value = node[name]
  return typeof value === 'string' ? value : ''
}

export function textsAt(node: JsonObject, name: string): readonly string[] {
  return valuesAt(node, name).filter(value => typeof value === 'string')
}

/** The most references that lead from one to the next. */
const mostHops = 20

/** Follows `$ref` within the document. Fields beside the reference win, as OpenAPI 3.1 has it. */
export function follow(root: JsonObject, node: JsonObject): JsonObject {
  let all = node
  for (let hop = 0; hop < mostHops; hop += 1) {
    const { $ref, ...rest } = all
    if (typeof $ref !== 'string') return rest
    all = { ...find(root, $ref), ...rest }
  }
  return {}
}

function find(root: JsonObject, ref: string): JsonObject {
  if (!ref.startsWith('#/')) return {}
  const names = ref.slice(2).split('/').map(pointerName)
  return names.reduce<JsonObject>(objectAt, root)
}

/** RFC 6901, in a URI fragment. */
function pointerName(name: string): string {
  try {
    return decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return name
  }
}
