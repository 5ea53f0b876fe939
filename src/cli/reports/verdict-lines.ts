import type { Finding } from '../../judges/report/finding.ts'
import type { Report } from '../../judges/report/report.ts'
import { countUnjudged, shownFindings } from '../../judges/report/unjudged.ts'
import { printable } from '../terminal/printable.ts'

/** The last lines under printed reports: where the reports are, which findings fail the command, and how much was not judged. */
export function verdictLines(
  reports: readonly Report[],
  fails: (finding: Finding) => boolean,
  written: readonly string[],
): readonly string[] {
  const findings = reports.flatMap(shownFindings)
  const failing = [...new Set(findings.filter(fails).map(({ id }) => id))]
  const open = countUnjudged(reports.flatMap(({ unjudged }) => unjudged))
  const lines = [
    ...(written.length === 0 ? [] : [`Reports written: ${written.map(printable).join(', ')}.`]),
    ...(findings.length === 0
      ? []
      : [`Failing findings: ${failing.join(', ') || 'none'}.${open === '' ? '' : ` Not judged: ${open}.`}`]),
  ]
  return lines.length === 0 ? [] : ['', ...lines]
}
