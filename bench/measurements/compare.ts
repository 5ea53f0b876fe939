import type { Claim, Series } from '../measurement.ts'
import { isNotRun } from '../not-run.ts'
import { bestOf, moreIsBetter, ratios } from '../statistics.ts'

/** The series, and behind them everybody's figure as a multiple of one contestant's. */
export function withRatios(series: readonly Series[], what: string, base: string): readonly Series[] {
  const others = series.filter(one => one.what === what && one.who !== base)
  return [
    ...series,
    ...others.map(
      (one): Series => ({
        who: one.who,
        what: `${what} : ${base}`,
        unit: '×',
        ...ratioOf(one, seriesOf(series, what, base)),
        moreIsBetter: moreIsBetter(one),
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
  claim: Pick<Claim, 'sense' | 'bar' | 'goal' | 'headline'>,
): Claim {
  const ratio = ratioOf(seriesOf(series, what, who), seriesOf(series, what, base))
  return { what: `${what}, ${who} : ${base}`, unit: '×', ...ratio, ...claim }
}

/** One of the series; one that was not run when there is none. */
export function seriesOf(series: readonly Series[], what: string, who: string): Series {
  const found = series.find(one => one.what === what && one.who === who)
  return found ?? { who, what, unit: '×', samples: { notRun: `nobody measured ${what} of ${who}` } }
}

function ratioOf(one: Series, base: Series): Pick<Series, 'samples' | 'best'> {
  if (isNotRun(one.samples)) return { samples: one.samples }
  if (isNotRun(base.samples)) return { samples: base.samples }
  return { samples: ratios(one.samples, base.samples), best: bestOf(one) / bestOf(base) }
}
