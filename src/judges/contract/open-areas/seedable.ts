import { isObject } from '../../../base/json/is-object.ts'

type Schema = Readonly<Record<string, unknown>>

/**
 * Rewrites the schemas of an operation for json-schema-faker: a schema with an example allows only that example, objects
 * allow only their own properties, and every generated value depends on the seed.
 */
export function seedable<T>(value: T, areNames = false): T {
  if (Array.isArray(value)) return value.map(item => seedable(item)) as T
  if (!isObject(value)) return value
  // The names under `properties` are not keywords.
  const inner = Object.entries(value).map(([name, field]) => [
    name,
    seedable(field, !areNames && name === 'properties'),
  ])
  if (areNames) return Object.fromEntries(inner) as T
  // Otherwise json-schema-faker adds properties with random names.
  const closed = isObject(value.properties) ? [['additionalProperties', false]] : []
  return (pinned(value) ?? Object.fromEntries([...closed, ...inner])) as T
}

/** The schema that replaces a whole schema. */
function pinned(schema: Schema): Schema | undefined {
  const { examples, type, format, multipleOf } = schema
  const isSchema = 'type' in schema || 'properties' in schema || 'enum' in schema
  if (isSchema && Array.isArray(examples) && examples.length > 0) return { enum: [examples[0]] }
  // The generated time would depend on the time zone.
  if (format === 'time' && typeof type === 'string') return { type, pattern: time }
  // Fractions ignore the seed, and some become texts.
  if (typeof multipleOf === 'number' && multipleOf > 0 && !Number.isInteger(multipleOf)) {
    return { enum: multiples(schema, multipleOf) }
  }
  return undefined
}

const time = '^([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\dZ$'

const mostMultiples = 100

/** Multiples of a fraction that a schema allows, from its minimum or, without one, from 0. */
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
