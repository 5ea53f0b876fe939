/** The expected index of `value` among `count` evenly spaced values from `first` to `last`. */
export function evenly(value: number, first: number, last: number, count: number): number {
  if (value <= first || count < 2) return 0
  return value >= last ? count - 1 : Math.floor(((value - first) / (last - first)) * (count - 1))
}

/**
 * How many of an ascending list are not above `value`: a search in growing steps around a guess, then by bisection. Ids
 * lie evenly, so it mostly takes two or three looks: among a million, each look may be a cache miss.
 */
export function countUpTo(
  value: number,
  count: number,
  at: (index: number) => number,
  guess: number,
): number {
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
