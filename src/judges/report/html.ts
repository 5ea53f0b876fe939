import { htmlPage } from './html-page.ts'
import { factTable, figure, findingArticle } from './html-parts.ts'
import { escapeMarkup } from './markup.ts'
import { countFindings, type Report } from './report.ts'
import type { ReportHead } from './report-head.ts'

/** One page without scripts or network, light or dark as the system is. */
export function writeHtml(reports: readonly Report[], failed: boolean, head?: ReportHead): string {
  const title = `pet-mock: ${reports.map(({ title, findings }) => `${title}, ${countFindings(findings)}`).join('; ')}`
  return htmlPage({
    title,
    failed,
    head,
    main: reports.map((report, at) => section(report, `r${at + 1}`)).join('\n'),
  })
}

function section({ title, findings, facts, notes, flights, checks }: Report, id: string): string {
  const passed = checks.filter(check => findings.every(finding => finding.id !== check.id))
  const [first = '', ...others] = flights.map((flight, at) => figure(flight, `${id}-flight-${at + 1}`))
  return `<section aria-labelledby="${id}">
<h1 id="${id}">${escapeMarkup(title)}</h1>
<p class="count">${escapeMarkup(countFindings(findings))}</p>
${notes.map(note => `<p class="note">${escapeMarkup(note)}</p>`).join('\n')}
${first}
${findings.map(finding => findingArticle(finding)).join('\n')}
${others.join('\n')}
${factTable(facts)}
${passed.length === 0 ? '' : `<h2>Passed checks (${passed.length})</h2>\n<ul class="checks">${passed.map(check => `<li><code>${escapeMarkup(check.id)}</code> ${escapeMarkup(check.title)}</li>`).join('')}</ul>`}
</section>`
}
