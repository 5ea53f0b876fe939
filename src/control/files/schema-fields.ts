import type { z } from 'zod'
import type { Path } from './show.ts'

type Schema = z.core.$ZodType

/** The names of the fields that a schema knows at a path, for "did you mean"; `value` is what stands there. */
export function fieldNames(schema: Schema, path: Path, value: unknown): readonly string[] {
  const shapes = schemasAt(schema, path).flatMap(at => {
    const { def } = internals(at)
    return def.type === 'object' ? [def.shape] : []
  })
  const meant = shapes.filter(shape => fits(shape, value))
  return [...new Set((meant.length > 0 ? meant : shapes).flatMap(shape => Object.keys(shape)))]
}

/** What may stand at a path, where the schema gives an example of it. */
export function exampleAt(schema: Schema, path: Path): unknown {
  const examples = schemasAt(schema, path).flatMap(at => (at as z.ZodType).meta()?.examples)
  return examples.find(example => typeof example === 'object')
}

/** A branch of the union that stands at a path. */
export function branchAt(schema: Schema, path: Path, index: number): Schema | undefined {
  return optionsAt(schema, path)[index]
}

/** What a branch of a union must have, and what only others must have. */
export interface BranchNames {
  readonly own: readonly string[]
  readonly others: ReadonlySet<string>
}

/** Of a branch of the union that stands at a path. */
export function branchNames(schema: Schema, path: Path, index: number): BranchNames {
  const required = optionsAt(schema, path).map(requiredNames)
  const own = required[index] ?? []
  return { own, others: new Set(required.flat().filter(name => !own.includes(name))) }
}

function requiredNames(schema: Schema): readonly string[] {
  const { def } = internals(innerOf(schema) ?? schema)
  if (def.type !== 'object') return []
  return Object.keys(def.shape).filter(name => internals(def.shape[name] as Schema).optin !== 'optional')
}

function optionsAt(schema: Schema, path: Path): readonly Schema[] {
  const { def } = internals(schema)
  const inner = innerOf(schema)
  if (inner !== undefined) return optionsAt(inner, path)
  if (def.type === 'union' && path.length === 0) return def.options
  return stepInto(schema, path).flatMap(([next, rest]) => optionsAt(next, rest))
}

/** The schemas that may stand at a path, none of them a union: several, where one stands on the way. */
function schemasAt(schema: Schema, path: Path): readonly Schema[] {
  const { def } = internals(schema)
  const inner = innerOf(schema)
  if (inner !== undefined) return schemasAt(inner, path)
  if (def.type === 'union') return def.options.flatMap(option => schemasAt(option, path))
  if (path.length === 0) return [schema]
  return stepInto(schema, path).flatMap(([next, rest]) => schemasAt(next, rest))
}

/** The schema behind one that only wraps it. */
function innerOf(schema: Schema): Schema | undefined {
  const { def } = internals(schema)
  if (def.type === 'optional' || def.type === 'nullable') return def.innerType
  if (def.type === 'lazy') return def.getter()
  return def.type === 'pipe' ? def.out : undefined
}

function stepInto(schema: Schema, path: Path): readonly (readonly [Schema, Path])[] {
  const { def } = internals(schema)
  const [next, ...rest] = path
  if (next === undefined) return []
  if (def.type === 'union') return def.options.map(option => [option, path] as const)
  if (def.type === 'array') return [[def.element, rest]]
  if (def.type === 'record') return [[def.valueType, rest]]
  const field = def.type === 'object' ? def.shape[next] : undefined
  return field === undefined ? [] : [[field, rest]]
}

/** Whether a value has what an object of this shape must have: so the shapes of a union are told apart. */
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
