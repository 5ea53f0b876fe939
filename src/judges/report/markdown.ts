import { escapeMarkdown, markdownFinding, markdownRow } from './markdown-parts.ts'
import { countFindings, type Report } from './report.ts'
import { headFacts, type ReportHead } from './report-head.ts'
import { shownFindings } from './unjudged.ts'

/** Reports as GitHub's Markdown for the summary of a job. Every character of a call is escaped. */
export function writeMarkdown(reports: readonly Report[], head?: ReportHead): string {
  const facts =
    head === undefined ? [] : headFacts(head).map(({ name, value }) => `${name}: ${escapeMarkdown(value)}`)
  return [...reports.map(section), ...(facts.length === 0 ? [] : [facts.join(' · '), ''])].join('\n')
}

function section(report: Report): string {
  const { title, facts, notes } = report
  const findings = shownFindings(report)
  const rows = facts.map(({ name, value }) => markdownRow([name, value]))
  return [
    `## ${escapeMarkdown(title)}: ${countFindings(findings)}`,
    '',
    ...notes.flatMap(note => [`> ${escapeMarkdown(note)}`, '']),
    ...findings.flatMap(finding => markdownFinding(finding)),
    ...(rows.length === 0 ? [] : ['| | |', '| --- | --- |', ...rows, '']),
  ].join('\n')
}
