import { type Claim, isNotRun, type NotRun, notRun, type Series } from './measurement.ts'

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
  claim: Pick<Claim, 'sense' | 'bar' | 'goal'>,
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

/**
 * Measures everybody once a round, so that what disturbs the machine disturbs all alike. Each round begins with another
 * one: nobody is always the one after the heaviest. Who fails once is out, with the reason.
 */
export async function interleave<Name extends string, Contestant, Sample>(
  contestants: Readonly<Record<Name, Contestant | NotRun>>,
  rounds: number,
  measure: (contestant: Contestant, name: Name) => Promise<Sample>,
): Promise<Readonly<Record<Name, readonly Sample[] | NotRun>>> {
  const names = Object.keys(contestants) as Name[]
  const samples = Object.fromEntries(names.map(name => [name, []])) as unknown as Record<Name, Sample[]>
  const out = new Map<Name, NotRun>()
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < names.length; turn += 1) {
      const name = names[(round + turn) % names.length]
      if (name === undefined || out.has(name)) continue
      const contestant = contestants[name]
      try {
        if (isNotRun(contestant)) out.set(name, contestant)
        else samples[name].push(await measure(contestant as Contestant, name))
      } catch (error) {
        out.set(name, notRun(error))
      }
    }
  }
  const results = names.map(name => [name, out.get(name) ?? samples[name]] as const)
  return Object.fromEntries(results) as Record<Name, readonly Sample[] | NotRun>
}
