import type { Int64 } from '../../base/json/value.ts'

/** The expected index of `value` among `count` evenly spaced values from `first` to `last`. */
export function evenly(value: Int64, first: Int64, last: Int64, count: number): number {
  if (value <= first || count < 2) return 0
  if (value >= last) return count - 1
  const share = (Number(value) - Number(first)) / (Number(last) - Number(first))
  // Beyond 2^53, different values can be the same number.
  return Math.floor(share * (count - 1)) || 0
}

/**
 * How many of an ascending list are not above `value`: a search in growing steps around a guess, then by bisection. Ids
 * lie evenly, so it mostly takes two or three looks: among a million, each look may be a cache miss.
 */
export function countUpTo(value: Int64, count: number, at: (index: number) => Int64, guess: number): number {
  let low = guess
  for (let step = 1; low > 0 && at(low) > value; step *= 2) low = Math.max(0, low - step)
  let high = Math.min(count, guess + 1)
  for (let step = 1; high < count && at(high) <= value; step *= 2) high = Math.min(count, high + step)
  while (low < high) {
    const middle = (low + high) >>> 1
    if (at(middle) <= value) low = middle + 1
    else high = middle
  }
  return low
}
