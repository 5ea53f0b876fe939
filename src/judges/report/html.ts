import { reportStyle } from '../../generated/report-style.ts'
import { drawFlight } from './draw-flight.ts'
import { type Evidence, type Finding, furtherCalls, gradeOf, grades, placeOf, unjudgedId } from './finding.ts'
import type { Flight } from './flight.ts'
import { attributes, escapeMarkup, writeShape } from './markup.ts'
import {
  type Cell,
  countFindings,
  headFacts,
  marks,
  type Part,
  type Report,
  type ReportHead,
  type SectionedReport,
  type Table,
} from './report.ts'
import { countUnjudged, shownFindings } from './unjudged.ts'

/** One page without scripts or network, light or dark as the system is. */
export function writeHtml(reports: readonly SectionedReport[], failed: boolean, head?: ReportHead): string {
  const title = `pet-mock: ${reports.map(report => `${report.title}, ${summaryOf(report)}`).join('; ')}`
  const unjudged = countUnjudged(reports.flatMap(({ unjudged }) => unjudged))
  const [kind, verdict] = failed
    ? ['failed', '✕ failed']
    : unjudged === ''
      ? ['passed', '✓ passed']
      : ['unjudged', `– not judged: ${unjudged}`]
  const facts = (head === undefined ? [] : headFacts(head)).map(
    ({ name, value }) => `<div><dt>${escapeMarkup(name)}</dt><dd>${escapeMarkup(value)}</dd></div>`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeMarkup(title)}</title>
<style>${reportStyle}</style>
</head>
<body>
<header><p class="maker">pet-mock</p><p class="verdict ${kind}">${verdict}</p></header>
<main>
${head === undefined ? '' : `<dl class="head">${facts.join('')}</dl>`}
${reports.map((report, at) => section(report, `r${at + 1}`)).join('\n')}
</main>
</body>
</html>
`
}

/** Wide content scrolls by itself, and by keyboard. */
function scrollable(label: string, content: string): string {
  return `<div class="scroll" role="region" tabindex="0" aria-label="${escapeMarkup(label)}">${content}</div>`
}

function summaryOf(report: SectionedReport): string {
  return report.summary ?? countFindings(shownFindings(report))
}

function section(report: SectionedReport, id: string): string {
  const { title, facts, notes, flights, checks, tables = [], parts = [] } = report
  const findings = shownFindings(report)
  const passed = checks.filter(
    ({ id, result }) => result === 'passed' && findings.every(finding => finding.id !== id),
  )
  const open = checks.filter(({ id, result }) => result === 'unjudged' && id !== unjudgedId)
  const wrong = wrongFlights(flights, findings)
  const charts = (isWrong: boolean) =>
    flights.map((flight, at) =>
      wrong.includes(flight) === isWrong ? figure(flight, `${id}-flight-${at + 1}`, isWrong) : '',
    )
  const apart = (isFailing: boolean) =>
    parts
      .map((part, at) => (part.isFailing === isFailing ? partSection(part, `${id}-part-${at + 1}`) : ''))
      .join('')
  return `<section aria-labelledby="${id}">
<h1 id="${id}">${escapeMarkup(title)}</h1>
<p class="count">${escapeMarkup(summaryOf(report))}</p>
${notes.map(note => `<p class="note">${escapeMarkup(note)}</p>`).join('\n')}
${findings.map((finding, at) => findingArticle(finding, parts.length > 0 ? { calls: 'Situation', part: `fix ${at + 1}` } : {})).join('\n')}
${charts(true).join('\n')}${tables.map(table => tableSection(table, parts, id)).join('')}
${charts(false).join('\n')}
${facts.length === 0 ? '' : `<h2>Measurements</h2>${scrollable('Measurements', factTable(facts))}`}
${checkList('Passed checks', passed, 'passed')}
${checkList('Checks that are not judged', open, 'unjudged')}${apart(true)}${apart(false)}
</section>`
}

/** The charts of the keys that findings are about. Without one, those with a call that failed, if anything failed. */
function wrongFlights(flights: readonly Flight[], findings: readonly Finding[]): readonly Flight[] {
  const wrong = findings.filter(finding => ['error', 'warning'].includes(gradeOf(finding)))
  const titles = wrong.flatMap(({ evidence }) =>
    evidence.map(
      ({ caller, sandbox = '' }) => caller + (/^(default)?$/.test(sandbox) ? '' : ` in ${sandbox}`),
    ),
  )
  const found = flights.filter(({ title }) => titles.includes(title))
  if (found.length > 0 || wrong.length === 0) return found
  return flights.filter(({ calls }) => calls.some(({ status }) => status >= 400))
}

function tableSection(section: Table, parts: readonly Part[], id: string): string {
  const { title, about = '', heads, rows, lines } = section
  const names = heads.map(name => `<th scope="col">${escapeMarkup(name)}</th>`).join('')
  const body = rows.map(({ name, cells }) => {
    const part = parts.findIndex(one => one.name === name) + 1
    const shown =
      part > 0
        ? `<a href="#${id}-part-${part}">${escapeMarkup(name)}</a>`
        : `<code>${escapeMarkup(name)}</code>`
    return `<tr><th scope="row">${shown}</th>${cells.map((cell, at) => tableCell(cell, heads[at + 1])).join('')}</tr>`
  })
  const table = `<table class="matrix"><thead><tr>${names}</tr></thead><tbody>${body.join('\n')}</tbody></table>`
  return `
<h2>${escapeMarkup(title)}</h2>
${about === '' ? '' : `<p>${escapeMarkup(about)}</p>`}
${rows.length === 0 ? '' : scrollable(title, table)}
${lines.map(line => `<p>${escapeMarkup(line)}</p>`).join('\n')}`
}

function tableCell(cell: Cell, name: string | undefined): string {
  const kind = cell.isWrong ? 'wrong' : cell.text === '–' ? 'nothing' : undefined
  const text = cell.mark === undefined ? escapeMarkup(cell.text) : markOf(cell)
  return `<td${attributes({ 'data-name': name, class: kind })}>${text}</td>`
}

function markOf({ text, mark = 'passed' }: Cell): string {
  return `<span class="mark ${mark}">${marks[mark][0]} ${escapeMarkup(text)}</span>`
}

/** Only failures are unfolded. */
function partSection(part: Part, id: string): string {
  const { name, title, result, isFailing, findings, facts, notes, calls, flight, output } = part
  // Two findings may have the same remedy.
  const shown = findings.map((finding, at) =>
    findings.slice(0, at).some(({ remedy }) => remedy === finding.remedy)
      ? { ...finding, remedy: '' }
      : finding,
  )
  return `
<details class="situation" id="${id}"${isFailing ? ' open' : ''}>
<summary><h2><code>${escapeMarkup(name)}</code>: ${escapeMarkup(title)}</h2> ${markOf(result)}</summary>
${shown.map(finding => findingArticle(finding, { level: 3, part: name })).join('\n')}
${flight === undefined ? '' : figure({ ...flight, title: `${flight.title} in ${name}` }, `${id}-flight`)}
${factTable(facts, `<caption>Measurements in ${escapeMarkup(name)}</caption>`)}
${notes.map(note => `<p class="note">${escapeMarkup(note)}</p>`).join('\n')}
${calls.length === 0 ? '' : `<h3>Calls around the failure</h3>${evidenceTable(`the failure in ${name}`, calls, 'Call')}`}
${
  output.trim() === ''
    ? ''
    : `<h3 id="${id}-output">${escapeMarkup(`Output in ${name}`)}</h3>
<div class="output" role="region" tabindex="0" aria-labelledby="${id}-output"><pre>${escapeMarkup(output)}</pre></div>`
}
</details>`
}

function checkList(name: string, checks: Report['checks'], kind: string): string {
  if (checks.length === 0) return ''
  const items = checks.map(
    ({ id, title }) => `<li><code>${escapeMarkup(id)}</code> ${escapeMarkup(title)}</li>`,
  )
  return `<h2>${name} (${checks.length})</h2>\n<ul class="checks ${kind}">${items.join('')}</ul>`
}

/** Options: of its heading, the heading of the column of calls, and the part of the page, which distinguishes regions of one finding. */
function findingArticle(finding: Finding, { level = 2, calls = 'Call', part = '' }): string {
  const { id, title, remedy, source, evidence } = finding
  const grade = gradeOf(finding)
  const further = furtherCalls(finding)
  const table = evidenceTable(part === '' ? id : `${id} in ${part}`, evidence, calls)
  return `<article class="${grade}">
<h${level}><span class="severity">${grades[grade].heading}</span> <code>${escapeMarkup(id)}</code></h${level}>
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
function evidenceTable(id: string, evidence: readonly Evidence[], calls: string): string {
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

/** `isShown`: otherwise it is folded. */
function figure(flight: Flight, id: string, isShown = true): string {
  const label = `Calls over time: ${flight.title}`
  const omitted = flight.omitted === 0 ? '' : `; ${flight.omitted} earlier calls are not shown`
  const chart = scrollable(label, writeShape(drawFlight(flight, id)))
  const name = `${escapeMarkup(label)}${omitted}`
  return isShown
    ? `<figure><figcaption>${name}</figcaption>${chart}</figure>`
    : `<details class="chart"><summary>${name}</summary><figure>${chart}</figure></details>`
}

function factTable(facts: Report['facts'], caption = ''): string {
  const rows = facts.map(
    ({ name, value }) => `<tr><th scope="row">${escapeMarkup(name)}</th><td>${escapeMarkup(value)}</td></tr>`,
  )
  return `<table class="facts">${caption}<tbody>${rows.join('')}</tbody></table>`
}
