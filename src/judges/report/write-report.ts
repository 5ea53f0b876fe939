import { escapeInJson } from '../../base/text/invisible.ts'
import type { Finding } from './finding.ts'
import { writeHtml } from './html.ts'
import { writeJUnit } from './junit.ts'
import { writeMarkdown } from './markdown.ts'
import type { Report } from './report.ts'
import type { ReportExtension } from './report-extensions.ts'

export function writeReport(
  extension: ReportExtension,
  reports: readonly Report[],
  fails: (finding: Finding) => boolean,
): string {
  switch (extension) {
    case '.json':
      return `${escapeInJson(JSON.stringify({ failed: isFailed(reports, fails), reports }, undefined, 2))}\n`
    case '.xml':
      return writeJUnit(reports, fails)
    case '.md':
      return writeMarkdown(reports)
    case '.html':
      return writeHtml(reports, isFailed(reports, fails))
  }
}

export function isFailed(reports: readonly Report[], fails: (finding: Finding) => boolean): boolean {
  return reports.some(({ findings }) => findings.some(fails))
}
