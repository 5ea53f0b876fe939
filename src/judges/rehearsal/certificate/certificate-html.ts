import { gradeOf } from '../../report/finding.ts'
import { htmlPage, scrollable } from '../../report/html-page.ts'
import { evidenceTable, figure, findingArticle } from '../../report/html-parts.ts'
import { attributes, escapeMarkup } from '../../report/markup.ts'
import type { ReportHead } from '../../report/report-head.ts'
import { countUnjudged } from '../../report/unjudged.ts'
import type { LifetimeRow } from '../lifetime-log.ts'
import { lifetimeTable } from '../lifetime-table.ts'
import type { Reason } from '../reason.ts'
import { isFailing, type SituationVerdict } from '../verdict.ts'
import {
  formatResult,
  type Mark,
  type MatrixRow,
  markOf,
  matrixOf,
  openLists,
  verdictFacts,
} from '../verdict-texts.ts'
import type { Certificate } from './certificate.ts'
import { certificateStyle } from './certificate-style.ts'

/** One page without scripts or network: the matrix, what to fix, and every situation with its chart. */
export function writeCertificateHtml(certificate: Certificate, head?: ReportHead): string {
  const { failed, summary, remedies, situations, notes, sunset } = certificate
  const { rows, lines } = matrixOf(situations)
  return htmlPage({
    title: `pet-mock: rehearsal, ${summary}`,
    failed,
    unjudged: countUnjudged(situations.flatMap(({ unjudged }) => unjudged)),
    head,
    style: certificateStyle,
    main: `<h1>Rehearsal of a client</h1>
<p class="count">${escapeMarkup(summary)}</p>
${notes.map(note => `<p class="note">${escapeMarkup(note)}</p>`).join('\n')}
<section aria-labelledby="situations">
<h2 id="situations">Situations</h2>
${matrix(rows)}${lines
  .map(line => `\n<p>${escapeMarkup(line)}</p>`)
  .join('')}${openLists(situations).map(openList).join('')}
</section>
${sunset === null ? '' : sunsetSection(sunset)}
<section aria-labelledby="remedies">
<h2 id="remedies">What to fix</h2>
${remedies.length === 0 ? `<p>${nothingToFix(situations)}</p>` : ''}
${remedies.map((remedy, at) => findingArticle(remedy, { level: 3, calls: 'Situation', part: `fix ${at + 1}` })).join('\n')}
</section>
<section aria-labelledby="flights">
<h2 id="flights">Every situation</h2>
${situations.map(situationSection).join('\n')}
</section>`,
  })
}

function nothingToFix(situations: readonly SituationVerdict[]): string {
  return situations.every(({ unjudged }) => unjudged.length === 0)
    ? 'Nothing: the client came through every situation that it met.'
    : 'Nothing was found, but calls could not be judged.'
}

function matrix(rows: readonly MatrixRow[]): string {
  const names = ['Situation', 'Result', 'Exit code', 'Conduct', 'Recovery', 'Waste']
  const head = names.map(name => `<th scope="col">${name}</th>`).join('')
  const lines = rows.map(({ verdict, cells }, at) => {
    const link = `<a href="#s${at + 1}">${escapeMarkup(verdict.name)}</a>`
    const shown = Object.entries(cells).map(([kind, { text, isWrong }]) =>
      cell(`${kind.slice(0, 1).toUpperCase()}${kind.slice(1)}`, text, isWrong),
    )
    return `<tr><th scope="row">${link}</th><td>${resultMark(verdict)}</td>${shown.join('')}</tr>`
  })
  const caption =
    'Waste: calls refused by a limit or ban, calls before the end of a known wait, and calls beyond those of the calm run.'
  return scrollable(
    'All situations',
    `<table class="matrix"><caption>${caption}</caption><thead><tr>${head}</tr></thead><tbody>${lines.join('\n')}</tbody></table>`,
  )
}

function openList({ title, lines }: ReturnType<typeof openLists>[number]): string {
  const items = lines.map(line => `<li>${escapeMarkup(line)}</li>`)
  return `\n<p>${title}</p>\n<ul>${items.join('')}</ul>`
}

