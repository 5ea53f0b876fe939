import { escapeInJson } from '../../base/text/invisible.ts'
import type { Finding } from './finding.ts'
import { writeHtml } from './html.ts'
import { writeJUnit } from './junit.ts'
import { escapeMarkdown, markdownFinding, markdownRow } from './markdown-parts.ts'
import { countFindings, type Report } from './report.ts'
import type { ReportExtension } from './report-extensions.ts'
import { headFacts, type ReportHead } from './report-head.ts'
import { shownFindings } from './unjudged.ts'

export function writeReport(
  extension: ReportExtension,
  reports: readonly Report[],
  fails: (finding: Finding) => boolean,
  head?: ReportHead,
): string {
  switch (extension) {
    case '.json':
      return `${escapeInJson(JSON.stringify({ failed: isFailed(reports, fails), ...(head && { head }), reports }, undefined, 2))}\n`
    case '.xml':
      return writeJUnit(reports, fails)
    case '.md':
      return writeMarkdown(reports, head)
    case '.html':
      return writeHtml(reports, isFailed(reports, fails), head)
  }
}

export function isFailed(reports: readonly Report[], fails: (finding: Finding) => boolean): boolean {
  return reports.some(report => shownFindings(report).some(fails))
}

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
