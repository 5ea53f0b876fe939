import type { Series, Unit } from '../measurement.ts'
import { isNotRun } from '../not-run.ts'
import { bestOf, median, moreIsBetter } from '../statistics.ts'

const digits = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 })

/** Three digits: no run on a shared machine is worth more. */
export function figure(value: number, unit: Unit): string {
  if (unit === '×') return `${value.toFixed(value < 10 ? 2 : 1)} ×`
  return unit === 'packages' ? String(value) : `${digits.format(value)} ${unit}`
}

/** The median, with the best and the worst round where there is more than one sample. */
export function figureOf(series: Pick<Series, 'samples' | 'unit' | 'moreIsBetter' | 'best'>): string {
  const { samples, unit } = series
  if (isNotRun(samples)) return 'NOT RUN'
  if (samples.some(Number.isNaN)) return 'unknown'
  const middle = figure(median(samples), unit)
  if (samples.length < 2) return middle
  const worst = moreIsBetter(series) ? Math.min(...samples) : Math.max(...samples)
  const [best, last] = [bestOf(series), worst].map(value => figure(value, unit).replace(/ \S+$/, ''))
  return `${middle} (best ${best}, worst ${last})`
}
