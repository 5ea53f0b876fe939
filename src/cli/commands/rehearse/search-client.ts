import { failureOf, type Sought } from '../../../judges/search/failure.ts'
import { withPace } from '../../../judges/search/pace.ts'
import { type Phase, search } from '../../../judges/search/search.ts'
import type { Invocation } from '../../arguments/command.ts'
import { refuseUsage } from '../../arguments/usage-error.ts'
import { type ClientOptions, runClient } from '../../clients/run-client.ts'
import type { NotRun } from '../../clients/run-command.ts'
import { complaintsOf } from '../../start/load/loading.ts'
import { stopOnSignals } from '../../start/stop.ts'
import type { Io, TextStream } from '../../terminal/io.ts'
import { createCallBar } from '../../terminal/progress.ts'
import { checkSearch } from './check-search.ts'
import type { RehearseValues } from './flags.ts'
import { prepareRuns } from './prepare-runs.ts'
import { checkCalm } from './run-calm.ts'
import { endOf, type SearchEnd } from './search-lines.ts'
import { createTries } from './try-situation.ts'
import { writeResult } from './write-search.ts'

/** The longest calm run without --timeout, in milliseconds. */
const longestCalmMs = 300_000
/** How many runs at once without --jobs. */
const usualJobs = 2
/** The seed of the drawn situations without --seed. */
const usualSeed = 1

/** `rehearse --search`: looks for the smallest situation that breaks the client. Resolves with the exit code. */
export async function searchClient(invocation: Invocation<RehearseValues>): Promise<number> {
  const { values, given, io, complaints } = invocation
  const [prepared, parts] = [await prepareRuns(invocation), await checkSearch(invocation)]
  const all = [...complaints, ...complaintsOf(prepared, parts)]
  if (!prepared.ok || !parts.ok || all.length > 0) return refuseUsage(all, io)
  const { command, optionsOf } = prepared.value
  const { scale, budget, path, confirm, jobs = usualJobs, seed = usualSeed } = values
  const endAt = values.for === undefined ? Number.POSITIVE_INFINITY : performance.now() + values.for
  const sought: Sought =
    values.finding.length > 0 ? { findings: values.finding } : { failOn: values['fail-on'] }
  const timeoutMs = given.has('timeout') ? values.timeout : undefined
  const { exitCode, ...signals } = stopOnSignals(io)
  const usual = { name: 'search', scenario: withPace({}, {}, scale) }
  // A scenario that is written has the clock in which it was found.
  const client: ClientOptions = { ...optionsOf(usual), clock: undefined, ...signals }
  const calm = await checkCalm(
    runClient(usual, { ...client, timeoutMs: timeoutMs ?? longestCalmMs }, io),
    command.shown,
    io,
    run => failureOf(run, sought),
  )
  if (!calm.ok) return exitCode() ?? refuse(calm, io)
  io.stdout.write(`Without a disturbance: ${endOf(calm.run)}\n`)

  const progress = createSearchProgress(io.stderr, budget, () => performance.now())
  const usualTimeoutMs = 10_000 + 10 * calm.run.durationMs
  const tries = createTries(
    { ...client, timeoutMs: timeoutMs ?? usualTimeoutMs, sought, scale, onRun: progress.onRun },
    io,
  )
  let end: SearchEnd = 'all'
  const mayRun = (made: number) => {
    end = made >= budget ? 'budget' : performance.now() >= endAt ? 'time' : 'all'
    return end === 'all' && tries.notRun() === undefined
  }
  const { calls } = calm.run.conduct
  const { onPhase } = progress
  const options = { calls, parts: parts.value, seed, path, confirm, jobs, mayRun, onPhase }
  const result = await search(tries.attempt, options)
  progress.clear()
  const notRun = tries.notRun()
  const code =
    notRun === undefined
      ? await writeResult(result, { tries, command, end, seed, values }, io)
      : refuse(notRun, io)
  return exitCode() ?? code
}

function refuse({ exitCode, text }: NotRun, { stderr }: Io): number {
  if (text !== '') stderr.write(`${text}\n`)
  return exitCode
}

/** How often a stream that is no terminal gets a line, in milliseconds. */
const lineEveryMs = 10_000

const phases: Readonly<Record<Phase, string>> = {
  drawing: 'runs: nothing found yet',
  shrinking: 'runs: making what was found smaller',
  repeating: 'runs: repeating what was found',
}

/** Shows how far a search is: a terminal gets one updated line, other streams get a line now and then. */
export function createSearchProgress(stderr: TextStream, most: number, now: () => number) {
  const bar = createCallBar(stderr, most)
  let [runs, phase]: [number, Phase] = [0, 'drawing']
  let writtenAt = now()
  return {
    onRun: () => {
      runs += 1
      if (stderr.columns !== undefined) bar.onCall(runs, phases[phase])
      else if (now() - writtenAt >= lineEveryMs) {
        writtenAt = now()
        stderr.write(`${runs} of at most ${most} ${phases[phase]}\n`)
      }
    },
    onPhase: (next: Phase) => {
      phase = next
    },
    clear: bar.clear,
  }
}
