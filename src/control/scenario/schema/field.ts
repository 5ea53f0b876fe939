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

/**
 * For JSON Schema: one of these fields must be given, or any; `as`: what counts as given. That pet-mock asks for the same is
 * said beside it, in words for people.
 */
export function given(
  how: 'oneOf' | 'anyOf',
  names: readonly string[],
  as: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  // Within allOf, since these are no forms of the map that an editor should offer.
  return { allOf: [{ [how]: names.map(name => ({ required: [name], properties: { [name]: as } })) }] }
}
