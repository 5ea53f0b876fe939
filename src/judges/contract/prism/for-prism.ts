import { toInt64 } from '../../../base/json/int64.ts'
import { refOf, resolveRef } from '../../../base/json/pointer.ts'
import type { JsonValue } from '../../../base/json/value.ts'
import { type DescriptionNode, fileOf } from '../description/description-node.ts'

/** The field of the root file that holds the other files. */
const others = 'x-files'

/**
 * All files of a description as one object that Prism may change. In examples, an int64 beyond 2^53 becomes a marked
 * text, which `exactly` turns back into a number. Elsewhere Prism gets doubles.
 */
export function forPrism({ document: { file: rootFile }, files }: DescriptionNode): object {
  const names = [...files.keys()]
  const localRef = (ref: string, file: string): string => {
    const [name = '', fragment = ''] = ref.split('#')
    const target = name === '' ? file : fileOf(file, name)
    return target === rootFile ? `#${fragment}` : `#/${others}/${names.indexOf(target)}${fragment}`
  }
  const copy = (value: JsonValue, file: string, name: string, isData: boolean): unknown => {
    if (typeof value === 'bigint') return isData ? `${mark}${value}` : Number(value)
    if (name === '$ref' && typeof value === 'string' && !isData) return localRef(value, file)
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map(item => copy(item, file, '', isData))
    // GitHub's file names a whole example as the value of another one.
    const ref = isData && name === 'value' && refOf(value)
    if (ref && /^#\/components\/examples\/[^/]+$/.test(ref)) return { $ref: `${ref}/value` }
    const isNames = name === 'properties'
    const fields = Object.entries(value)
      // Values from these keywords ignore the seed.
      .filter(([field]) => isData || isNames || !['x-faker', 'faker'].includes(field))
      .map(([field, inner]) => [
        field,
        copy(inner, file, field, isData || (!isNames && ['example', 'examples'].includes(field))),
      ])
    const { nullable, ...rest } = Object.fromEntries(fields)
    // Prism does not judge a schema with `nullable` and without `type`.
    if (isData || isNames || nullable === undefined || 'type' in rest) return Object.fromEntries(fields)
    return nullable === true ? { anyOf: [rest, { enum: [null] }] } : rest
  }
  const copies = Array.from(files.values(), ({ file, value }) => copy(value, file, '', false))
  return { ...Object(copies[0]), ...(copies.length > 1 && { [others]: { ...copies } }) }
}

const mark = '\u0001int64:'

/** A value from Prism as JSON, with the marked int64s as numbers. */
export function exactly(value: unknown): JsonValue {
  if (typeof value === 'string' && value.startsWith(mark))
    return toInt64(BigInt(value.slice(mark.length))) ?? value
  if (Array.isArray(value)) return value.map(exactly)
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).filter(([, field]) => field !== undefined)
    return Object.fromEntries(fields.map(([name, field]) => [name, exactly(field)]))
  }
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  return typeof value === 'string' || typeof value === 'boolean' ? value : null
}

/** GitHub's own file of 13 MB has 2 million. */
const mostExpanded = 5_000_000

/** Why Prism would take too much memory for a document; undefined if it would not. */
export function explainExpansion(document: object): string | undefined {
  if (countExpanded(document, mostExpanded) <= mostExpanded) return undefined
  return 'the references expand to more than 5,000,000 values: let fewer schemas refer to each other, or leave out operations that you do not call'
}

/**
 * How many values a document has once each reference is replaced by its target, as Prism does; at most one more than
 * `most`. Schemas that refer to each other in many ways have billions, and Prism would never end.
 */
export function countExpanded(document: object, most: number): number {
  const targets = new Map<string, unknown>()
  const open = new Set<unknown>()
  const targetOf = (ref: string): unknown => {
    if (!targets.has(ref)) targets.set(ref, resolveRef(document, ref))
    return targets.get(ref)
  }
  let count = 0
  const visit = (value: unknown): void => {
    count += 1
    if (count > most || typeof value !== 'object' || value === null) return
    // Where a circle closes, Prism keeps the reference.
    if (open.has(value)) return
    open.add(value)
    const ref = refOf(value)
    if (ref !== undefined) visit(targetOf(ref))
    else for (const inner of Object.values(value)) if (count <= most) visit(inner)
    open.delete(value)
  }
  visit(document)
  return count
}
