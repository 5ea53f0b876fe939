import { gradeOf } from '../../report/finding.ts'
import { evidenceTable, figure, findingArticle } from '../../report/html-parts.ts'
import { escapeMarkup } from '../../report/markup.ts'
import type { Reason } from '../reason.ts'
import { isFailing, type SituationVerdict } from '../verdict.ts'
import { formatResult, type Mark, markOf, verdictFacts } from '../verdict-texts.ts'

const signs: Readonly<Record<Mark, string>> = {
  passed: '✓',
  unjudged: '–',
  'not-met': '○',
  allowed: '△',
  failed: '✕',
  flaky: '≈',
  known: '!',
}

export function resultMark(verdict: SituationVerdict): string {
  const mark = markOf(verdict)
  return `<span class="mark ${mark}">${signs[mark]} ${escapeMarkup(formatResult(verdict))}</span>`
}

/** A situation with its reasons, measurements, chart, and the calls and the output of a run that failed. Only failures are unfolded. */
export function situationSection(verdict: SituationVerdict, at: number): string {
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
