import { drawFlight } from './draw-flight.ts'
import { type Finding, furtherCalls, whereabouts } from './finding.ts'
import type { Flight } from './flight.ts'
import { pageStyle } from './html-style.ts'
import { escapeMarkup } from './markup.ts'
import { countFindings, type Report } from './report.ts'

const severityNames = { error: 'Error', warning: 'Warning', info: 'Note' } as const

/** One page without scripts or network, light or dark as the system is. */
export function writeHtml(reports: readonly Report[], failed: boolean): string {
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
${passed.length === 0 ? '' : `<h2>Passed checks</h2>\n<ul class="checks">${passed.map(check => `<li><code>${escapeMarkup(check.id)}</code> ${escapeMarkup(check.title)}</li>`).join('')}</ul>`}
</section>`
}

function article(finding: Finding): string {
  const { id, severity, title, remedy, source, evidence } = finding
  const further = furtherCalls(finding)
  const rows = evidence.map(
    one =>
      `<tr><td><code>${escapeMarkup(one.what)}</code>${one.curl === undefined ? '' : `<pre>${escapeMarkup(one.curl)}</pre>`}</td><td>${escapeMarkup(one.detail)}</td><td>${escapeMarkup(whereabouts(one))}</td></tr>`,
  )
  const head =
    '<thead><tr><th scope="col">Call</th><th scope="col">Details</th><th scope="col">Where</th></tr></thead>'
  const table = scrollable(`Calls of ${id}`, `<table>${head}<tbody>${rows.join('')}</tbody></table>`)
  return `<article class="${severity}">
<h2><span class="severity">${severityNames[severity]}</span> <code>${escapeMarkup(id)}</code></h2>
<p>${escapeMarkup(title)}</p>
${rows.length === 0 ? '' : table}${further > 0 ? `<p class="further">and ${further} more</p>` : ''}
<p><strong>What to do:</strong> ${escapeMarkup(remedy)}</p>
<p class="source">Source: ${escapeMarkup(source)}</p>
</article>`
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
