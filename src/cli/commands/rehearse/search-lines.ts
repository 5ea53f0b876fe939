import { formatCount } from '../../../base/text/quantities.ts'
import type { ClientRun } from '../../../judges/rehearsal/client-run.ts'
import { timesOf } from '../../../judges/search/report.ts'
import type { SearchResult } from '../../../judges/search/search.ts'
import { needsRefusal, type PartName } from '../../../judges/search/situation.ts'

/** How a run ended, such as `exit code 0 after 0.4 s, 6 calls`. */
export function endOf({ outcome, durationMs, conduct }: ClientRun): string {
  const seconds = `${(durationMs / 1_000).toFixed(1)} s`
  const end =
    outcome.kind === 'hung'
      ? `hung, ended after ${seconds}`
      : `exit code ${outcome.exitCode} after ${seconds}`
  return `${end}, ${formatCount(conduct.calls, 'call')}`
}

/** What ended a search that found nothing. */
export type SearchEnd = 'all' | 'budget' | 'time'

const ends: Readonly<Record<SearchEnd, string>> = {
  all: 'Every situation that the seed draws was tried.',
  budget: 'It ended because --budget was used up; a few runs are kept to repeat a failure (--confirm).',
  time: 'It ended because the time of --for was over.',
}

/** `seed`: of the search. */
export function resultLines(
  { found, flaky, runs, path, untried, isSmallest }: SearchResult,
  { seed, end }: { readonly seed: number; readonly end: SearchEnd },
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
    ...(found === undefined ? [ends[end], untriedLine(untried)] : []),
  ]
}

function untriedLine(untried: readonly PartName[]): string {
  if (untried.length === 0) return 'Every part was tried.'
  const alone = untried.some(part => needsRefusal.includes(part))
    ? '; some act only with minute, day or ban'
    : ''
  return `Never tried: ${untried.join(', ')}${alone}.`
}
