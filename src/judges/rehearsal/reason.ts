import { formatDuration } from '../../base/time/duration.ts'
import { conductIds } from '../conduct/checks.ts'
import { type Finding, failsOn, rankOf, titleOfInstances } from '../report/finding.ts'
import { judgeFailedCheck, shownFindings, unjudgedCheck } from '../report/unjudged.ts'
import type { ClientRun } from './client-run.ts'
import ownReasons from './reasons.json' with { type: 'json' }
import { isInTime, type Recovery, repetitions } from './recovery.ts'
import type { Rehearsal } from './rehearsal.ts'

/** What a situation checks, in the order in which reports list it. */
export const reasonKinds = ['exit', 'conduct', 'recovery'] as const
export type ReasonKind = (typeof reasonKinds)[number]

/** Why a client fails in a situation. `expected`: the baseline has it. `count`: how often, in one run. */
export interface Reason extends Finding {
  readonly kind: ReasonKind
  readonly runs: number
}

/** The ids of all reasons, the worst first. */
export const reasonIds: readonly string[] = [
  ...Object.keys(ownReasons),
  judgeFailedCheck.id,
  unjudgedCheck.id,
  ...conductIds,
]

/** Why a run fails, or the run of one instance before it. */
export function reasonsOf(run: ClientRun, rehearsal: Rehearsal): readonly Reason[] {
  const own = reasonsOfRun(run, rehearsal)
  const named = run.instances === undefined ? own : own.map(one => ({ ...one, title: titleOfInstances(one) }))
  const alone = run.alone === undefined ? [] : reasonsOfRun(run.alone, rehearsal)
  const others = alone.filter(({ id }) => own.every(reason => reason.id !== id))
  return sortReasons([
    ...named,
    ...others.map(one => ({ ...one, title: `One instance alone: ${one.title}` })),
  ])
}

function reasonsOfRun(run: ClientRun, rehearsal: Rehearsal): readonly Reason[] {
  const { allow, forbid, failOn } = rehearsal
  const ids = new Map([...allow.map(id => [id, false] as const), ...forbid.map(id => [id, true] as const)])
  const found = shownFindings(run.conduct).filter(failsOn({ level: failOn, ids }))
  return sortReasons([
    ...[judgeExits(run, rehearsal), judgeRecovery(run, rehearsal)].filter(one => one !== undefined),
    ...found.map(finding => ({ ...finding, kind: 'conduct', runs: 1 }) as const),
  ])
}

/** The worst first. */
export function sortReasons<T extends Finding>(reasons: readonly T[]): readonly T[] {
  const placeOf = ({ id }: T) => (reasonIds.includes(id) ? reasonIds.indexOf(id) : reasonIds.length)
  return reasons.toSorted((one, other) => rankOf(one) - rankOf(other) || placeOf(one) - placeOf(other))
}

/** Milliseconds as text, as exact as people read it: `250ms`, `1m12s`, `12.8h`. */
export function roundedDuration(ms: number): string {
  const [, step = 360_000] = steps.find(([below]) => ms < below) ?? []
  return formatDuration(Math.round(ms / step) * step)
}

/** Below this time, round to multiples of that one. */
const steps: readonly (readonly [below: number, step: number])[] = [
  [10_000, 10],
  [600_000, 1_000],
  [7_200_000, 60_000],
]

/** The worst end of all instances, with the numbers of those that ended as badly. */
function judgeExits(run: ClientRun, rehearsal: Rehearsal): Reason | undefined {
  if (run.instances === undefined) return judgeExit(run, rehearsal)
  const all = run.instances.flatMap((outcome, at) => {
    const reason = judgeExit({ ...run, outcome }, rehearsal)
    return reason === undefined ? [] : [{ ...reason, instances: [at + 1] }]
  })
  const [worst] = sortReasons(all)
  const instances = all.flatMap(one => (one.id === worst?.id ? one.instances : []))
  // Instances may share one call.
  return worst && { ...worst, instances: worst.id === 'no-calls' ? [] : instances }
}

