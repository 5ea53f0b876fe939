import { table } from '../program/table.ts'
import type { Circumstances } from './machine.ts'
import { type Claim, isNotRun, type Outcome, type Series, type Unit } from './measurement.ts'
import { bestOf, median, moreIsBetter } from './statistics.ts'

export interface Run {
  readonly circumstances: Circumstances
  readonly outcomes: readonly Outcome[]
}

/** A run as Markdown, for the terminal and for the page alike. */
export function reportText({ circumstances, outcomes }: Run): string {
  const claims = outcomes.flatMap(outcome => outcome.claims)
  const parts = [
    circumstancesText(circumstances),
    ...(claims.length > 0 ? ['### The limits', claimsText(claims)] : []),
    ...outcomes.map(outcomeText),
  ]
  return `${parts.join('\n\n')}\n`
}

function circumstancesText(run: Circumstances): string {
  const isBusy = run.busyCores > run.cores / 4
  return [
    `${run.date} UTC, commit ${run.commit}. Node ${run.node} on ${run.system}, ${run.cpu}, ${run.cores} cores, of which ${run.busyCores} were busy with other work before or after. Load by ${run.load}. Java ${run.java}. Peers: ${run.peers.join(', ') || 'none'}.`,
    'Figures are medians of rounds, with the best and the worst round. A ratio is the median of the ratios of each round; its best one compares the best rounds of both.',
    ...(isBusy
      ? [
          '**The machine had other work to do: single rounds are far off, and only ratios and CPU mean something.**',
        ]
      : []),
  ]
    .map(paragraph)
    .join('\n\n')
}

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

function reasons(series: readonly Series[]): readonly string[] {
  const lines = series.flatMap(({ who, samples }) =>
    isNotRun(samples) ? [`- NOT RUN: ${who}: ${samples.notRun}`] : [],
  )
  return lines.length === 0 ? [] : [unique(lines).join('\n')]
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)]
}

/** What pet-mock must keep, and whether it did in this run. */
export function claimsText(claims: readonly Claim[]): string {
  const rows = claims.map(claim => {
    const { what, unit, sense, bar, goal } = claim
    const limits = [bar, goal].map(limit => (limit === undefined ? '' : `${sense} ${figure(limit, unit)}`))
    return [what, figureOf({ ...claim, moreIsBetter: sense === 'at least' }), ...limits, verdict(claim)]
  })
  return table(['', 'measured', 'bar', 'goal', ''], rows)
}

function verdict({ samples, sense, bar, goal }: Claim): string {
  if (isNotRun(samples)) return ''
  const value = median(samples)
  if (Number.isNaN(value)) return ''
  const holds = (limit: number) => (sense === 'at least' ? value >= limit : value <= limit)
  if (bar !== undefined && !holds(bar)) return `MISSED by ${shortfall(value, bar)}`
  if (goal === undefined) return 'holds'
  return holds(goal) ? 'goal met' : `goal missed by ${shortfall(value, goal)}`
}

function shortfall(value: number, limit: number): string {
  return `${Math.max(1, Math.round(Math.abs(value / limit - 1) * 100))} %`
}

const digits = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 })

/** Three digits: no run on a shared machine is worth more. */
function figure(value: number, unit: Unit): string {
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

const longestLine = 140

/** A paragraph in lines of readable length. Code spans stay whole. */
function paragraph(text: string): string {
  const lines = ['']
  for (const word of text.match(/(?:`[^`]*`|\S)+/g) ?? []) {
    const longer = `${lines.at(-1)} ${word}`.trimStart()
    if (longer === word || longer.length <= longestLine) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines.join('\n')
}
