import { formatCount } from '../../../base/text/quantities.ts'
import { formatDuration } from '../../../base/time/duration.ts'
import type { ClientRun } from '../../../judges/rehearsal/client-run.ts'
import { type ClientResult, whyUntried } from '../../clients/run-client.ts'
import { exitCodes, type Io } from '../../terminal/io.ts'
import { createPaint, type Paint, printable } from '../../terminal/text.ts'

/** Enough for the stack traces of a suite: nothing else says why it failed. */
const mostLines = 100

/** The calm run, or why no situation follows. `command`: with secrets masked. `failureOf`: why a run failed, if it did. */
export async function checkCalm(
  running: Promise<ClientResult>,
  command: string,
  { stderr }: Pick<Io, 'stderr'>,
  failureOf: (run: ClientRun) => string | undefined = badEndOf,
): Promise<ClientResult> {
  const result = await running
  if (!result.ok) return result
  const failure = explainFailure(result.run, failureOf(result.run))
  if (failure === undefined) return result
  const lines = outputLines(result.run.output, createPaint(stderr), mostLines)
  return { ok: false, exitCode: exitCodes.findings, text: [`${command} ${failure}`, ...lines].join('\n') }
}

function explainFailure({ facts }: ClientRun, failure: string | undefined): string | undefined {
  if (failure === undefined) return whyUntried(facts)
  const hint =
    facts.refused === 0
      ? ''
      : ` The limit of the plan free refused ${formatCount(facts.refused, 'call')}: make fewer calls, or wait as Retry-After says.`
  return `fails without any disturbance: ${failure}.${hint}`
}

function badEndOf({ outcome }: ClientRun): string | undefined {
  if (outcome.kind === 'hung') return `it did not end within ${formatDuration(outcome.afterMs)}`
  return outcome.exitCode === exitCodes.fine ? undefined : `exit code ${outcome.exitCode}`
}

/** Lines of output to print of one situation. Report files have more. */
const usualLines = 8

export function outputLines(output: string, paint: Paint, most = usualLines): readonly string[] {
  const lines = output.replace(/\r\n?/g, '\n').trimEnd().split('\n')
  if (lines.length === 1 && lines[0] === '') return [paint('dim', '  It wrote nothing.')]
  const left = lines.length - most
  return [
    ...(left > 0 ? [paint('dim', `  … ${formatCount(left, 'earlier line')}`)] : []),
    ...lines.slice(-most).map(line => `  ${paint('dim', '│')} ${printable(line)}`.trimEnd()),
  ]
}
