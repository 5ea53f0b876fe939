import type { Series } from './measurement.ts'
import { isNotRun } from './not-run.ts'

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

export function moreIsBetter(series: Pick<Series, 'unit' | 'moreIsBetter'>): boolean {
  return series.moreIsBetter ?? series.unit === 'calls/s'
}

/** The best round. What else runs on the machine disturbs it least. NaN of none. */
export function bestOf(series: Pick<Series, 'samples' | 'unit' | 'moreIsBetter' | 'best'>): number {
  const { samples, best } = series
  if (best !== undefined) return best
  if (isNotRun(samples) || samples.length === 0) return Number.NaN
  return moreIsBetter(series) ? Math.max(...samples) : Math.min(...samples)
}
