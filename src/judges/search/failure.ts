import type { ConductReport } from '../conduct/conduct-report.ts'
import type { ClientRun } from '../rehearsal/client-run.ts'
import { type FailOn, failsOn } from '../report/fail-on.ts'
import { shownFindings } from '../report/unjudged.ts'

/** What a search looks for: one of these findings alone, or an exit code, a hung client or a finding that fails. */
export type Sought = { readonly findings: readonly string[] } | { readonly failOn: FailOn }

/** Why a run counts as failed, such as `exit code 1`, `hung` or `early-retry`; undefined: the client came through. */
export function failureOf(
  { outcome, conduct }: Pick<ClientRun, 'outcome' | 'conduct'>,
  sought: Sought,
): string | undefined {
  if ('findings' in sought) return firstFinding(conduct, ({ id }) => sought.findings.includes(id))
  if (outcome.kind === 'hung') return 'hung'
  if (outcome.exitCode !== 0) return `exit code ${outcome.exitCode}`
  return firstFinding(conduct, failsOn(sought.failOn))
}

function firstFinding(
  conduct: ConductReport,
  isSought: (finding: ConductReport['findings'][number]) => boolean,
): string | undefined {
  return shownFindings(conduct).find(isSought)?.id
}
