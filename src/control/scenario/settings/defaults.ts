import type { Fields, MapShape } from '../../fields/field.ts'

type Defaults<F extends Fields> = {
  readonly [Name in keyof F as F[Name] extends { readonly default: unknown }
    ? Name
    : never]: F[Name]['default']
}

/** The declared defaults of a map's fields, by name. */
export function defaultsOf<F extends Fields>({ fields }: MapShape<F>): Defaults<F> {
  const given = Object.entries(fields).filter(([, field]) => field.default !== undefined)
  return Object.fromEntries(given.map(([name, field]) => [name, field.default])) as Defaults<F>
}

/** Adds to the defaults each field that is given: neither `null` nor `undefined`. */
export function withDefaults<T extends object>(
  defaults: T,
  given: { readonly [Name in keyof T]?: T[Name] | null | undefined },
): T {
  const own = Object.entries(given).filter(([, value]) => value !== null && value !== undefined)
  return { ...defaults, ...Object.fromEntries(own) }
}
