import type { z } from 'zod'
import type { Path } from './show.ts'

/** The names of the fields that a schema knows at a path, for "did you mean". */
export function fieldNames(schema: z.core.$ZodType, path: Path): readonly string[] {
  const found = objectsAt(schema, path)
  return found.flatMap(fields => Object.keys(fields))
}

/** The shapes of the objects that may stand at a path: several, where a union has several. */
function objectsAt(schema: z.core.$ZodType, path: Path): readonly z.core.$ZodShape[] {
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (def.type === 'optional' || def.type === 'nullable') return objectsAt(def.innerType, path)
  if (def.type === 'union') return def.options.flatMap(option => objectsAt(option, path))
  const [next, ...rest] = path
  if (next === undefined) return def.type === 'object' ? [def.shape] : []
  if (def.type === 'array') return objectsAt(def.element, rest)
  if (def.type === 'record') return objectsAt(def.valueType, rest)
  const field = def.type === 'object' ? def.shape[next] : undefined
  return field === undefined ? [] : objectsAt(field, rest)
}
