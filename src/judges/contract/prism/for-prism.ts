import { toInt64 } from '../../../base/json/int64.ts'
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
    const isNames = name === 'properties'
    const fields = Object.entries(value)
      // Values from these keywords ignore the seed.
      .filter(([field]) => isData || isNames || !['x-faker', 'faker'].includes(field))
      .map(([field, inner]) => [
        field,
        copy(inner, file, field, isData || (!isNames && ['example', 'examples'].includes(field))),
      ])
    return Object.fromEntries(fields)
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
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, field]) => field !== undefined)
        .map(([name, field]) => [name, exactly(field)]),
    )
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  return typeof value === 'string' || typeof value === 'boolean' ? value : null
}
