import type { Unit } from '../measurement.ts'
import { isNotRun, type NotRun } from '../not-run.ts'
import { median } from '../statistics.ts'

const digits = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 })

/** Three digits: no run on a shared machine is worth more. */
export function figure(value: number, unit: Unit): string {
  if (unit === '×') return `${value.toFixed(value < 10 ? 2 : 1)} ×`
  return unit === 'packages' ? String(value) : `${digits.format(value)} ${unit}`
}

/** The median, with the least and the greatest where there is more than one sample. */
export function figureOf(samples: readonly number[] | NotRun, unit: Unit): string {
  if (isNotRun(samples)) return 'NOT RUN'
  if (samples.some(Number.isNaN)) return 'unknown'
  const middle = figure(median(samples), unit)
  if (samples.length < 2) return middle
  const least = figure(Math.min(...samples), unit).replace(/ \S+$/, '')
  const greatest = figure(Math.max(...samples), unit).replace(/ \S+$/, '')
  return `${middle} (${least}–${greatest})`
}