function sunsetSection(all: readonly LifetimeRow[]): string {
  const { title, heads, rows } = lifetimeTable(all)
  const head = heads.map(name => `<th scope="col">${escapeMarkup(name)}</th>`).join('')
  const lines = rows.map(({ operation, site, counts }) => {
    const cells = counts.map(({ text, isBroken }, at) => cell(heads[at + 2] ?? '', text, isBroken))
    const where = `<td data-name="Call site">${escapeMarkup(site)}</td>`
    return `<tr><th scope="row"><code>${escapeMarkup(operation)}</code></th>${where}${cells.join('')}</tr>`
  })
  const table = `<table class="matrix"><thead><tr>${head}</tr></thead><tbody>${lines.join('\n')}</tbody></table>`
  return `<section aria-labelledby="sunset">
<h2 id="sunset">Deprecated operations</h2>
<p>${escapeMarkup(title)}</p>
${rows.length === 0 ? '' : scrollable('Deprecated operations', table)}
</section>`
}

function cell(name: string, text: string, wrong: boolean): string {
  const kind = wrong ? 'wrong' : text === '–' ? 'nothing' : undefined
  return `<td${attributes({ 'data-name': name, class: kind })}>${escapeMarkup(text)}</td>`
}

const signs: Readonly<Record<Mark, string>> = {
  passed: '✓',
  unjudged: '–',
  'not-met': '○',
  allowed: '△',
  failed: '✕',
  flaky: '≈',
  known: '!',
}

function resultMark(verdict: SituationVerdict): string {
  const mark = markOf(verdict)
  return `<span class="mark ${mark}">${signs[mark]} ${escapeMarkup(formatResult(verdict))}</span>`
}

/** A situation with its reasons, measurements, chart, and the calls and the output of a run that failed. Only failures are unfolded. */
function situationSection(verdict: SituationVerdict, at: number): string {
  const { name, title, reasons, notes, flight } = verdict
  const id = `s${at + 1}`
  return `<details class="situation" id="${id}"${isFailing(verdict) ? ' open' : ''}>
<summary><h3><code>${escapeMarkup(name)}</code>: ${escapeMarkup(title)}</h3> ${resultMark(verdict)}</summary>
${reasons.map((reason, at) => findingArticle(withoutRepetition(reason, reasons.slice(0, at)), { level: 4, part: name })).join('\n')}
${factTable(verdict)}
${notes.map(note => `<p class="note">${escapeMarkup(note)}</p>`).join('\n')}
${callTable(verdict)}
${flight === null ? '' : figure({ ...flight, title: `${flight.title} in ${name}` }, `${id}-flight`)}
${output(verdict, id)}
</details>`
}

/** Two reasons may have the same remedy. */
function withoutRepetition(reason: Reason, before: readonly Reason[]): Reason {
  return before.some(({ remedy }) => remedy === reason.remedy) ? { ...reason, remedy: '' } : reason
}

function callTable({ name, callsAround }: SituationVerdict): string {
  if (callsAround.length === 0) return ''
  return `<h4>Calls around the failure</h4>${evidenceTable(`the failure in ${name}`, callsAround, 'Call')}`
}

function factTable(verdict: SituationVerdict): string {
  const { reasons, conduct, name } = verdict
  const ids = new Set(reasons.map(reason => reason.id))
  const others = conduct.filter(finding => !ids.has(finding.id))
  const allowed = others.map(finding => `${finding.id} (${gradeOf(finding)}, ${finding.count})`).join(', ')
  const facts = [
    ...verdictFacts(verdict),
    ...(allowed === '' ? [] : [{ name: 'Fails nothing', value: allowed }]),
  ]
  const rows = facts.map(
    ({ name, value }) => `<tr><th scope="row">${escapeMarkup(name)}</th><td>${escapeMarkup(value)}</td></tr>`,
  )
  return `<table class="facts"><caption>Measurements in ${escapeMarkup(name)}</caption><tbody>${rows.join('')}</tbody></table>`
}

function output({ name, output }: SituationVerdict, id: string): string {
  if (output.trim() === '') return ''
  const label = `Output in ${name}`
  return `<h4 id="${id}-output">${escapeMarkup(label)}</h4>
<div class="output" role="region" tabindex="0" aria-labelledby="${id}-output"><pre>${escapeMarkup(output)}</pre></div>`
}
