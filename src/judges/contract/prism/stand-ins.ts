import { readJson } from '../../../base/json/read.ts'
import type { JsonValue } from '../../../base/json/value.ts'

const mostExact = Number.MAX_SAFE_INTEGER
const beyondInt64 = 2 ** 64

/**
 * Prism takes an int64 for a number of at most 2^53 - 1, and reads numbers as doubles. So whatever is an int64 beyond
 * that is given to it as the largest number that it takes for one, and whatever is no int64 as one that it does not.
 */
export function standInFor(value: bigint): number {
  if (BigInt.asIntN(64, value) !== value) return value < 0n ? -beyondInt64 : beyondInt64
  if (value > mostExact) return mostExact
  return value < -mostExact ? -mostExact : Number(value)
}

/** The same in the text of a header, a parameter or a path. */
export function standInText(text: string): string {
  return text.replace(/(?<![\w.%-])-?[1-9]\d{15,39}(?![\w.%])/g, digits => `${standInFor(BigInt(digits))}`)
}

/** A JSON text as Prism is to see it. */
export function readForPrism(text: string): { readonly value: unknown } | { readonly problem: string } {
  const reading = readJson(text)
  if ('value' in reading) return { value: plain(reading.value, standInFor) }
  try {
    // Deeper than our own reader goes.
    return { value: JSON.parse(text) }
  } catch {
    return reading
  }
}

/** A copy in objects as JSON.parse makes them, with numbers in the place of bigints. */
export function plain(value: JsonValue, toNumber: (value: bigint) => number): unknown {
  if (typeof value === 'bigint') return toNumber(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(item => plain(item, toNumber))
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, plain(field, toNumber)]))
}
