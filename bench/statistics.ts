/** The middle one, or the mean of the middle two. NaN of none. */
export function median(samples: readonly number[]): number {
  const sorted = [...samples].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/**
 * Round by round, one by the other. What disturbs the machine disturbs the neighbours in a round alike, so the median
 * of these is steadier than the ratio of two medians.
 */
export function ratios(samples: readonly number[], base: readonly number[]): readonly number[] {
  return samples.slice(0, base.length).map((sample, round) => sample / (base[round] ?? Number.NaN))
}