function judgeExit({ outcome, facts, calls }: ClientRun, { expects }: Rehearsal): Reason | undefined {
  if (outcome.kind === 'hung')
    return reason(
      'hung',
      `The command did not end within ${roundedDuration(outcome.afterMs)}, so it was ended.`,
      'Give each call a timeout, and each wait and the number of retries a limit. If the command is only slow, use a longer --timeout.',
    )
  const { exitCode } = outcome
  const signal = crashes[exitCode - signalBase]
  if (signal !== undefined && expects !== 'success')
    return reason(
      'crashed',
      `The signal ${signal} ended the command (exit code ${exitCode}), which is a crash and no way to give up.`,
      'The output of the command may say more. A program that needs too much memory ends with SIGABRT or SIGKILL.',
    )
  if (expects === 'success' && exitCode !== 0) {
    // Often the one that the command gave up after.
    const last = facts.recovery.kind === 'unneeded' && calls.findLast(({ hasFailed }) => hasFailed)
    return reason(
      'exit-code',
      `The command failed with exit code ${exitCode}, but success was expected.${last ? ` The last call that failed: ${last.what} ${last.detail}.` : ''}`,
      exitRemedies[facts.recovery.kind],
    )
  }
  if (expects === 'failure' && exitCode === 0)
    return reason(
      'exit-code',
      'The command ended with exit code 0, but failure was expected.',
      'Report calls that fail for good: a command that hides them must not end with 0.',
    )
  if (facts.calls === 0)
    return reason(
      'no-calls',
      'The command made no call to the API, so nothing was tried.',
      'The output of the command may say why: two runs at once may need the same port or file, so try --jobs 1. If the command leaves out this situation on purpose, use --skip.',
    )
  return undefined
}

/** A client that was ended before calls could succeed did not give up. */
export function recoveryOf({ outcome, facts: { recovery } }: ClientRun): Recovery {
  return outcome.kind === 'hung' && recovery.kind === 'ended-early'
    ? { kind: 'unjudged', reason: 'the command was ended before calls could succeed again' }
    : recovery
}

const giveUpRemedy =
  'Wait as long as Retry-After says, and make the call again. Without Retry-After, or after a response that breaks off, retry for longer, with growing waits.'

const exitRemedies: Readonly<Record<Recovery['kind'], string>> = {
  unneeded: 'The situation refused and broke no call. The output of the command says why it failed.',
  recovered: 'Calls succeeded again: repeat the call that failed, and go on.',
  'ended-early': giveUpRemedy,
  stopped: giveUpRemedy,
  'failed-again': 'Wait until calls can succeed before each retry, and retry more often.',
  unjudged: 'The output of the command says why it failed.',
}

function judgeRecovery(run: ClientRun, { recovers }: Rehearsal): Reason | undefined {
  if (recovers === undefined) return undefined
  const recovery = recoveryOf(run)
  const within = roundedDuration(recovers)
  const missing = (title: string, remedy: string) => reason('recovery', title, remedy)
  switch (recovery.kind) {
    case 'unneeded':
      return undefined
    case 'recovered':
      if (isInTime(recovery, recovers)) return undefined
      return missing(
        `Calls succeeded again only ${roundedDuration(recovery.afterMs)} after the service allowed them; expected: within ${within}.`,
        'Call again as soon as the wait is over: use Retry-After instead of a backoff of your own, or limit its longest wait. A ban for early calls delays recovery too.',
      )
    case 'ended-early':
      return missing(
        `The client gave up after ${recovery.call} got ${recovery.what}, ${roundedDuration(recovery.missingMs)} before calls could succeed again. ${repetitions(recovery)}`,
        giveUpRemedy,
      )
    case 'stopped':
      return missing(
        `After ${recovery.call} got ${recovery.what}, the client made no call that could succeed again. ${repetitions(recovery)}`,
        giveUpRemedy,
      )
    case 'failed-again':
      return missing(
        `No call succeeded again, although ${recovery.calls === 1 ? 'one was' : `${recovery.calls} were`} made when the service allowed it. The last one, ${recovery.call}, got ${recovery.what}.`,
        'Retry more than once, with growing waits, and send no call that the service rejects.',
      )
    case 'unjudged':
      if (run.outcome.kind === 'hung') return undefined
      return reason(
        'recovery-unjudged',
        `Recovery could not be judged: ${recovery.reason}.`,
        'In the scenario, let the situation end (between, ttl, times), or remove rehearsal.recovers.',
      )
  }
}

function reason(id: keyof typeof ownReasons, title: string, remedy: string): Reason {
  const { kind, source } = ownReasons[id]
  return {
    id,
    kind: kind as ReasonKind,
    severity: 'error',
    title,
    remedy,
    source,
    count: 1,
    evidence: [],
    runs: 1,
  }
}

/** Signals that end a program which cannot go on, by their numbers on Linux and macOS. */
const crashes: Readonly<Record<number, string>> = {
  4: 'SIGILL',
  6: 'SIGABRT',
  8: 'SIGFPE',
  9: 'SIGKILL',
  11: 'SIGSEGV',
}

/** A shell adds this to the number of a signal. */
const signalBase = 128
