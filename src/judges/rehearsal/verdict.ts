import type { ScenarioFile } from '../../control/scenario/file.ts'
import type { Mark, Unjudged } from '../report/report.ts'
import type { ClientRun } from './client-run.ts'
import { type Reason, reasonsOf, recoveryOf, sortReasons } from './reason.ts'
import type { Begin, Rehearsal } from './rehearsal.ts'
import { callsAround } from './run-log.ts'

interface JudgedSituation {
  readonly name: string
  readonly file: ScenarioFile
  readonly rehearsal: Rehearsal
  readonly begins?: Begin | undefined
}

/**
 * Flaky: some runs passed, and some failed. Not met: no run failed, and none met the situation. Unjudged: no run failed, and
 * calls of one could not be judged.
 */
export type SituationResult = 'passed' | 'unjudged' | 'not-met' | 'failed' | 'flaky'

/** How a client came through a situation, as plain JSON. Of several runs, it describes the first that failed, else the first with calls that could not be judged, else the first. */
export type SituationVerdict = Readonly<ReturnType<typeof judgeSituation>>

/** Judges all runs of a client in a situation. `calm`: the run without any disturbance. */
export function judgeSituation(
  { name, file, rehearsal, begins }: JudgedSituation,
  runs: readonly ClientRun[],
  calm: ClientRun,
) {
  const judged = runs.map(run => ({ run, reasons: reasonsOf(run, rehearsal) }))
  const failed = judged.filter(({ reasons }) => reasons.length > 0)
  const passed = judged.length - failed.length
  const open = judged.find(({ run }) => [run, run.alone].some(one => one?.conduct.unjudged.length))
  const { run: shown, reasons } = failed[0] ?? open ?? judged[0] ?? { run: calm, reasons: [] }
  const { conduct, outcome, alone, instances } = shown
  const ended = reasons.find(({ kind }) => kind === 'exit')?.instances?.[0] ?? 0
  /** Why no run met it, also if a run failed: `made 1 call; this situation begins at call 4`. Null: a run met it. */
  const unmet = runs.every(run => run.unmet !== undefined) ? (runs[0]?.unmet ?? null) : null
  const most = (of: (run: ClientRun) => number) => Math.max(0, ...runs.map(of))
  /** With several instances: how many, and the ids of what one alone did not do. */
  const fleet = fleetOf(runs, rehearsal)
  const all = mergeReasons(
    failed.flatMap(one => one.reasons),
    runs.length,
  )
  return {
    name,
    title: file.title ?? name,
    result: resultOf(passed, failed.length, unmet, open !== undefined),
    unmet,
    /** When it began, if it was moved to the middle of the client's calls. */
    begins: begins ?? null,
    /** Whether it failed, and the baseline has every reason. */
    known: false,
    ...(fleet && { fleet }),
    /** Of all runs, the worst first. */
    reasons: all.map(reason =>
      fleet?.only.includes(reason.id) ? withRemark(reason, 'only the fleet did') : reason,
    ) as readonly Reason[],
    /** Passed: those without a reason. */
    runs: { passed, failed: failed.length },
    exit: {
      expected: rehearsal.expects,
      found: instances?.[ended - 1] ?? outcome,
      isAsExpected: reasons.every(({ kind }) => kind !== 'exit'),
    },
    recovery: recoveryOf(shown),
    /** The longest time that a recovery may take, in milliseconds of the emulator's clock. Null: no matter. */
    recovers: rehearsal.recovers ?? null,
    /** Calls that a better client would not make: the most of one run. */
    waste: {
      /** By a limit or a ban. */
      refused: most(run => run.facts.refused),
      /** Before the end of a wait that the client knew of. */
      early: most(run => run.facts.early),
      /** More than the calm run needed. */
      beyondCalm: most(run => run.facts.calls - calm.facts.calls * (run.instances?.length ?? 1)),
    },
    /** The most of one run. */
    calls: most(run => run.facts.calls),
    /** Real time. */
    durationMs: shown.durationMs,
    /** All findings about conduct, also those that fail nothing here. */
    conduct: conduct.findings,
    /** Calls that could not be judged. */
    unjudged: [...conduct.unjudged, ...(alone?.conduct.unjudged ?? [])] as readonly Unjudged[],
    /** Other limits of the verdict. */
    notes: alone?.unmet ? [...conduct.notes, `One instance alone ${alone.unmet}.`] : conduct.notes,
    callsAround:
      failed.length === 0
        ? []
        : callsAround(shown.calls, reasons.flatMap(one => one.evidence).find(one => one.request)?.request),
    /** The end of the output of a run that failed. */
    output: failed.length === 0 ? '' : shown.output,
    /** The chart of the busiest caller. */
    flight: conduct.flights[0] ?? null,
  }
}

/** A failure counts also where the client did not meet the situation. */
function resultOf(passed: number, failed: number, unmet: string | null, isOpen: boolean): SituationResult {
  if (failed > 0) return passed === 0 ? 'failed' : 'flaky'
  if (unmet !== null) return 'not-met'
  return isOpen ? 'unjudged' : 'passed'
}

/** One reason of each kind, with the text of the first run that failed for it. */
function mergeReasons(reasons: readonly Reason[], runs: number): readonly Reason[] {
  const merged = new Map<string, Reason>()
  for (const reason of reasons) {
    const first = merged.get(reason.id)
    merged.set(reason.id, first === undefined ? reason : { ...first, runs: first.runs + reason.runs })
  }
  const named = Array.from(merged.values(), reason =>
    runs === 1 ? reason : withRemark(reason, `in ${reason.runs} of ${runs} runs`),
  )
  return sortReasons(named)
}

function withRemark(reason: Reason, remark: string): Reason {
  return { ...reason, title: reason.title.replace(/\.?$/, ` (${remark}).`) }
}

/** What several instances of the client did, in any run, and one alone in none. */
function fleetOf(runs: readonly ClientRun[], rehearsal: Rehearsal) {
  const [instances] = runs.map(run => run.instances?.length)
  if (instances === undefined) return undefined
  const idsOf = (run: ClientRun) =>
    [...reasonsOf({ ...run, alone: undefined }, rehearsal), ...run.conduct.findings].map(({ id }) => id)
  const alone = runs.flatMap(run => (run.alone === undefined ? [] : idsOf(run.alone)))
  const only = new Set(runs.flatMap(idsOf).filter(id => !alone.includes(id)))
  return { instances, only: [...only] }
}

export function isFailed({ result }: Pick<SituationVerdict, 'result'>): boolean {
  return result === 'failed' || result === 'flaky'
}

/** Whether the client met no situation at all: then the rehearsal proves nothing. */
export function isNothingMet(verdicts: readonly SituationVerdict[]): boolean {
  return verdicts.length > 0 && verdicts.every(({ result }) => result === 'not-met')
}

export function isFailing(verdict: SituationVerdict): boolean {
  return isFailed(verdict) && !verdict.known
}

/** What a situation's row shows first. */
export function markOf({ result, known, exit, recovery }: SituationVerdict): Mark {
  if (known) return 'known'
  const hasFailed = exit.found.kind === 'exited' && exit.found.exitCode !== 0
  const isAllowed = exit.expected === 'either' && hasFailed && recovery.kind !== 'recovered'
  return result === 'passed' && isAllowed ? 'allowed' : result
}
