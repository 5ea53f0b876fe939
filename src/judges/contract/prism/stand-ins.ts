import { readJson } from '../../../base/json/read.ts'
import type { JsonValue } from '../../../base/json/value.ts'

const mostExact = Number.MAX_SAFE_INTEGER
const beyondInt64 = 2 ** 64

/**
 * Prism reads numbers as doubles and accepts int64s up to 2^53 - 1. An int64 beyond that is replaced by the largest number
 * that Prism accepts, a larger integer by one that Prism rejects.
 */
export function standInFor(value: bigint): number {
  if (BigInt.asIntN(64, value) !== value) return value < 0n ? -beyondInt64 : beyondInt64
  if (value > mostExact) return mostExact
  return value < -mostExact ? -mostExact : Number(value)
}

/** Replaces large integers in the text of a header, a parameter or a path. */
export function standInText(text: string): string {
  return text.replace(/(?<![\w.%-])-?[1-9]\d{15,39}(?![\w.%])/g, digits => `${standInFor(BigInt(digits))}`)
}

/** Reads a JSON text and replaces its large integers. */
export function readForPrism(text: string): { readonly value: unknown } | { readonly problem: string } {
  const reading = readJson(text)
  if ('value' in reading) return { value: withNumbers(reading.value, standInFor) }
  try {
    // Our own reader limits the depth.
    return { value: JSON.parse(text) }
  } catch {
    return reading
  }
}

/** A copy that has numbers instead of bigints. */
export function withNumbers(value: JsonValue, toNumber: (value: bigint) => number): unknown {
  if (typeof value === 'bigint') return toNumber(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(item => withNumbers(item, toNumber))
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, withNumbers(field, toNumber)]),
  )
}
