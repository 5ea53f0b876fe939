import type { ChildProcess } from 'node:child_process'
import spawn from 'cross-spawn'
import { unknownName } from '../../../control/files/show.ts'
import { assumedSettings } from '../../../control/profile/assumed.ts'
import { assumedId, watchAssumed } from '../../../judges/assumed/watch-assumed.ts'
import { conductIds } from '../../../judges/conduct/checks.ts'
import { expectedCheck } from '../../../judges/conduct/expected.ts'
import { contractIds } from '../../../judges/contract/contract-report.ts'
import { failsOn, gradeOf } from '../../../judges/report/finding.ts'
import { shownFindings } from '../../../judges/report/unjudged.ts'
import { isFailed } from '../../../judges/report/write-report.ts'
import { createSecrets } from '../../../service/keys/mask.ts'
import type { Run } from '../../arguments/command.ts'
import { unknownIds } from '../../arguments/report-flags.ts'
import { baseHint, handedVariables } from '../../arguments/server-flags.ts'
import {
  checkCommand,
  clientVariables,
  commandOf,
  exitCodeOf,
  explainSpawnError,
  isSpawnError,
  withoutOwn,
} from '../../clients/run-command.ts'
import { watchConduct } from '../../clients/watch-conduct.ts'
import { maskTexts, type Reporter } from '../../log/reporter.ts'
import { writeReports } from '../../reports/write-reports.ts'
import { loadFixtures } from '../../start/load/load-from-flags.ts'
import { startServer } from '../../start/start-server.ts'
import { type Environment, exitCodes, type Io, type Signal } from '../../terminal/io.ts'
import { printable, shellWords } from '../../terminal/text.ts'
import type { ExecValues } from './flags.ts'

export const run: Run<ExecValues> = async invocation => {
  const { values, sources, words, io } = invocation
  const command = commandOf(words)
  const { report: files } = values
  const ids = [...conductIds, ...contractIds, expectedCheck.id, assumedId]
  const complaints = [
    ...invocation.complaints,
    ...checkCommand('exec', command),
    ...unknownIds(values['fail-on'], ids, sources['fail-on']),
    ...checkRequired(invocation),
  ]
  // stdout belongs to the command.
  const { require, fixtures } = values
  const loaded = require === undefined ? undefined : await loadFixtures(fixtures, sources.fixtures)
  const assumed =
    require !== undefined && loaded?.ok
      ? watchAssumed({ require, allowed: values['allow-assumed'], fixtures: loaded.value })
      : undefined
  const server = { ...invocation, complaints, io: { ...io, stdout: io.stderr } }
  const starting = await startServer(server, assumed?.pass)
  if (!starting.ok) return starting.exitCode
  const { facts, notices, reporter, emulator, close, contract, box } = starting.server
  const conduct = watchConduct(emulator, reporter.failure)
  // A silent server would print its base URL. The command has it in its environment.
  if (values['log-format'] !== 'silent') reporter.ready(facts)
  for (const notice of notices) reporter.notice(notice)
  const { certificate } = facts
  const trust = certificate === undefined ? undefined : await import('./trust-certificate.ts')
  const env = {
    ...withoutOwn(io.env),
    ...(await trust?.trustCertificate(certificate ?? '', io.env, reporter.notice)),
    ...clientVariables(facts, facts.scenario.key, values.env),
  }
  // Calls that come while Prism loads could be more than wait for a verdict.
  await contract?.ready()
  const exitCode = await runCommand(command, env, reporter, io)
  const isSaved = await close(0)
  const ofContract = contract === undefined ? [] : [await contract.report()]
  await reporter.end()
  const noCall =
    emulator.metrics.calls.total === 0
      ? `the command made no call. It finds the base URL in ${handedVariables.url}.`
      : `the command called no path of the API. ${baseHint}`
  // Of a suite that calls another address, a report without findings would look like a verdict.
  const ofConduct = conduct(files.length > 0, noCall)
  const reports = [ofConduct, ...ofContract, ...(assumed === undefined ? [] : [assumed.report()])]
  // A client that merely used most of its quota gets no report on the terminal, nor one without findings.
  const isPrinted = reports.flatMap(shownFindings).some(finding => gradeOf(finding) !== 'info')
  const isIdle = ofConduct.calls === 0 && !isFailed(reports, failsOn(values['fail-on']))
  const to = isPrinted && !isIdle ? io.stderr : undefined
  if (isIdle && exitCode === exitCodes.fine) io.stderr.write(`pet-mock: Nothing was judged: ${noCall}\n`)
  else if (to === undefined && ofConduct.calls > 0)
    for (const note of ofConduct.notes) io.stderr.write(`pet-mock: ${printable(note)}\n`)
  const { name, keys } = facts.scenario
  const typed = shellWords(['pet-mock', 'exec', ...invocation.typedWords, '--', ...command])
  const masked = maskTexts(keys.keys(), createSecrets(values.mask))(typed)
  const about = { failOn: values['fail-on'], files, to, command: masked, scenario: name }
  const reportCode = await writeReports(reports, about, io)
  // The command's own failure takes precedence.
  const ownCode = isSaved ? reportCode : exitCodes.notSaved
  const code = exitCode === exitCodes.fine ? ownCode : exitCode
  if (box === undefined) return code
  const { endBox } = await import('../../box/box-file.ts')
  return endBox(box, values['box-when'] === 'always' || code !== exitCodes.fine, code, io)
}

