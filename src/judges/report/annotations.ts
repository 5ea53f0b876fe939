import { evidenceLines } from './evidence.ts'
import type { Finding, Severity } from './finding.ts'
import type { Report } from './report.ts'

const commands = { error: 'error', warning: 'warning', info: 'notice' } as const satisfies Record<
  Severity,
  string
>

/** As many calls as fit into the few lines that GitHub shows of an annotation. */
const mostCalls = 3

/**
 * Findings as workflow commands of GitHub Actions, which make annotations of them, a line each. Of what does not make
 * the command fail, nothing is an error there.
 */
export function writeAnnotations(
  reports: readonly Report[],
  fails: (finding: Finding) => boolean,
): readonly string[] {
  return reports.flatMap(({ judge, findings }) =>
    findings.map(finding => {
      const { id, severity, title, remedy } = finding
      const command =
        severity === 'error' && !fails(finding) ? 'warning' : commands[fails(finding) ? 'error' : severity]
      const text = [title, ...evidenceLines(finding, mostCalls), remedy].join('\n')
      return `::${command} title=${escapeProperty(`pet-mock ${judge}: ${id}`)}::${escapeData(text)}`
    }),
  )
}

/** As the toolkit's `core.error` writes it. */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
