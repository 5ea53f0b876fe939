import { parseInt64 } from '../../../base/json/int64.ts'
import type { Int64 } from '../../../base/json/value.ts'
import { type Constraint, choices, int64sOrDigits } from '../../../base/text/constraint.ts'
import { type Field, field, itemMap, required, type Shape } from '../../../control/fields/field.ts'
import type { Problem } from '../../../control/fields/problem.ts'
import { isMap } from '../../../control/fields/values.ts'
import type { Fixtures } from '../../../control/fixtures/fixtures.ts'

/** A field of a request. In a query every value is a text, so a field accepts the text of its value, too. */
export interface RequestField<T = unknown> extends Field {
  readonly read: (value: unknown) => T
}

export type RequestFields = Readonly<Record<string, RequestField>>

export type ValuesOf<F extends RequestFields> = { readonly [Name in keyof F]: ReturnType<F[Name]['read']> }

/** The path parameters, the query or the body of a request. */
export interface RequestPart<T> extends Partial<Pick<Field, 'about' | 'examples'>> {
  readonly shape: Shape
  /** Adds what else is wrong with a value that the shape refuses. */
  readonly addProblems?: (value: unknown, found: readonly Problem[], fixtures: Fixtures) => readonly Problem[]
  readonly read: (value: unknown) => T
}

export function partOf<F extends RequestFields>(fields: F): RequestPart<ValuesOf<F>> {
  return {
    shape: itemMap(fields),
    read: value => {
      const given = isMap(value) ? value : {}
      const entries = Object.entries(fields).filter(([name]) => given[name] !== undefined)
      const values = Object.fromEntries(entries.map(([name, { read }]) => [name, read(given[name])]))
      // The compiler does not follow types through entries.
      return values as ValuesOf<F>
    },
  }
}

export function optional<T>(
  shape: Shape,
  read: (value: unknown) => T,
  about: string,
  ...examples: readonly unknown[]
): RequestField<T | undefined> {
  return { ...field(shape, about, examples), read }
}

export function needed<T>(shape: Shape, read: (value: unknown) => T, about: string, example: unknown) {
  return { ...required(shape, about, [example]), read }
}

export function textField(shape: Constraint, about: string, ...examples: readonly string[]) {
  return optional(shape, String, about, ...examples)
}

export function choiceField<T extends string>(values: readonly T[], about: string) {
  return optional(choices(...values), value => values.find(known => known === value), about)
}

export function flagField(about: string) {
  const shape: Constraint = {
    type: 'flag',
    expected: 'true or false',
    accepts: value => typeof value === 'boolean' || value === 'true' || value === 'false',
    schema: { type: ['boolean', 'string'], enum: [true, false, 'true', 'false'] },
  }
  return optional(shape, value => `${value}` === 'true', about)
}

export function numbersOrDigits(expected: string, least: number, most: number): Constraint {
  return {
    type: 'number',
    expected,
    accepts: value => {
      const isNumber = typeof value === 'string' ? /^[0-9]{1,15}$/.test(value) : Number.isInteger(value)
      return isNumber && Number(value) >= least && Number(value) <= most
    },
    schema: { type: 'integer', minimum: least, maximum: most },
  }
}

export function int64Field(name: string, about: string): RequestField<Int64 | undefined> {
  const shape = int64sOrDigits(`${name} (a whole number of at most 64 bits)`)
  return optional(shape, value => parseInt64(`${value}`), about)
}

export function requestNumber(about: string, example: number) {
  const shape = numbersOrDigits('a whole number of requests (1 or more)', 1, Number.MAX_SAFE_INTEGER)
  return optional(shape, Number, about, example)
}