/** --require needs a profile, and --allow-assumed names of settings. */
function checkRequired({ values, sources }: Parameters<Run<ExecValues>>[0]): readonly string[] {
  const { require, profile, 'allow-assumed': allowed } = values
  const known = assumedSettings.map(({ path }) => path)
  return [
    ...(require !== undefined && profile === undefined
      ? [`${sources.require}: there is no profile; add --profile FILE, which pet-mock learn writes`]
      : []),
    ...allowed
      .filter(path => !known.includes(path))
      .map(path => `${sources['allow-assumed']}: ${unknownName('setting', path, known)}`),
  ]
}

/** Runs a command on the streams of this process. Resolves with its exit code, as a shell reports it. */
function runCommand(command: readonly string[], env: Environment, { notice }: Reporter, io: Io) {
  const [program = '', ...args] = command
  const name = shellWords(command)
  return new Promise<number>(resolve => {
    // Listen before the command starts: an early signal would end this process alone.
    let child: ChildProcess | undefined
    const pass = (signal: NodeJS.Signals) => child?.kill(signal)
    const endRelay = relaySignals(io, pass, text => notice(`${name} ${text}`))
    const end = (exitCode: number) => {
      endRelay()
      resolve(exitCode)
    }
    const refuse = (error: Error) => {
      const { exitCode, text } = explainSpawnError(error, program)
      io.stderr.write(`${text}\n`)
      end(exitCode)
    }
    try {
      child = spawn(program, args, { stdio: 'inherit', env })
    } catch (error) {
      if (!isSpawnError(error)) throw error
      refuse(error)
      return
    }
    child.on('error', (error: NodeJS.ErrnoException) => {
      // The command belongs to another user, such as that of sudo. It runs on.
      if (error.syscall === 'kill')
        notice(`${name} does not accept signals, and keeps running (${error.code}).`)
      else refuse(error)
    })
    child.once('exit', (code, signal) => end(exitCodeOf(code, signal)))
  })
}

/** The time that the command has to end, before the next signal kills it, in milliseconds. */
const graceMs = 3_000
/** Within this time, ignore the same signal: npm repeats the signals of the process group. In milliseconds. */
const echoMs = 50
/** Ctrl+C is ordinary in a program that runs on. Only presses in a row mean that it should end, in milliseconds. */
const rowMs = 10_000

/**
 * Passes signals on to a command. If it still runs after the grace time, prints a notice, and kills it at the next
 * signal. `pass` sends a signal to the command. `notice` prints a text that follows its name. Returns a function that
 * stops this.
 *
 * Does not pass on a Ctrl+C, as system(3) of POSIX: every process of the terminal gets it, the command included. The
 * third in a row kills a command that ignores it.
 */
export function relaySignals(
  { onSignal, isSentToAll }: Pick<Io, 'onSignal' | 'isSentToAll'>,
  pass: (signal: NodeJS.Signals) => void,
  notice: (text: string) => void,
): () => void {
  let first: { readonly signal: Signal; readonly at: number } | undefined
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  let typed = { count: 0, at: Number.NEGATIVE_INFINITY }
  const countTyped = (now: number) => {
    const gap = now - typed.at
    if (gap <= echoMs) return
    typed = { count: gap <= rowMs ? typed.count + 1 : 1, at: now }
    if (typed.count === 2) notice('is still running: a third Ctrl+C kills it.')
    if (typed.count >= 3) pass('SIGKILL')
  }
  const relay = (signal: Signal) => {
    const now = performance.now()
    if (isOver) return
    if (isSentToAll(signal)) countTyped(now)
    else if (first === undefined) {
      first = { signal, at: now }
      timer = setTimeout(() => {
        notice(`is still running ${graceMs / 1_000} s after ${signal}: the next signal kills it.`)
      }, graceMs)
      pass(signal)
    } else if (now - first.at >= graceMs) pass('SIGKILL')
    else if (signal !== first.signal || now - first.at > echoMs) pass(signal)
  }
  onSignal(['SIGINT', 'SIGTERM', 'SIGHUP'], relay)
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}
