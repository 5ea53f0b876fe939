import { escapeInJson } from '../../base/text/invisible.ts'
import type { Finding } from './finding.ts'
import { writeHtml } from './html.ts'
import { writeJUnit } from './junit.ts'
import { writeMarkdown } from './markdown.ts'
import type { Report } from './report.ts'
import type { ReportExtension } from './report-extensions.ts'
import type { ReportHead } from './report-head.ts'
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
