import type { Finding } from '../../judges/report/finding.ts'
import type { Report } from '../../judges/report/report.ts'
import { printable } from '../terminal/printable.ts'

/** The last lines under printed reports: which findings fail the command, and where the reports are. */
export function verdictLines(
  reports: readonly Report[],
  fails: (finding: Finding) => boolean,
  written: readonly string[],
): readonly string[] {
  const findings = reports.flatMap(report => report.findings)
  const failing = [...new Set(findings.filter(fails).map(({ id }) => id))]
  const lines = [
    ...(findings.length === 0 ? [] : [`Failing findings: ${failing.join(', ') || 'none'}.`]),
    ...(written.length === 0 ? [] : [`Reports written: ${written.map(printable).join(', ')}.`]),
  ]
  return lines.length === 0 ? [] : ['', ...lines]
}
