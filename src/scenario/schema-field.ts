import type * as z from 'zod'

/** What an editor shows beside the description. */
interface Explained {
  readonly default?: unknown
  readonly examples?: readonly unknown[]
}

/** A field that may be absent, or `null` to remove what an extended scenario gives. */
export function field<T extends z.ZodType>(schema: T, description: string, explained: Explained = {}) {
  return schema.meta({ description, ...explained }).nullish()
}

/** A field of a list's item, which may be absent. */
export function itemField<T extends z.ZodType>(schema: T, description: string, explained: Explained = {}) {
  return schema.meta({ description, ...explained }).optional()
}
