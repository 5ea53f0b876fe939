import { isJsonObject, listOf, objectOf } from '../../base/json/is-object.ts'
import type { JsonObject, JsonValue } from '../../base/json/value.ts'

/** Fields of a document that nobody checked. What is missing or has another type reads as empty. */
export function objectAt(node: JsonObject, name: string): JsonObject {
  return objectOf(node[name])
}

export function objectsAt(node: JsonObject, name: string): readonly JsonObject[] {
  return valuesAt(node, name).filter(isJsonObject)
}

export function valuesAt(node: JsonObject, name: string): readonly JsonValue[] {
  return listOf(node[name])
}

export function textAt(node: JsonObject, name: string): string {
  const value = node[name]
  return typeof value === 'string' ? value : ''
}

export function textsAt(node: JsonObject, name: string): readonly string[] {
  return valuesAt(node, name).filter(value => typeof value === 'string')
}
