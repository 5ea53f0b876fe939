import { isObject } from '../../../base/json/is-object.ts'
import type { Schema } from '../prism/schema-shape.ts'

/**
 * An operation as json-schema-faker is to see it, which makes up what Prism has no example for: a schema with an example
 * can only be that, objects have no fields but their own, and all that it draws is from its seed.
 */
export function seedable<T>(value: T, areNames = false): T {
  if (Array.isArray(value)) return value.map(item => seedable(item)) as T
  if (!isObject(value)) return value
  // Under `properties` any name is a field's, and none a keyword.
  const inner = Object.entries(value).map(([name, field]) => [
    name,
    seedable(field, !areNames && name === 'properties'),
  ])
  if (areNames) return Object.fromEntries(inner) as T
  // A few of any name would be added.
  const closed = isObject(value.properties) ? [['additionalProperties', false]] : []
  return (pinned(value) ?? Object.fromEntries([...closed, ...inner])) as T
}

/** What takes the place of a whole schema. */
function pinned(schema: Schema): Schema | undefined {
  const { examples, type, format, multipleOf } = schema
  const isSchema = 'type' in schema || 'properties' in schema || 'enum' in schema
  if (isSchema && Array.isArray(examples) && examples.length > 0) return { enum: [examples[0]] }
  // It would be another one in another time zone.
  if (format === 'time' && typeof type === 'string') return { type, pattern: time }
  // Fractions are drawn from no seed, and some come as texts.
  if (typeof multipleOf === 'number' && multipleOf > 0 && !Number.isInteger(multipleOf)) {
    return { enum: multiples(schema, multipleOf) }
  }
  return undefined
}

const time = '^([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\dZ$'

const mostMultiples = 100

/** Multiples of a fraction that a schema allows, from its least or, without one, around 0. */
function multiples({ minimum, maximum }: Schema, step: number): readonly number[] {
  const [least, most] = [minimum, maximum].map(limit =>
    typeof limit === 'number' ? limit / step : undefined,
  )
  const first = Math.ceil(least ?? (most === undefined ? 0 : most - mostMultiples))
  const last = Math.min(Math.floor(most ?? Number.POSITIVE_INFINITY), first + mostMultiples - 1)
  const digits =
    /\.(\d+)/.exec(`${step}`)?.[1]?.length ?? Math.min(100, Number(/e-(\d+)/.exec(`${step}`)?.[1] ?? 0))
  return Array.from({ length: Math.max(1, last - first + 1) }, (_, index) =>
    Number(((first + index) * step).toFixed(digits)),
  )
}
