import type { ClientRun } from '../rehearsal/client-run.ts'
import { type FailOn, failsOn } from '../report/finding.ts'
import { shownFindings } from '../report/unjudged.ts'
import { type DrawnSituation, nameOf } from './situation.ts'

/** Why the client fails in a situation, such as `exit code 1`; undefined: it comes through. */
export type Attempt = (situation: DrawnSituation) => Promise<string | undefined>

export type Runs = ReturnType<typeof createRuns>

/**
 * The runs of a client. Each situation is tried once; another run of it is a repetition. `mayRun`: whether a run is left, after
 * as many.
 */
export function createRuns(attempt: Attempt, mayRun: (made: number) => boolean, jobs: number) {
  // An empty situation is the usual service, which the client came through.
  const known = new Map<string, Promise<string | undefined>>([[nameOf({}), Promise.resolve(undefined)]])
  let upcoming: Iterator<DrawnSituation> = [].values()
  let running = 0
  let count = 0
  let ranOut = false
  let hasFailed = false
  const run: Attempt = async situation => {
    count += 1
    running += 1
    try {
      const failure = await attempt(situation)
      hasFailed ||= failure !== undefined
      return failure
    } finally {
      running -= 1
      startAhead()
    }
  }
  const of: Attempt = situation => {
    const name = nameOf(situation)
    const before = known.get(name)
    if (before !== undefined) return before
    ranOut ||= !mayRun(count)
    if (ranOut) return Promise.resolve(undefined)
    const outcome = run(situation)
    known.set(name, outcome)
    // Nobody may have asked for it yet.
    outcome.catch(() => {})
    return outcome
  }
  const startAhead = () => {
    while (running < jobs && !hasFailed && mayRun(count)) {
      const { value, done } = upcoming.next()
      if (done) return
      void of(value)
    }
  }
  return {
    /** What came of a situation. Undefined also if no run is left for it. */
    of,
    /** Runs the client again. */
    again: run,
    /** Runs the client again if a run is left, in a situation that it may have come through by chance. */
    retry: (situation: DrawnSituation) => {
      known.delete(nameOf(situation))
      return of(situation)
    },
    /** Starts situations in this order, as long as fewer than `jobs` run. */
    ahead: (situations: Iterable<DrawnSituation>) => {
      upcoming = situations[Symbol.iterator]()
      hasFailed = false
      startAhead()
    },
    /** From now on, this situation counts as one that the client comes through. */
    forgive: (situation: DrawnSituation) => known.set(nameOf(situation), Promise.resolve(undefined)),
    count: () => count,
    /** Whether a situation was not tried because no run was left. */
    ranOut: () => ranOut,
    /** Resolves when no client runs. */
    ended: async () => {
      hasFailed = true
      await Promise.allSettled(known.values())
    },
  }
}

/** What a search looks for: one of these findings alone, or an exit code, a hung client or a finding that fails. */
export type Sought = { readonly findings: readonly string[] } | { readonly failOn: FailOn }

/** Why a run counts as failed, such as `exit code 1`, `hung` or `early-retry`; undefined: the client came through. */
export function failureOf(
  { outcome, conduct }: Pick<ClientRun, 'outcome' | 'conduct'>,
  sought: Sought,
): string | undefined {
  if ('findings' in sought) return shownFindings(conduct).find(({ id }) => sought.findings.includes(id))?.id
  if (outcome.kind === 'hung') return 'hung'
  if (outcome.exitCode !== 0) return `exit code ${outcome.exitCode}`
  return shownFindings(conduct).find(failsOn(sought.failOn))?.id
}
