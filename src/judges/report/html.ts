import { drawFlight } from './draw-flight.ts'
import { type Evidence, type Finding, furtherCalls, gradeOf, placeOf } from './finding.ts'
import type { Flight } from './flight.ts'
import { pageStyle } from './html-style.ts'
import { escapeMarkup } from './markup.ts'
import { countFindings, type Report } from './report.ts'
import { headFacts, type ReportHead } from './report-head.ts'

const gradeNames = { error: 'Error', warning: 'Warning', info: 'Note', expected: 'Expected' } as const

/** One page without scripts or network, light or dark as the system is. */
export function writeHtml(reports: readonly Report[], failed: boolean, head?: ReportHead): string {
  const title = `pet-mock: ${reports.map(({ title, findings }) => `${title}, ${countFindings(findings)}`).join('; ')}`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeMarkup(title)}</title>
<style>${pageStyle}</style>
</head>
<body>
<header><p class="maker">pet-mock</p><p class="verdict ${failed ? 'failed' : 'passed'}">${failed ? '✕ failed' : '✓ passed'}</p></header>
<main>
${head === undefined ? '' : headList(head)}
${reports.map((report, at) => section(report, `r${at + 1}`)).join('\n')}
</main>
</body>
</html>
`
}

function section({ title, findings, facts, notes, flights, checks }: Report, id: string): string {
  const passed = checks.filter(check => findings.every(finding => finding.id !== check.id))
  const [first = '', ...others] = flights.map((flight, at) => figure(flight, `${id}-flight-${at + 1}`))
  return `<section aria-labelledby="${id}">
<h1 id="${id}">${escapeMarkup(title)}</h1>
<p class="count">${escapeMarkup(countFindings(findings))}</p>
${notes.map(note => `<p class="note">${escapeMarkup(note)}</p>`).join('\n')}
${first}
${findings.map(article).join('\n')}
${others.join('\n')}
${factTable(facts)}
${passed.length === 0 ? '' : `<h2>Passed checks (${passed.length})</h2>\n<ul class="checks">${passed.map(check => `<li><code>${escapeMarkup(check.id)}</code> ${escapeMarkup(check.title)}</li>`).join('')}</ul>`}
</section>`
}

function article(finding: Finding): string {
  const { id, title, remedy, source, evidence } = finding
  const grade = gradeOf(finding)
  const further = furtherCalls(finding)
  const table = evidenceTable(id, evidence)
  return `<article class="${grade}">
<h2><span class="severity">${gradeNames[grade]}</span> <code>${escapeMarkup(id)}</code></h2>
<p>${escapeMarkup(title)}</p>
${evidence.length === 0 ? '' : table}${further > 0 ? `<p class="further">and ${further} more</p>` : ''}
${grade === 'expected' ? '' : `<p><strong>What to do:</strong> ${escapeMarkup(remedy)}</p>`}
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

function evidenceTable(id: string, evidence: readonly Evidence[]): string {
  const used = columns.filter(([, cell]) => evidence.some(one => cell(one) !== ''))
  const names = ['Call', ...used.map(([name]) => name)]
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
  return scrollable(`Calls of ${id}`, table)
}

function headList(head: ReportHead): string {
  const facts = headFacts(head).map(
    ({ name, value }) => `<div><dt>${escapeMarkup(name)}</dt><dd>${escapeMarkup(value)}</dd></div>`,
  )
  return `<dl class="head">${facts.join('')}</dl>`
}

function figure(flight: Flight, id: string): string {
  const label = `Calls over time: ${flight.title}`
  const omitted = flight.omitted === 0 ? '' : `; ${flight.omitted} earlier calls are not shown`
  return `<figure><figcaption>${escapeMarkup(label)}${omitted}</figcaption>${scrollable(label, drawFlight(flight, id))}</figure>`
}

function factTable(facts: Report['facts']): string {
  if (facts.length === 0) return ''
  const rows = facts.map(
    ({ name, value }) => `<tr><th scope="row">${escapeMarkup(name)}</th><td>${escapeMarkup(value)}</td></tr>`,
  )
  return `<h2>Measurements</h2>${scrollable('Measurements', `<table class="facts"><tbody>${rows.join('')}</tbody></table>`)}`
}

/** Wide content scrolls by itself, and by keyboard. */
function scrollable(label: string, content: string): string {
  return `<div class="scroll" role="region" tabindex="0" aria-label="${escapeMarkup(label)}">${content}</div>`
}
