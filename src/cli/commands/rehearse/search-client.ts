import { writeFile } from 'node:fs/promises'
import { formatCount } from '../../../base/text/quantities.ts'
import type { ClientRun } from '../../../judges/rehearsal/client-run.ts'
import { defaultFailOn } from '../../../judges/report/finding.ts'
import { breaksFile } from '../../../judges/search/breaks-file.ts'
import { reportSearch, timesOf } from '../../../judges/search/report.ts'
import { failureOf, type Sought } from '../../../judges/search/runs.ts'
import { withPace } from '../../../judges/search/scenario-of.ts'
import { type Broken, type Phase, type SearchResult, search } from '../../../judges/search/search.ts'
import { needsRefusal, type PartName } from '../../../judges/search/situation.ts'
import { explainFileError } from '../../../library/files/read-file.ts'
import { createSecrets } from '../../../service/keys/mask.ts'
import { maskFreeText } from '../../../service/keys/mask-text.ts'
import { type Invocation, refuseUsage } from '../../arguments/command.ts'
import { type ClientOptions, runClient } from '../../clients/run-client.ts'
import type { NotRun } from '../../clients/run-command.ts'
import { writeReports } from '../../reports/write-reports.ts'
import { complaintsOf, typedPath } from '../../start/load/loading.ts'
import { stopOnSignals } from '../../start/stop.ts'
import { exitCodes, type Io, type TextStream } from '../../terminal/io.ts'
import { createCallBar } from '../../terminal/progress.ts'
import { createPaint, printable, shellWords } from '../../terminal/text.ts'
import { checkSearch } from './check-search.ts'
import type { RehearseValues } from './flags.ts'
import { type Prepared, prepareRuns } from './prepare.ts'
import { checkCalm, outputLines } from './run-calm.ts'
import { createTries, type Tries } from './try-situation.ts'

/** The longest calm run without --timeout, in milliseconds. */
const longestCalmMs = 300_000
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
  const { scale, 'max-runs': maxRuns, path, confirm, jobs = usualJobs, seed = usualSeed } = values
  const endAt = performance.now() + (values['max-time'] ?? Number.POSITIVE_INFINITY)
  const sought: Sought =
    values.finding.length > 0 ? { findings: values.finding } : { failOn: values['fail-on'] }
  const timeoutMs = given.has('timeout') ? values.timeout : undefined
  const { exitCode, ...signals } = stopOnSignals(io)
  const usual = { name: 'search', scenario: withPace({}, {}, scale) }
  // A scenario that is written has the clock in which it was found.
  const client: ClientOptions = { ...optionsOf(usual), clock: undefined, ...signals }
  const running = runClient(usual, { ...client, timeoutMs: timeoutMs ?? longestCalmMs }, io)
  const calm = await checkCalm(running, command.shown, io, run => failureOf(run, sought))
  if (!calm.ok) return exitCode() ?? refuse(calm, io)
  io.stdout.write(`Without a disturbance: ${endOf(calm.run)}\n`)

  const progress = createSearchProgress(io.stderr, maxRuns, () => performance.now())
  const usualTimeoutMs = 10_000 + 10 * calm.run.durationMs
  const tries = createTries(
    { ...client, timeoutMs: timeoutMs ?? usualTimeoutMs, sought, scale, onRun: progress.onRun },
    io,
  )
  let end: SearchEnd = 'all'
  const mayRun = (made: number) => {
    end = made >= maxRuns ? 'runs' : performance.now() >= endAt ? 'time' : 'all'
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

/** How a run ended, such as `exit code 0 after 0.4 s, 6 calls`. */
function endOf({ outcome, durationMs, conduct }: ClientRun): string {
  const seconds = `${(durationMs / 1_000).toFixed(1)} s`
  const end =
    outcome.kind === 'hung'
      ? `hung, ended after ${seconds}`
      : `exit code ${outcome.exitCode} after ${seconds}`
  return `${end}, ${formatCount(conduct.calls, 'call')}`
}

type SearchEnd = 'all' | 'runs' | 'time'

const ends: Readonly<Record<SearchEnd, string>> = {
  all: 'Every situation that the seed draws was tried.',
  runs: 'The search used all runs of --max-runs but the few that --confirm needs to repeat a failure. To search on, raise --max-runs.',
  time: 'It ended because the time of --max-time was over.',
}

/** `seed`: of the search. */
function resultLines(
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
          'The search ended before it tried every smaller situation. To look for a smaller one, raise --max-runs or --max-time.',
        ]
      : []),
    ...(found === undefined ? [ends[end], untriedLine(untried)] : []),
  ]
}

function untriedLine(untried: readonly PartName[]): string {
  if (untried.length === 0) return 'Every part was tried.'
  const alone = untried.some(part => needsRefusal.includes(part))
    ? '; some of them need a refused call: add minute, day or ban to --only'
    : ''
  return `Never tried: ${untried.join(', ')}${alone}.`
}

const mostLines = 20

interface Result {
  readonly tries: Tries
  readonly command: Prepared['command']
  readonly end: SearchEnd
  readonly seed: number
  readonly values: RehearseValues
}

/** Prints the result of a search, and writes what was found. Resolves with the exit code. */
async function writeResult(result: SearchResult, about: Result, io: Io): Promise<number> {
  const { tries, command, seed, values } = about
  const { stdout } = io
  stdout.write(`${resultLines(result, about).map(printable).join('\n')}\n`)
  const { found } = result
  const again = found === undefined ? '' : againWords(found, command.words, values)
  const { run, calls = [] } = (found && tries.failedRun(found.situation)) ?? {}
  const text =
    found === undefined ? '' : await breaksFile(found, tries.scenario(found.situation), again, calls)
  if (run !== undefined) {
    const shown = [
      `The command: ${endOf(run)}`,
      ...outputLines(run.output, createPaint(stdout), mostLines),
      '',
    ]
    stdout.write(`${shown.join('\n')}\n${text}\n`)
  }
  const isWritten = found === undefined || (await writeScenario(text, again, values, io))
  const reports = [reportSearch(result, { seed, text }), ...(run === undefined ? [] : [run.conduct])]
  const options = { failOn: defaultFailOn, files: values.report, to: undefined, command: command.typed }
  const code = await writeReports(reports, options, io)
  if (!isWritten) return exitCodes.notSaved
  return found === undefined ? code : exitCodes.findings
}

async function writeScenario(
  text: string,
  again: string,
  { output }: RehearseValues,
  { env, stdout, stderr }: Io,
): Promise<boolean> {
  const path = typedPath(output, env)
  try {
    await writeFile(path, text)
  } catch (error) {
    stderr.write(`${printable(`${path} cannot be written (${explainFileError(error)}).`)}\n`)
    return false
  }
  stdout.write(`Written to ${printable(path)}. Again: ${printable(again)}\n`)
  return true
}

/** The command line that shows what was found, with secrets masked. */
function againWords(
  { failure }: Broken,
  command: readonly string[],
  { output, mask }: RehearseValues,
): string {
  const isFinding = /^[a-z-]+$/.test(failure) && failure !== 'hung'
  const failOn = isFinding ? ['--fail-on', failure] : []
  const words = ['pet-mock', 'exec', '--scenario', output, ...failOn, '--', ...command]
  return maskFreeText(shellWords(words), createSecrets(mask))
}
