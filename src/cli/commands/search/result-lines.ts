import { formatCount } from '../../../base/text/quantities.ts'
import type { ClientRun } from '../../../judges/rehearsal/client-run.ts'
import { timesOf } from '../../../judges/search/report.ts'
import type { SearchResult } from '../../../judges/search/search.ts'

/** How much of a client's output is printed. */
const mostLines = 20

/** How a run ended, such as `exit code 0 after 0.4 s, 6 calls`. */
export function endOf({ outcome, durationMs, conduct }: ClientRun): string {
  const seconds = `${(durationMs / 1_000).toFixed(1)} s`
  const end =
    outcome.kind === 'hung'
      ? `hung, ended after ${seconds}`
      : `exit code ${outcome.exitCode} after ${seconds}`
  return `${end}, ${formatCount(conduct.calls, 'call')}`
}

/** The end of a client's output, indented. */
export function outputLines({ output }: Pick<ClientRun, 'output'>): readonly string[] {
  const lines = output.split('\n').filter(line => line.trim() !== '')
  return lines.slice(-mostLines).map(line => `  ${line}`)
}

/** `seed`: of the search. `isUsedUp`: no run was left. */
export function resultLines(
  { found, flaky, runs, path, isSmallest }: SearchResult,
  { seed, isUsedUp }: { readonly seed: number; readonly isUsedUp: boolean },
): readonly string[] {
  return [
    ...flaky.map(
      broken => `Flaky: ${timesOf(broken)}, so it is not written: ${JSON.stringify(broken.situation)}`,
    ),
    ...(found === undefined
      ? [`Nothing found in ${formatCount(runs, 'run')} (--seed ${seed}).`]
      : [`Found in ${formatCount(runs, 'run')}: ${timesOf(found)} (--seed ${seed} --path ${path}).`]),
    ...(found !== undefined && !isSmallest
      ? [
          'The runs were used up before everything smaller was tried: a larger --budget or --for may find less.',
        ]
      : []),
    ...(found === undefined && !isUsedUp ? ['Every situation that the seed draws was tried.'] : []),
  ]
}
