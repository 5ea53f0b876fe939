import type { ClientRun } from '../../../judges/rehearsal/client-run.ts'
import { failureOf, type Sought } from '../../../judges/search/failure.ts'
import { withPace } from '../../../judges/search/pace.ts'
import { search } from '../../../judges/search/search.ts'
import { type PartName, usualParts } from '../../../judges/search/situation.ts'
import type { Invocation, Run } from '../../arguments/command.ts'
import { refuseUsage } from '../../arguments/usage-error.ts'
import { commandOf } from '../../clients/command-words.ts'
import type { ClientOptions } from '../../clients/run-client.ts'
import type { NotRun } from '../../clients/run-command.ts'
import { whyUntried } from '../../clients/why-untried.ts'
import { stopOnSignals } from '../../start/stop.ts'
import { exitCodes, type Io } from '../../terminal/io.ts'
import { printable, shellWords } from '../../terminal/printable.ts'
import { checkSearch } from './check-search.ts'
import type { SearchValues } from './flags.ts'
import { endOf, outputLines, type SearchEnd } from './result-lines.ts'
import { createSearchProgress } from './search-progress.ts'
import { createTries, startClient } from './try-situation.ts'
import { writeResult } from './write-result.ts'

/** The longest run in the usual service without --timeout, in milliseconds. */
const longestCalmMs = 300_000

export const run: Run<SearchValues> = async invocation => {
  const { values, words, io, complaints } = invocation
  const command = commandOf(words)
  const all = [...complaints, ...(await checkSearch(invocation, command))]
  if (all.length > 0) return refuseUsage(all, io)
  const endAt = values.for === undefined ? Number.POSITIVE_INFINITY : performance.now() + values.for
  const sought: Sought =
    values.finding.length > 0 ? { findings: values.finding } : { failOn: values['fail-on'] }
  const timeoutMs = values.timeout ?? longestCalmMs
  const { exitCode, ...signals } = stopOnSignals(io)
  const client: ClientOptions = { command, env: values.env, timeoutMs, ...signals }
  const scenario = withPace({}, {}, values.scale)
  const calm = await startClient(scenario, client, io)
  if (!calm.ok) return exitCode() ?? refuseNotRun(calm, io)
  const reason = calmReason(calm.run, sought)
  if (reason !== undefined) return refuseCalm(`${shellWords(command)} ${reason}`, calm.run, io)
  io.stdout.write(`Without a disturbance: ${endOf(calm.run)}\n`)
  const code = await searchFrom(calm.run, { client, sought, endAt }, invocation)
  return exitCode() ?? code
}

interface Search {
  readonly client: ClientOptions
  readonly sought: Sought
  /** No run starts later. */
  readonly endAt: number
}

async function searchFrom(
  calm: ClientRun,
  { client, sought, endAt }: Search,
  { values, typedWords, io }: Invocation<SearchValues>,
): Promise<number> {
  const { budget, seed, path, confirm, jobs, scale } = values
  const progress = createSearchProgress(io.stderr, budget, () => performance.now())
  const timeoutMs = values.timeout ?? 10_000 + 10 * calm.durationMs
  const { calls } = calm.conduct
  const tries = createTries({ ...client, timeoutMs, sought, scale, onRun: progress.onRun }, io)
  let end: SearchEnd = 'all'
  const mayRun = (made: number) => {
    end = made >= budget ? 'budget' : performance.now() >= endAt ? 'time' : 'all'
    return end === 'all' && tries.notRun() === undefined
  }
  const { onPhase } = progress
  const options = { calls, parts: partsOf(values), seed, path, confirm, jobs, mayRun, onPhase }
  const result = await search(tries.attempt, options)
  progress.clear()
  const notRun = tries.notRun()
  if (notRun !== undefined) return refuseNotRun(notRun, io)
  return await writeResult(result, { tries, command: client.command, end, values, typedWords }, io)
}

function partsOf({ only, skip }: SearchValues): ReadonlySet<PartName> {
  const drawn = only.length > 0 ? only : usualParts
  return new Set(drawn.filter(name => !skip.includes(name)))
}

/** Why there is nothing to search for: the usual service breaks the client, or the client does not call it. */
function calmReason(run: ClientRun, sought: Sought): string | undefined {
  const failure = failureOf(run, sought)
  return failure === undefined ? whyUntried(run.facts) : `fails without any disturbance: ${failure}.`
}

function refuseCalm(text: string, run: ClientRun, { stderr }: Io): number {
  const lines = [text, ...outputLines(run)]
  stderr.write(`${lines.map(printable).join('\n')}\n`)
  return exitCodes.findings
}

function refuseNotRun({ exitCode, text }: NotRun, { stderr }: Io): number {
  if (text !== '') stderr.write(`${text}\n`)
  return exitCode
}
