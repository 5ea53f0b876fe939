import type { ScenarioFile } from '../../../control/scenario/file.ts'
import type { ClientRun } from '../../../judges/rehearsal/client-run.ts'
import type { SituationVerdict } from '../../../judges/rehearsal/verdict.ts'
import type { ClientResult } from '../../clients/run-client.ts'
import type { NotRun } from '../../clients/run-command.ts'
import { type Room, runPool } from '../../clients/run-pool.ts'
import type { RehearsedSituation } from './load-situations.ts'

interface RehearsalPlan {
  readonly situations: readonly RehearsedSituation[]
  /** The calm run counts as the first run of this situation. */
  readonly calm: { readonly name: string; readonly run: ClientRun }
  readonly repeat: number
  readonly room: Room
  readonly stop: AbortSignal
  readonly run: (situation: RehearsedSituation, stop: AbortSignal) => Promise<ClientResult>
  readonly judge: (situation: RehearsedSituation, runs: readonly ClientRun[]) => SituationVerdict
  readonly onBegin: (name: string) => void
  readonly onEnd: (verdict: SituationVerdict) => void
}

/** A verdict for each situation, or why the command did not run. */
export type Rehearsed = { readonly ok: true; readonly verdicts: readonly SituationVerdict[] } | NotRun

/** Runs the client in every situation, and judges it. Once `stop` aborts, the verdicts are those so far. */
export async function rehearseClient(plan: RehearsalPlan): Promise<Rehearsed> {
  const { situations, calm, repeat, room, stop, run, judge, onBegin, onEnd } = plan
  const halt = new AbortController()
  const ending = AbortSignal.any([stop, halt.signal])
  const runs = new Map<string, ClientRun[]>()
  const verdicts = new Map<string, SituationVerdict>()
  let notRun: NotRun | undefined
  const add = (situation: RehearsedSituation, one: ClientRun) => {
    const all = [...(runs.get(situation.name) ?? []), one]
    runs.set(situation.name, all)
    if (all.length < repeat) return
    // Each run holds much text.
    runs.delete(situation.name)
    const verdict = judge(situation, all)
    verdicts.set(situation.name, verdict)
    onEnd(verdict)
  }
  for (const situation of situations) if (situation.name === calm.name) add(situation, calm.run)
  const tasks = inStartOrder(situations).flatMap(situation => {
    const left = situation.name === calm.name ? repeat - 1 : repeat
    return Array.from({ length: left }, () => async () => {
      onBegin(situation.name)
      const result = await run(situation, ending)
      if (result.ok) add(situation, result.run)
      else {
        notRun ??= result
        halt.abort()
      }
    })
  })
  await runPool(tasks, room, ending)
  if (notRun !== undefined && !stop.aborted) return notRun
  return { ok: true, verdicts: situations.flatMap(({ name }) => verdicts.get(name) ?? []) }
}

/**
 * Puts the situations with delays first: delays take real time on any clock, so they would end last. The others keep their
 * order.
 */
function inStartOrder<One extends { readonly scenario: ScenarioFile }>(
  situations: readonly One[],
): readonly One[] {
  const isSlow = ({ scenario }: One) =>
    (scenario.rules ?? []).some(({ then }) => then?.delay != null || isSlowFault(then?.fault))
  return [...situations.filter(isSlow), ...situations.filter(one => !isSlow(one))]
}

function isSlowFault(fault: unknown): boolean {
  const name = typeof fault === 'object' && fault !== null ? Object.keys(fault)[0] : fault
  return name === 'slow' || name === 'hang' || name === 'slow-close'
}
