import { unjudgedId } from './finding.ts'
import { htmlPage } from './html-page.ts'
import { factTable, figure, findingArticle } from './html-parts.ts'
import { escapeMarkup } from './markup.ts'
import { countFindings, type Report } from './report.ts'
import type { ReportHead } from './report-head.ts'
import { countUnjudged, shownFindings } from './unjudged.ts'

/** One page without scripts or network, light or dark as the system is. */
export function writeHtml(reports: readonly Report[], failed: boolean, head?: ReportHead): string {
  const title = `pet-mock: ${reports.map(report => `${report.title}, ${countFindings(shownFindings(report))}`).join('; ')}`
  return htmlPage({
    title,
    failed,
    unjudged: countUnjudged(reports.flatMap(({ unjudged }) => unjudged)),
    head,
    main: reports.map((report, at) => section(report, `r${at + 1}`)).join('\n'),
  })
}

function section(report: Report, id: string): string {
  const { title, facts, notes, flights, checks } = report
  const findings = shownFindings(report)
  const passed = checks.filter(
    ({ id, result }) => result === 'passed' && findings.every(finding => finding.id !== id),
  )
  const open = checks.filter(({ id, result }) => result === 'unjudged' && id !== unjudgedId)
  const [first = '', ...others] = flights.map((flight, at) => figure(flight, `${id}-flight-${at + 1}`))
  return `<section aria-labelledby="${id}">
<h1 id="${id}">${escapeMarkup(title)}</h1>
<p class="count">${escapeMarkup(countFindings(findings))}</p>
${notes.map(note => `<p class="note">${escapeMarkup(note)}</p>`).join('\n')}
${first}
${findings.map(finding => findingArticle(finding)).join('\n')}
${others.join('\n')}
${factTable(facts)}
${checkList('Passed checks', passed, 'passed')}
${checkList('Checks that are not judged', open, 'unjudged')}
</section>`
}

function checkList(name: string, checks: Report['checks'], kind: string): string {
  if (checks.length === 0) return ''
  const items = checks.map(
    ({ id, title }) => `<li><code>${escapeMarkup(id)}</code> ${escapeMarkup(title)}</li>`,
  )
  return `<h2>${name} (${checks.length})</h2>\n<ul class="checks ${kind}">${items.join('')}</ul>`
}
