import { isJsonArray, isJsonObject } from './is-object.ts'
import { resolveRef } from './pointer.ts'
import type { JsonObject, JsonValue } from './value.ts'

/** The most references that lead from one to the next. */
const mostHops = 20

/** A node without `$ref`: its target's fields. Fields beside the reference win, as OpenAPI 3.1 has it. */
export function withoutRef(root: JsonObject, node: JsonValue | undefined): JsonObject {
  let all = objectOf(node)
  for (let hop = 0; hop < mostHops; hop += 1) {
    const { $ref, ...rest } = all
    if (typeof $ref !== 'string') return rest
    all = { ...objectOf(resolveRef(root, $ref)), ...rest }
  }
  return {}
}

/**
 * A schema without references and without `allOf`: the fields of all its parts. `known`: the references that were followed. Each
 * is followed once, because a schema may hold itself.
 */
export function joinSchema(
  root: JsonObject,
  schema: JsonValue | undefined,
  known: Set<string> = new Set(),
): JsonObject {
  const { $ref } = objectOf(schema)
  if (typeof $ref === 'string' && known.has($ref)) return {}
  if (typeof $ref === 'string') known.add($ref)
  const { allOf, ...own } = withoutRef(root, schema)
  const parts = [...listOf(allOf).map(part => joinSchema(root, part, known)), own]
  const properties = Object.assign({}, ...parts.map(part => objectOf(part.properties)))
  const required = [...new Set(parts.flatMap(part => listOf(part.required)))]
  return Object.assign(
    {},
    ...parts,
    Object.keys(properties).length > 0 && { properties },
    required.length > 0 && { required },
  )
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return isJsonArray(value) ? value : []
}
