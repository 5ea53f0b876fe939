import { escapeInvisible } from '../../base/text/invisible.ts'
import { evidenceLines, type Finding, gradeOf, grades } from './finding.ts'
import type { Report } from './report.ts'
import { shownFindings } from './unjudged.ts'

/** GitHub shows only a few lines of an annotation. */
const mostCalls = 3

/** Findings as workflow commands of GitHub Actions. Only a finding that fails the command is an error there. */
export function writeAnnotations(
  reports: readonly Pick<Report, 'judge' | 'findings' | 'unjudged'>[],
  fails: (finding: Finding) => boolean,
): readonly string[] {
  return reports.flatMap(report =>
    shownFindings(report).map(finding => {
      const { id, title, remedy } = finding
      const grade = gradeOf(finding)
      const passing = grade === 'error' ? 'warning' : grade
      const { command } = grades[fails(finding) ? 'error' : passing]
      const isExpected = grade === 'expected'
      const text = [title, ...evidenceLines(finding, mostCalls), ...(isExpected ? [] : [remedy])].join('\n')
      const name = escapeData(`pet-mock ${report.judge}: ${id}${isExpected ? ' (expected)' : ''}`)
      return `::${command} title=${name.replaceAll(':', '%3A').replaceAll(',', '%2C')}::${escapeData(text)}`
    }),
  )
}

/** As the toolkit's `core.error` does. */
function escapeData(text: string): string {
  const shown = text.split('\n').map(escapeInvisible).join('\n')
  return shown.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}
