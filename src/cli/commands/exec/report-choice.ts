import { conductIds } from '../../../judges/conduct/checks.ts'
import { expectedCheck } from '../../../judges/conduct/expected.ts'
import { contractIds } from '../../../judges/contract/contract-report.ts'
import type { FailOn } from '../../../judges/report/fail-on.ts'
import type { Invocation } from '../../arguments/command.ts'
import { unknownIds } from '../../arguments/report-flags.ts'
import type { ExecValues } from './flags.ts'

/** Complaints about flags of reports that do not go together. */
export function checkReportFlags({
  values,
  given,
  sources,
  project,
}: Invocation<ExecValues>): readonly string[] {
  const { conduct, contract, 'fail-on': failOn } = values
  const isAllOff = conduct === 'off' && contract === 'off'
  const ids = [...conductIds, ...contractIds, expectedCheck.id]
  // What is nearer to the command line wins: no mistake.
  const isOverridden = project?.flags.has('fail-on') === true && !project.flags.has('conduct')
  return [
    ...(given.has('fail-on') && !isOverridden && (conduct === 'report' || isAllOff)
      ? [
          `--conduct ${conduct} and --fail-on exclude each other: --conduct report means --fail-on never, and --conduct off judges nothing.`,
        ]
      : []),
    ...(given.has('report') && isAllOff
      ? [
          '--report has nothing to write: --conduct off judges nothing. Leave out one of them, or add --contract.',
        ]
      : []),
    ...unknownIds(failOn, ids, sources['fail-on']),
  ]
}

export function failOnOf({ conduct, 'fail-on': failOn }: ExecValues): FailOn {
  return conduct === 'report' ? { level: 'never', ids: new Map() } : failOn
}
