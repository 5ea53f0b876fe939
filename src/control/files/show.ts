import { suggest } from '../../base/text/did-you-mean.ts'
import { clip, quote } from '../../service/call/echo.ts'

/** The names and indexes that lead to a value. */
export type Path = readonly (string | number)[]

/** A path as a file's author writes it: `pets.add[0].name`, `keys["my key"].plan`. */
export function showPath(path: Path): string {
  let shown = ''
  for (const part of path) {
    if (typeof part === 'number') shown += `[${part}]`
    else if (part.length > 100) shown += `[${showValue(part)}]`
    else if (!/^[\w.~$+/=-]+$/.test(part)) shown += `[${JSON.stringify(part)}]`
    else shown += shown === '' ? part : `.${part}`
  }
  return shown
}

export function showValue(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  if (typeof value === 'string') return quote(value, 40)
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  if (typeof value === 'object') return Object.keys(value).length === 0 ? 'an empty map' : 'a map'
  return clip(`${value}`, 40)
}

/** A value as YAML on one line: `{ count: 100, gone: [13] }`. */
export function showFlow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(showFlow).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    return `{ ${Object.entries(value)
      .map(([name, field]) => `${name}: ${showFlow(field)}`)
      .join(', ')} }`
  }
  return typeof value === 'string' && !/^[A-Za-z0-9][\w.:-]*$/.test(value)
    ? JSON.stringify(value)
    : `${value}`
}

/** Puts the path before a message: `clock.at: expected …`. The whole file has no path. */
export function about(path: Path, message: string): string {
  return path.length === 0 ? message : `${showPath(path)}: ${message}`
}

export function unknownName(kind: string, name: string, known: readonly string[]): string {
  return `unknown ${kind} ${showValue(name)}${suggest(name, known) || `; known are ${known.join(', ')}`}`
}
