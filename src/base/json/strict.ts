import { readValue } from './read.ts'
import { type Scan, skipSpace } from './scan.ts'
import type { JsonValue } from './value.ts'

/**
 * The value of a file, or undefined, and whether it has more than `most` values. It refuses what JSON allows and files do not: a name given
 * twice, `__proto__`, and numbers of no exact value.
 */
export function readStrictJson(
  text: string,
  most: number,
): { readonly value: JsonValue | undefined; readonly hasMore: boolean } {
  const scan: Scan = { text, at: 0, problem: '', left: most }
  skipSpace(scan)
  const value = readValue(scan, 'a value', 0)
  skipSpace(scan)
  return {
    value: scan.at === text.length ? value : undefined,
    hasMore: scan.left !== undefined && scan.left < 0,
  }
}
