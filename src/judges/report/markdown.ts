import { escapeInvisible } from '../../base/text/invisible.ts'
import { type Finding, furtherCalls, gradeOf, whereabouts } from './finding.ts'
import { countFindings, type Report } from './report.ts'
import { headFacts, type ReportHead } from './report-head.ts'

const signs = { error: '❌', warning: '⚠️', info: 'ℹ️', expected: '✅' } as const satisfies Record<
  ReturnType<typeof gradeOf>,
  string
>

/** Reports as GitHub's Markdown for the summary of a job. Every character of a call is escaped. */
export function writeMarkdown(reports: readonly Report[], head?: ReportHead): string {
  const facts =
    head === undefined ? [] : headFacts(head).map(({ name, value }) => `${name}: ${escapeMarkdown(value)}`)
  return [...reports.map(section), ...(facts.length === 0 ? [] : [facts.join(' · '), ''])].join('\n')
}

function section({ title, findings, facts, notes }: Report): string {
  const rows = facts.map(({ name, value }) => row([name, value]))
  return [
    `## ${escapeMarkdown(title)}: ${countFindings(findings)}`,
    '',
    ...notes.flatMap(note => [`> ${escapeMarkdown(note)}`, '']),
    ...findings.flatMap(formatFinding),
    ...(rows.length === 0 ? [] : ['| | |', '| --- | --- |', ...rows, '']),
  ].join('\n')
}

function formatFinding(finding: Finding): readonly string[] {
  const { id, title, remedy, source, evidence } = finding
  const grade = gradeOf(finding)
  const further = furtherCalls(finding)
  const rows = evidence.map(call => row([call.what, call.detail, whereabouts(call)]))
  const curls = evidence.flatMap(({ curl }) => curl ?? [])
  return [
    `### ${signs[grade]} ${grade}: ${id}`,
    '',
    escapeMarkdown(title),
    '',
    ...(rows.length === 0 ? [] : ['| Call | Details | Where |', '| --- | --- | --- |', ...rows, '']),
    ...(further > 0 ? [`and ${further} more`, ''] : []),
    ...curls.flatMap(curl => [`${fence(curl)}sh`, escapeInvisible(curl), fence(curl), '']),
    ...(grade === 'expected' ? [] : [`**What to do:** ${escapeMarkdown(remedy)}`, '']),
    `Source: ${escapeMarkdown(source)}`,
    '',
  ]
}

function row(cells: readonly string[]): string {
  return `| ${cells.map(escapeMarkdown).join(' | ')} |`
}

/** A fence that is longer than any in the text. */
function fence(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  return '`'.repeat(longest + 1)
}

function escapeMarkdown(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ').replace(/[\\`*_{}[\]<>()#+!|~&@$]/g, '\\$&')
}
