import { toInt64 } from '../../../base/json/int64.ts'
import type { JsonValue } from '../../../base/json/value.ts'
import type { ContractFile } from '../description/contract-file.ts'
import { fileOf } from '../description/description-node.ts'

/** Where the other files of a description stand in the one that Prism gets. */
const others = 'x-files'

/**
 * A description as Prism is to read it: all its files in one, as objects that may be changed. An int64 of an example
 * beyond 2^53 is a text there that `exactly` makes a number of again; beyond that, numbers are doubles to Prism.
 */
export function forPrism({ root, files }: ContractFile): object {
  const names = [...files.keys()]
  const inOne = (ref: string, file: string): string => {
    const [name = '', fragment = ''] = ref.split('#')
    const target = name === '' ? file : fileOf({ ...root.document, file }, name)
    return target === root.document.file ? `#${fragment}` : `#/${others}/${names.indexOf(target)}${fragment}`
  }
  const copy = (value: JsonValue, file: string, name: string, isData: boolean): unknown => {
    if (typeof value === 'bigint') return isData ? `${mark}${value}` : Number(value)
    if (name === '$ref' && typeof value === 'string' && !isData) return inOne(value, file)
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map(item => copy(item, file, '', isData))
    return Object.fromEntries(
      Object.entries(value)
        // What faker draws for them is from no seed.
        .filter(([field]) => isData || name === 'properties' || (field !== 'x-faker' && field !== 'faker'))
        .map(([field, inner]) => [
          field,
          copy(inner, file, field, isData || (name !== 'properties' && isExample(field))),
        ]),
    )
  }
  const [whole, ...rest] = [root.document, ...names.flatMap(name => files.get(name) ?? [])].map(document =>
    copy(document.value, document.file, '', false),
  )
  return files.size === 1 ? Object(whole) : { ...Object(whole), [others]: Object.fromEntries(rest.entries()) }
}

/** In a schema `examples` is a list, elsewhere a map of examples, whose `value` is one. */
function isExample(field: string): boolean {
  return field === 'example' || field === 'examples'
}

const mark = '\u0001int64:'

/** A value that Prism gave, with the int64s that it could not hold. */
export function exactly(value: unknown): JsonValue {
  if (typeof value === 'string' && value.startsWith(mark))
    return toInt64(BigInt(value.slice(mark.length))) ?? value
  if (Array.isArray(value)) return value.map(exactly)
  if (typeof value !== 'object' || value === null) return isJson(value) ? value : null
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, field]) => field !== undefined)
      .map(([name, field]) => [name, exactly(field)]),
  )
}

function isJson(value: unknown): value is string | number | boolean | null {
  return value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value)
}
