import { drawFlight } from './draw-flight.ts'
import { type Evidence, type Finding, furtherCalls, type Grade, gradeOf, placeOf } from './finding.ts'
import type { Flight } from './flight.ts'
import { scrollable } from './html-page.ts'
import { escapeMarkup } from './markup.ts'
import type { Report } from './report.ts'
import { writeShape } from './shape.ts'

const gradeNames: Readonly<Record<Grade, string>> = {
  error: 'Error',
  warning: 'Warning',
  info: 'Note',
  expected: 'Expected',
  unjudged: 'Not judged',
}

interface ArticleOptions {
  /** Of its heading. */
  readonly level?: number
  /** The heading of the column of calls. */
  readonly calls?: string
  /** The part of the page. It distinguishes regions of the same finding. */
  readonly part?: string
}

export function findingArticle(
  finding: Finding,
  { level = 2, calls = 'Call', part = '' }: ArticleOptions = {},
): string {
  const { id, title, remedy, source, evidence } = finding
  const grade = gradeOf(finding)
  const further = furtherCalls(finding)
  const table = evidenceTable(part === '' ? id : `${id} in ${part}`, evidence, calls)
  return `<article class="${grade}">
<h${level}><span class="severity">${gradeNames[grade]}</span> <code>${escapeMarkup(id)}</code></h${level}>
<p>${escapeMarkup(title)}</p>
${evidence.length === 0 ? '' : table}${further > 0 ? `<p class="further">and ${further} more</p>` : ''}
${grade === 'expected' || remedy === '' ? '' : `<p><strong>What to do:</strong> ${escapeMarkup(remedy)}</p>`}
<p class="source">Source: ${escapeMarkup(source)}</p>
</article>`
}

/** The columns of a table that are not empty. On a narrow screen, each cell has its own line with its name. */
const columns: readonly (readonly [name: string, cell: (evidence: Evidence) => string])[] = [
  ['Details', ({ detail }) => detail],
  ['Time', ({ at = '' }) => at.replace('T', ' ')],
  ['Request', placeOf],
  ['Client', ({ caller = '' }) => caller],
]

/** `id`: what the calls are of. `calls`: the name of its first column. */
export function evidenceTable(id: string, evidence: readonly Evidence[], calls: string): string {
  const used = columns.filter(([, cell]) => evidence.some(one => cell(one) !== ''))
  const names = [calls, ...used.map(([name]) => name)]
  const rows = evidence.map(one => {
    const curl = one.curl === undefined ? '' : `<pre>${escapeMarkup(one.curl)}</pre>`
    const cells = used.map(([name, cell]) => {
      const text = cell(one)
      return text === '' ? '<td></td>' : `<td data-name="${name}">${escapeMarkup(text)}</td>`
    })
    return `<tr><td><code>${escapeMarkup(one.what)}</code>${curl}</td>${cells.join('')}</tr>`
  })
  const head = `<thead><tr>${names.map(name => `<th scope="col">${name}</th>`).join('')}</tr></thead>`
  const table = `<table class="calls">${head}<tbody>${rows.join('')}</tbody></table>`
  return scrollable(`${calls}s of ${id}`, table)
}

export function figure(flight: Flight, id: string): string {
  const label = `Calls over time: ${flight.title}`
  const omitted = flight.omitted === 0 ? '' : `; ${flight.omitted} earlier calls are not shown`
  return `<figure><figcaption>${escapeMarkup(label)}${omitted}</figcaption>${scrollable(label, writeShape(drawFlight(flight, id)))}</figure>`
}

export function factTable(facts: Report['facts']): string {
  if (facts.length === 0) return ''
  const rows = facts.map(
    ({ name, value }) => `<tr><th scope="row">${escapeMarkup(name)}</th><td>${escapeMarkup(value)}</td></tr>`,
  )
  return `<h2>Measurements</h2>${scrollable('Measurements', `<table class="facts"><tbody>${rows.join('')}</tbody></table>`)}`
}
