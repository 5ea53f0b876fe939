import type { Int64 } from './value.ts'

/**
 * The one form of an integer of 64 bits. Undefined for a fraction, a value beyond −2^63…2^63−1, and a number beyond
 * 2^53, which may stand for several integers.
 */
export function toInt64(value: number | bigint): Int64 | undefined {
  // Adding 0 makes 0 of -0.
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value + 0 : undefined
  if (BigInt.asIntN(64, value) !== value) return undefined
  const near = Number(value)
  // No integer beyond 2^53 rounds to a safe one, so a safe one is exact.
  return Number.isSafeInteger(near) ? near : value
}

/** Reads a plain decimal of a path or a query: no `+`, white space, leading zero, `-0` or fraction. */
export function parseInt64(text: string): Int64 | undefined {
  if (!/^(?:0|-?[1-9][0-9]{0,18})$/.test(text)) return undefined
  const near = Number(text)
  return Number.isSafeInteger(near) ? near : toInt64(BigInt(text))
}

/** An int64 that was checked: its one form, also from digits in text, which many JSON clients send beyond 2^53. */
export function exactInt64(value: Int64 | string): Int64 {
  return parseInt64(`${value}`) ?? BigInt(value)
}

/** `n` is a whole number. Throws a RangeError beyond −2^63…2^63−1. */
export function addInt64(a: Int64, n: Int64): Int64 {
  if (typeof a === 'number' && typeof n === 'number' && Number.isSafeInteger(a + n)) return a + n
  const sum = toInt64(BigInt(a) + BigInt(n))
  if (sum === undefined) throw new RangeError(`${a} + ${n} is not an integer of 64 bits`)
  return sum
}
