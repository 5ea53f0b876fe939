import fc from 'fast-check'
import { oneOf, textOf, words } from './any-request.ts'

/** A JSON Schema, as far as descriptions of pet-mock use it. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly examples?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly propertyNames?: Schema
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly pattern?: string
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}

/** How deep schemas that contain themselves are followed. */
const mostDepth = 6
/** How deep references are followed: a scenario may hold another one. */
const mostRefDepth = 1

/** Texts, numbers and structures that readers trip over. */
export const hostile: fc.Arbitrary<unknown> = fc.oneof(
  oneOf<unknown>(
    null,
    true,
    false,
    0,
    -0,
    -1,
    1.5,
    1e308,
    2 ** 53,
    -(2 ** 63),
    '',
    ' ',
    [],
    {},
    [[]],
    '\u0000',
    '\ud800',
  ),
  oneOf<unknown>(
    ...'__proto__ constructor toString 1e999 -0 * + % / .. \u202e a\nb'.split(' '),
    '9'.repeat(400),
  ),
  words(`1s -1s 1e9d ${'9'.repeat(16)}d 2026-01-01 +275760-09-13T00:00:00Z 0000-01-01T00:00:00Z`),
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(40, 63, 64, 65, 200).map(depth => nest(depth)),
)

function nest(depth: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

/** Values of a schema; a share of the parts of each is replaced by hostile ones. */
export function valuesOf(schema: Schema, schemas: Readonly<Record<string, Schema>>): fc.Arbitrary<unknown> {
  const known = new Map<string, fc.Arbitrary<unknown>>()
  // Large patterns take megabytes, and many fields share one.
  const patterns = new Map<string, fc.Arbitrary<string>>()
  const textsOf = (pattern: string) => {
    const texts = patterns.get(pattern) ?? matching(pattern)
    patterns.set(pattern, texts)
    return texts
  }
  const scalarOf = (schema: Schema, type: string | undefined): fc.Arbitrary<unknown> => {
    if (type !== 'string') return plainOf(schema, type)
    return schema.pattern === undefined ? fc.string({ maxLength: 12 }) : textsOf(schema.pattern)
  }
  const of = (schema: Schema, depth: number): fc.Arbitrary<unknown> => {
    if (depth > mostDepth) return hostile
    // Descriptions repeat whole parts, and each takes memory.
    const text = JSON.stringify(schema)
    const id = text.includes('"$ref"') ? `${depth} ${text}` : text
    const made = known.get(id) ?? spoilt(schema, depth)
    known.set(id, made)
    return made
  }
  const spoilt = (schema: Schema, depth: number): fc.Arbitrary<unknown> => {
    const good = goodOf(schema, depth)
    const examples = schema.examples ?? []
    const either =
      examples.length === 0 ? good : fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...examples) }, good)
    return fc.oneof({ weight: 24, arbitrary: either }, { weight: 1, arbitrary: hostile })
  }
  const goodOf = (schema: Schema, depth: number): fc.Arbitrary<unknown> => {
    if (schema.$ref !== undefined)
      return depth > mostRefDepth
        ? hostile
        : of(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, depth + 1)
    const choices = schema.anyOf ?? schema.oneOf
    if (choices !== undefined)
      return fc.oneof(...choices.map(choice => of({ ...withoutChoices(schema), ...choice }, depth)))
    if (schema.const !== undefined) return fc.constant(schema.const)
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
    const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0]
    if (type === 'object' || schema.properties !== undefined) return objectOf(schema, depth)
    if (type === 'array') return arrayOf(schema, depth)
    return scalarOf(schema, type)
  }
  const objectOf = (
    { properties = {}, required = [], additionalProperties, propertyNames }: Schema,
    depth: number,
  ) => {
    const fields = Object.entries(properties).map(([name, field]) => [name, of(field, depth + 1)] as const)
    const own = fc.record(Object.fromEntries(fields), { requiredKeys: [...required] })
    if (typeof additionalProperties !== 'object') return own
    const names = scalarOf(propertyNames ?? {}, 'string').map(String)
    const more = fc.dictionary(names, of(additionalProperties, depth + 1), { maxKeys: 3 })
    return fc.tuple(own, more).map(([one, other]) => ({ ...one, ...other }))
  }
  const arrayOf = ({ items = {}, minItems = 0, maxItems = minItems + 3 }: Schema, depth: number) => {
    const maxLength = Math.min(maxItems, minItems + 3)
    return fc.array(of(items, depth + 1), { minLength: minItems, maxLength })
  }
  return of(schema, 0)
}

function withoutChoices({ anyOf, oneOf, ...schema }: Schema): Schema {
  return schema
}

function plainOf({ minimum = -10, maximum = 1e6 }: Schema, type: string | undefined): fc.Arbitrary<unknown> {
  if (type === 'boolean') return fc.boolean()
  if (type === 'integer') return fc.oneof(fc.integer(limits(minimum, maximum)), oneOf(minimum, maximum))
  if (type === 'number') return fc.double({ min: minimum, max: maximum, noNaN: true })
  if (type === 'null') return fc.constant(null)
  return hostile
}

function limits(minimum: number, maximum: number) {
  const [min, max] = [Math.ceil(Math.max(minimum, -(2 ** 31))), Math.floor(Math.min(maximum, 2 ** 31 - 1))]
  return min <= max ? { min, max } : { min: 0, max: 0 }
}

/** Durations and instants: the patterns of both are so large that fast-check takes seconds to build them. */
const times = words('30s 1h30m 0s 1.5ms 100d 2026-03-02 2026-03-02T09:00:00Z 2030-12-06T09:00:00+01:00')
const largePattern = 150

/** Latin, Chinese and Arabic letters, an emoji, and a character that turns the direction of text. */
const unit = fc.oneof(
  { weight: 4, arbitrary: textOf(0x20, 0x7e).map(text => text[0] ?? 'a') },
  oneOf('é', 'ß', '犬', 'ع', '🐶', '\u202e', '\u00a0', '\n'),
)
const anyText = fc.string({ unit, maxLength: 12 })

/** fast-check builds texts of most patterns. For a class of Unicode it lists all its characters, which takes seconds. */
function matching(pattern: string): fc.Arbitrary<string> {
  if (pattern.length > largePattern) return times
  const isMatch = new RegExp(pattern, 'u')
  if (/\\[pP]\{/.test(pattern)) return anyText.filter(text => isMatch.test(text))
  try {
    return fc.stringMatching(isMatch)
  } catch {
    return anyText
  }
}
