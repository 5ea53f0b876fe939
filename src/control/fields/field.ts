import type { Constraint } from '../../base/text/constraint.ts'

/*
 * A small language for data from outside. Each field is declared once. From the declaration come the check of files,
 * of JavaScript objects, of commands and of snapshots, the JSON Schema, the TypeScript types and the tables of docs/.
 */

export type Shape =
  | Constraint
  | MapShape
  | NamesShape
  | ListShape
  | PairShape
  | EitherShape
  | VariantsShape
  | TaggedShape
  | JsonShape
  | ChosenShape

export interface Field {
  readonly shape: Shape
  readonly required: boolean
  /** For people: a sentence or two. */
  readonly about: string
  readonly examples: readonly unknown[]
  /** The value of an absent field. */
  readonly default?: unknown
  /** The entry of docs/assumptions.md that explains this setting. */
  readonly assumption?: string
  /** Other lawful values. A choice needs none: its samples are the other choices. */
  readonly samples?: readonly unknown[]
}

export type Fields = Readonly<Record<string, Field>>

export interface MapShape<F extends Fields = Fields> {
  readonly type: 'map'
  readonly fields: F
  /** `null` stands for an absent field. In an extending scenario it removes an inherited one. */
  readonly nullable: boolean
  /** Of these fields at least one, or exactly one, is required. The check is for JSON Schema alone without `expected`. */
  readonly needs?: {
    readonly how: 'oneOf' | 'anyOf'
    readonly names: readonly string[]
    readonly expected?: string
  }
  /** Accepts unknown fields. */
  readonly open?: boolean
  /** The end of the complaint about an unknown field. */
  readonly whenUnknown?: string
}

/** A map from names to values of one shape. */
export interface NamesShape {
  readonly type: 'names'
  readonly name: Constraint
  readonly each: Shape
  /** `null` removes an inherited name. */
  readonly nullable: boolean
  readonly example?: unknown
}

export interface ListShape {
  readonly type: 'list'
  readonly each: Shape
  /** What an empty list lacks, where it is wrong. */
  readonly nonEmpty?: string
}

/** A list of exactly two values. */
export interface PairShape {
  readonly type: 'pair'
  readonly each: Shape
  readonly expected: string
}

/** One of several shapes that differ in kind: text, number, map. */
export interface EitherShape {
  readonly type: 'either'
  readonly expected: string
  readonly options: readonly Shape[]
}

/** One of several maps that differ in their required fields. */
export interface VariantsShape {
  readonly type: 'variants'
  readonly expected: string
  readonly options: readonly MapShape[]
}

/** One of several maps; the field `tag` names which. */
export interface TaggedShape {
  readonly type: 'tagged'
  readonly tag: string
  readonly options: Readonly<Record<string, MapShape>>
}

/** Any JSON value, or any JSON object. */
export interface JsonShape {
  readonly type: 'json'
  readonly isMap: boolean
}

/** A shape that depends on the value, or that contains itself. */
export interface ChosenShape {
  readonly type: 'chosen'
  readonly choose: (value: unknown) => Shape
  /** The JSON Schema; absent: a reference to the scenario's. */
  readonly schema?: Readonly<Record<string, unknown>>
}

/** An optional field. The type keeps the default's own type. */
export function field<
  S extends Shape,
  const E extends Pick<Field, 'default' | 'assumption' | 'samples'> = object,
>(shape: S, about: string, examples: readonly unknown[] = [], extras?: E) {
  return { shape, about, examples, required: false, ...extras } as Field & { readonly shape: S } & E
}

export function required(shape: Shape, about: string, examples: readonly unknown[] = []): Field {
  return { shape, about, examples, required: true }
}

/** A map in which `null` stands for an absent field. */
export function map<const F extends Fields>(fields: F, needs?: MapShape['needs']): MapShape<F> {
  return { type: 'map', fields, nullable: true, ...(needs && { needs }) }
}

/** A map within a list: lists are replaced as a whole, so `null` has nothing to remove. */
export function itemMap<const F extends Fields>(fields: F, needs?: MapShape['needs']): MapShape<F> {
  return { ...map(fields, needs), nullable: false }
}

/** A map that programs write and read: its fields need no description. `declared`: fields of a setting, with their defaults. */
export function record(
  requiredFields: Readonly<Record<string, Shape>>,
  optionalFields: Readonly<Record<string, Shape>> = {},
  declared: Fields = {},
): MapShape {
  const named = (shapes: Readonly<Record<string, Shape>>, required: boolean) =>
    Object.entries(shapes).map(([name, shape]) => [name, { shape, about: '', examples: [], required }])
  const own = Object.fromEntries([...named(requiredFields, true), ...named(optionalFields, false)])
  return itemMap({ ...own, ...declared })
}

export function list(each: Shape, nonEmpty?: string): ListShape {
  return { type: 'list', each, ...(nonEmpty !== undefined && { nonEmpty }) }
}

export function pair(each: Shape, expected: string): PairShape {
  return { type: 'pair', each, expected }
}

export function names(name: Constraint, each: Shape, example?: unknown): NamesShape {
  return { type: 'names', name, each, nullable: false, example }
}

export function either(expected: string, ...options: readonly Shape[]): EitherShape {
  return { type: 'either', expected, options }
}

export function variants(expected: string, ...options: readonly MapShape[]): VariantsShape {
  return { type: 'variants', expected, options }
}

export const anyJson: JsonShape = { type: 'json', isMap: false }
export const jsonMap: JsonShape = { type: 'json', isMap: true }
