import { formatCount } from '../../base/text/quantities.ts'
import type { Finding } from '../report/finding.ts'
import type { Report } from '../report/report.ts'
import { settleChecks } from '../report/unjudged.ts'
import type { Broken, SearchResult } from './search.ts'

const source = 'pet-mock rehearse --search'

export const searchChecks = [
  { id: 'breaks', title: 'the client comes through every drawn situation' },
  { id: 'flaky', title: 'the client does the same in equal situations' },
] as const

/** The result of a search as a report. `text`: the scenario that was found. */
export function reportSearch(
  { found, flaky, runs, path }: SearchResult,
  { seed, text }: { readonly seed: number; readonly text: string },
): Report {
  const atPath = path === undefined ? [] : [{ name: 'Path', value: path }]
  return {
    judge: 'search',
    title: 'Search for what breaks the client',
    ...settleChecks({
      checks: searchChecks,
      findings: [...(found === undefined ? [] : [breaks(found, text)]), ...flakyFindings(flaky)],
      unjudged: [],
    }),
    facts: [{ name: 'Runs', value: `${runs}` }, { name: 'Seed', value: `${seed}` }, ...atPath],
    notes: [],
    flights: [],
  }
}

function breaks(found: Broken, text: string): Finding {
  const lines = text.trimEnd().split('\n')
  return {
    id: 'breaks',
    severity: 'error',
    title: `A situation breaks the client: ${timesOf(found)}.`,
    remedy: 'Run the client in this scenario, and correct what fails.',
    source,
    count: lines.length,
    evidence: lines.map(what => ({ what, detail: '' })),
  }
}

function flakyFindings(flaky: readonly Broken[]): readonly Finding[] {
  if (flaky.length === 0) return []
  const title = `${formatCount(flaky.length, 'failure')} did not come again.`
  const remedy = 'Look for what differs between runs, such as time, chance or parallel calls.'
  const evidence = flaky.map(broken => ({ what: timesOf(broken), detail: JSON.stringify(broken.situation) }))
  return [{ id: 'flaky', severity: 'warning', title, remedy, source, count: flaky.length, evidence }]
}

/** Such as `exit code 1 in 4 of 4 runs`. */
export function timesOf({ failure, failed, runs }: Broken): string {
  return `${failure} in ${failed} of ${formatCount(runs, 'run')}`
}
