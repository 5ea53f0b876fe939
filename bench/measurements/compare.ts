import type { Claim, Series } from '../measurement.ts'
import { isNotRun, type NotRun } from '../not-run.ts'
import { ratios } from '../statistics.ts'

/** The series, and behind them everybody's figure as a multiple of one contestant's. */
export function withRatios(series: readonly Series[], what: string, base: string): readonly Series[] {
  const others = series.filter(one => one.what === what && one.who !== base)
  return [
    ...series,
    ...others.map(
      ({ who }): Series => ({
        who,
        what: `${what} : ${base}`,
        unit: '×',
        samples: ratiosOf(samplesOf(series, what, who), samplesOf(series, what, base)),
      }),
    ),
  ]
}

/** What is claimed of one contestant's figure, as a multiple of another's. */
export function compare(
  series: readonly Series[],
  what: string,
  who: string,
  base: string,
  claim: Pick<Claim, 'sense' | 'bar' | 'goal'>,
): Claim {
  return {
    what: `${what}, ${who} : ${base}`,
    unit: '×',
    samples: ratiosOf(samplesOf(series, what, who), samplesOf(series, what, base)),
    ...claim,
  }
}

export function samplesOf(series: readonly Series[], what: string, who: string): readonly number[] | NotRun {
  const found = series.find(one => one.what === what && one.who === who)
  return found?.samples ?? { notRun: `nobody measured ${what} of ${who}` }
}

function ratiosOf(
  samples: readonly number[] | NotRun,
  base: readonly number[] | NotRun,
): readonly number[] | NotRun {
  if (isNotRun(samples)) return samples
  return isNotRun(base) ? base : ratios(samples, base)
}
