/** The gaps of one series between a failed call and its repetition, in milliseconds: the first and no more. */
export const mostGaps = 16

/** Fewer gaps prove nothing: some clients make three retries without a wait. */
const gapsJudged = 4

/** Shorter gaps are no wait at all, and their differences are chance: milliseconds. */
const leastGap = 10

/** From eight gaps on, four in five of at most this length in milliseconds are no backoff. The others are chance. */
const shortGaps = 8
const shortGap = 150
const shortPart = 0.8

/** A later half that is longer by this factor is a backoff, if it is a wait: milliseconds. */
const growth = 1.75
const leastGrown = 100

/**
 * How alike that many gaps must be (standard deviation by mean) to be a steady pace, from four on. Waits with jitter differ
 * more: of clients that draw each wait at random, less than one in a hundred has so even a series.
 */
const evenness = [0.08, 0.09, 0.11, 0.13, 0.16, 0.2, 0.27] as const

export type Trend = 'growing' | 'steady' | 'unclear'

/** The trend of a whole series, because with jitter or a cap a wait may be shorter than the one before. */
export function trendOf(gaps: readonly number[]): Trend {
  const { length } = gaps
  if (length < gapsJudged) return 'unclear'
  const waits = gaps.map(gap => Math.max(gap, leastGap))
  const half = Math.floor(length / 2)
  const later = mean(waits.slice(-half))
  if (later >= leastGrown && later >= growth * mean(waits.slice(0, half))) return 'growing'
  const short = gaps.filter(gap => gap <= shortGap)
  if (length >= shortGaps && short.length >= shortPart * length) return 'steady'
  const middle = mean(waits)
  const deviation = Math.sqrt(mean(waits.map(wait => (wait - middle) ** 2)))
  const allowed = evenness[length - gapsJudged] ?? evenness[evenness.length - 1] ?? 0
  return deviation < allowed * middle ? 'steady' : 'unclear'
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
