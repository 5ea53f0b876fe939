import { isJsonArray } from './is-object.ts'
import type { JsonValue } from './value.ts'

/** JSON without white space, as JSON.stringify writes it, with bigints as bare digits. */
export function writeJson(value: JsonValue): string {
  if (value === null) return 'null'
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number') return writeNumber(value)
  if (typeof value !== 'object') return `${value}`
  if (isJsonArray(value)) return `[${value.map(writeJson).join()}]`
  const members = Object.entries(value).map(([name, inner]) => `${JSON.stringify(name)}:${writeJson(inner)}`)
  return `{${members.join()}}`
}

/** Infinity and NaN stand for numbers beyond floats (exact-number.ts): these texts read back as the same. */
function writeNumber(value: number): string {
  if (Math.abs(value) === Infinity) return value > 0 ? '1e999' : '-1e999'
  if (Number.isNaN(value)) return '1e-999'
  return JSON.stringify(value)
}
