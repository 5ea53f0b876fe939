import { escapeInvisible } from '../../../base/text/invisible.ts'
import { codeBlock, escapeMarkdown, markdownFinding, markdownRow } from '../../report/markdown-parts.ts'
import { headFacts, type ReportHead } from '../../report/report-head.ts'
import type { LifetimeRow } from '../lifetime-log.ts'
import { lifetimeTable } from '../lifetime-table.ts'
import { isFailing, type SituationVerdict } from '../verdict.ts'
import { type Mark, type MatrixRow, matrixOf, openLists } from '../verdict-texts.ts'
import type { Certificate } from './certificate.ts'

const signs: Readonly<Record<Mark, string>> = {
  passed: '✅',
  unjudged: '❔',
  'not-met': '⚪',
  allowed: '🔶',
  failed: '❌',
  flaky: '⚠️',
  known: '☑️',
}

/** GitHub drops a summary of more than 1 MiB. Several steps may share one. */
const mostBytes = 900_000

/** The last lines of an output. The HTML certificate has more. */
const mostOutput = 4_000

/** A certificate as GitHub's Markdown for the summary of a job. What does not fit is left out at the end. */
export function writeCertificateMarkdown(certificate: Certificate, head?: ReportHead): string {
  const { summary, notes, remedies, situations, sunset } = certificate
  const { rows, lines } = matrixOf(situations)
  const facts =
    head === undefined ? [] : headFacts(head).map(({ name, value }) => `${name}: ${escapeMarkdown(value)}`)
  const parts = [
    [
      `## Rehearsal: ${escapeMarkdown(summary)}`,
      '',
      ...notes.flatMap(note => [`> ${escapeMarkdown(note)}`, '']),
    ],
    [...(facts.length === 0 ? [] : [facts.join(' · '), '']), ...matrixHead],
    ...rows.map(row => [matrixRow(row)]),
    [
      '',
      ...lines.flatMap(line => [escapeMarkdown(line), '']),
      ...openLists(situations).flatMap(({ title, lines }) => [
        title,
        '',
        ...lines.map(line => `- ${escapeMarkdown(line)}`),
        '',
      ]),
      ...(sunset === null ? [] : sunsetPart(sunset)),
    ],
    ...remedies.map(remedy => [...markdownFinding(remedy, 'Situation')]),
    ...situations.filter(isFailing).flatMap(outputOf),
  ]
  return `${bound(parts.map(lines => lines.join('\n'))).join('\n')}\n`
}

const matrixHead = [
  '| | Situation | Result | Exit code | Conduct | Recovery | Waste |',
  '| --- | --- | --- | --- | --- | --- | --- |',
]

function matrixRow({ verdict, mark, result, cells }: MatrixRow): string {
  return markdownRow([signs[mark], verdict.name, result, ...Object.values(cells).map(({ text }) => text)])
}

function sunsetPart(all: readonly LifetimeRow[]): readonly string[] {
  const { title, heads, rows } = lifetimeTable(all)
  if (rows.length === 0) return [title, '']
  return [
    title,
    '',
    markdownRow(heads),
    markdownRule(heads.length),
    ...rows.map(({ operation, site, counts }) =>
      markdownRow([operation, site, ...counts.map(({ text }) => text)]),
    ),
    '',
  ]
}

function markdownRule(columns: number): string {
  return `|${' --- |'.repeat(columns)}`
}

function outputOf({ name, output }: SituationVerdict): readonly (readonly string[])[] {
  if (output.trim() === '') return []
  const lines = output.slice(-mostOutput).split('\n').map(escapeInvisible)
  return [
    [
      `<details><summary>Output in ${escapeMarkdown(name)}</summary>`,
      '',
      ...codeBlock(lines.join('\n')),
      '',
      '</details>',
      '',
    ],
  ]
}

/** The first parts that fit. */
function bound(parts: readonly string[]): readonly string[] {
  const encoder = new TextEncoder()
  let left = mostBytes
  const end = parts.findIndex(part => {
    left -= encoder.encode(part).length + 1
    return left < 0
  })
  return end === -1
    ? parts
    : [...parts.slice(0, end), '', 'The rest does not fit into a summary: write an HTML report.']
}
