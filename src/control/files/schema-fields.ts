import type { z } from 'zod'
import type { Path } from './show.ts'

type Schema = z.core.$ZodType

/** The names of the fields that a schema knows at a path; `value` is the value there. */
export function fieldNames(schema: Schema, path: Path, value: unknown): readonly string[] {
  const shapes = formsAt(schema, path).flatMap(at => {
    const { def } = internals(at)
    return def.type === 'object' ? [def.shape] : []
  })
  const meant = shapes.filter(shape => fits(shape, value))
  return [...new Set((meant.length > 0 ? meant : shapes).flatMap(shape => Object.keys(shape)))]
}

/** A map or list that a schema gives as an example of what a path may hold. */
export function exampleAt(schema: Schema, path: Path): unknown {
  const examples = formsAt(schema, path).flatMap(at => (at as z.ZodType).meta()?.examples)
  return examples.find(example => typeof example === 'object')
}

/** One branch of a union, by the fields it requires and those that only other branches require. */
export interface Branch {
  readonly schema: Schema | undefined
  readonly own: readonly string[]
  readonly others: ReadonlySet<string>
}

export function branchAt(schema: Schema, path: Path, index: number): Branch {
  const options = schemasAt(schema, path).flatMap(optionsOf)
  const required = options.map(requiredNames)
  const own = required[index] ?? []
  return { schema: options[index], own, others: new Set(required.flat().filter(name => !own.includes(name))) }
}

function requiredNames(schema: Schema): readonly string[] {
  const { def } = internals(unwrap(schema))
  if (def.type !== 'object') return []
  return Object.keys(def.shape).filter(name => internals(def.shape[name] as Schema).optin !== 'optional')
}

/** Every form that a path may have: the schemas there, with unions taken apart. */
function formsAt(schema: Schema, path: Path): readonly Schema[] {
  return schemasAt(schema, path).flatMap(at => {
    const options = optionsOf(at)
    return options.length === 0 ? [at] : options.flatMap(option => formsAt(option, []))
  })
}

/** The schemas at a path: several if the path leads through a union. */
function schemasAt(wrapped: Schema, path: Path): readonly Schema[] {
  const schema = unwrap(wrapped)
  const { def } = internals(schema)
  const [next, ...rest] = path
  if (next === undefined) return [schema]
  if (def.type === 'union') return def.options.flatMap(option => schemasAt(option, path))
  if (def.type === 'array') return schemasAt(def.element, rest)
  if (def.type === 'record') return schemasAt(def.valueType, rest)
  const field = def.type === 'object' ? def.shape[next] : undefined
  return field === undefined ? [] : schemasAt(field, rest)
}

function optionsOf(schema: Schema): readonly Schema[] {
  const { def } = internals(schema)
  return def.type === 'union' ? def.options : []
}

function unwrap(schema: Schema): Schema {
  const { def } = internals(schema)
  if (def.type === 'optional' || def.type === 'nullable') return unwrap(def.innerType)
  if (def.type === 'lazy') return unwrap(def.getter())
  return def.type === 'pipe' ? unwrap(def.out) : schema
}

/** True if a value has every required field and every literal of an object's shape. */
function fits(shape: z.core.$ZodShape, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(shape).every(([name, field]) => {
    const { def, optin } = internals(field)
    const found = (value as Readonly<Record<string, unknown>>)[name]
    if (found === undefined) return optin === 'optional'
    return def.type !== 'literal' || (def.values as readonly unknown[]).includes(found)
  })
}

function internals(schema: Schema) {
  return (schema as z.core.$ZodTypes)._zod
}
