import type { Outcome, Series } from '../measurement.ts'
import { isNotRun } from '../not-run.ts'
import { figureOf } from './figure.ts'
import { paragraph } from './paragraph.ts'
import { table } from './table.ts'

/** One measurement as Markdown: a row for each contestant, a column for each thing measured. */
export function outcomeText({ title, notes, series }: Outcome): string {
  const columns = unique(series.map(({ what }) => what))
  const contestants = unique(series.map(({ who }) => who))
  const rows = contestants.map(who => [
    who,
    ...columns.map(what => {
      const found = series.find(one => one.who === who && one.what === what)
      return found === undefined ? '' : figureOf(found)
    }),
  ])
  return [`### ${title}`, ...notes.map(paragraph), table(['', ...columns], rows), ...reasons(series)].join(
    '\n\n',
  )
}

/** Why what was not run was not. */
function reasons(series: readonly Series[]): readonly string[] {
  const lines = series.flatMap(({ who, samples }) =>
    isNotRun(samples) ? [`- NOT RUN: ${who}: ${samples.notRun}`] : [],
  )
  return lines.length === 0 ? [] : [unique(lines).join('\n')]
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)]
}
