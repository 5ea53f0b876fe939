import { listOf, objectOf } from './is-object.ts'
import { followFrom, refOf, resolveRef } from './pointer.ts'
import type { JsonObject, JsonValue } from './value.ts'

/** A node without `$ref`: its target's fields. Fields beside the reference win, as OpenAPI 3.1 has it. */
export function withoutRef(root: JsonObject, node: JsonValue | undefined): JsonObject {
  const whole = followFrom(objectOf(node), refOf, (ref, { $ref: _ref, ...rest }) => ({
    ...objectOf(resolveRef(root, ref)),
    ...rest,
  }))
  const { $ref: _ref, ...fields } = whole ?? {}
  return fields
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
  const ref = refOf(schema)
  if (ref !== undefined && known.has(ref)) return {}
  if (ref !== undefined) known.add(ref)
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
