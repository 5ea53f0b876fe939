import { formatCount } from '../../../base/text/quantities.ts'
import { formatDuration } from '../../../base/time/duration.ts'
import type { ClientRun, Outcome } from '../../../judges/rehearsal/client-run.ts'
import type { ClientResult } from '../../clients/run-client.ts'
import { whyUntried } from '../../clients/why-untried.ts'
import { exitCodes, type Io } from '../../terminal/io.ts'
import { createPaint } from '../../terminal/paint.ts'
import { outputLines } from './output-lines.ts'

/** Enough for the stack traces of a suite: nothing else says why it failed. */
const mostLines = 100

/** The calm run, or why no situation is rehearsed. `command`: with secrets masked. */
export async function checkCalm(
  running: Promise<ClientResult>,
  command: string,
  { stderr }: Pick<Io, 'stderr'>,
): Promise<ClientResult> {
  const result = await running
  if (!result.ok) return result
  const failure = explainFailure(result.run)
  if (failure === undefined) return result
  const lines = outputLines(result.run.output, createPaint(stderr), mostLines)
  return { ok: false, exitCode: exitCodes.findings, text: [`${command} ${failure}`, ...lines].join('\n') }
}

function explainFailure({ outcome, facts }: ClientRun): string | undefined {
  if (outcome.kind === 'exited' && outcome.exitCode === exitCodes.fine) return whyUntried(facts)
  const hint =
    facts.refused === 0
      ? ''
      : ` The limit of the plan free refused ${formatCount(facts.refused, 'call')}: make fewer calls, or wait as Retry-After says.`
  return `fails without any disturbance: ${describe(outcome)}.${hint}`
}

function describe(outcome: Outcome): string {
  return outcome.kind === 'hung'
    ? `it did not end within ${formatDuration(outcome.afterMs)}`
    : `exit code ${outcome.exitCode}`
}
