import type { JsonObject, JsonValue } from '../../src/base/json/value.ts'

/** A node, or the node that it refers to. */
export function resolve(contract: JsonObject, value: JsonValue | undefined): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {}
  const node = value as JsonObject
  if (typeof node.$ref !== 'string') return node
  const steps = node.$ref.split('/').slice(1)
  return resolve(
    contract,
    steps.reduce<JsonValue | undefined>(
      (at, step) => resolve(contract, at)[step.replaceAll('~1', '/')],
      contract,
    ),
  )
}

export function entriesOf(
  contract: JsonObject,
  value: JsonValue | undefined,
): readonly (readonly [string, JsonObject])[] {
  return Object.entries(resolve(contract, value)).map(([name, node]) => [name, resolve(contract, node)])
}

export function listOf(contract: JsonObject, value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.map(item => resolve(contract, item)) : []
}
