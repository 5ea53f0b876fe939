import { basename, extname, join } from 'node:path'
import type { ScenarioFile } from '../../../control/scenario/file.ts'
import type { Emulator } from '../../../emulator/emulator.ts'
import type { Served } from '../../../judges/box/box.ts'
import { conductContext } from '../../../judges/conduct/judge-worlds.ts'
import type { ClientRun } from '../../../judges/rehearsal/client-run.ts'
import { createLifetimeLog, sunsetMoments } from '../../../judges/rehearsal/sunset.ts'
import type { SituationVerdict } from '../../../judges/rehearsal/verdict.ts'
import { type Invocation, type Run, refuseUsage } from '../../arguments/command.ts'
import { usualBoxSize } from '../../arguments/serve-flags.ts'
import { type BoxFile, startBox } from '../../box/box-file.ts'
import { type ClientResult, runClient } from '../../clients/run-client.ts'
import type { NotRun } from '../../clients/run-command.ts'
import { createMachineRoom, type Room, runPool } from '../../clients/run-pool.ts'
import { typedPath } from '../../start/load/typed-path.ts'
import { type StopSignals, stopOnSignals } from '../../start/stop.ts'
import { exitCodes, type Io } from '../../terminal/io.ts'
import { printable } from '../../terminal/text.ts'
import { concludeRehearsal } from './conclude.ts'
import type { RehearseValues } from './flags.ts'
import { type Prepared, prepare, type RehearsedSituation } from './prepare.ts'
import { createProgress } from './progress.ts'
import { checkCalm } from './run-calm.ts'

export const run: Run<RehearseValues> = async invocation => {
  try {
    if (!invocation.values.search) return await rehearseSituations(invocation)
    const { searchClient } = await import('./search-client.ts')
    return await searchClient(invocation)
  } catch (error) {
    const { refuseToListen } = await import('../../start/running-servers.ts')
    return refuseToListen(error, { host: '127.0.0.1', port: 0 }, invocation.io)
  }
}

async function rehearseSituations(invocation: Invocation<RehearseValues>): Promise<number> {
  const { values, io } = invocation
  const prepared = await prepare(invocation)
  if (!prepared.ok) return refuseUsage(prepared.complaints, io)
  const signals = stopOnSignals(io)
  const sunset = values.sunset ? watchSunset() : undefined
  const boxes = values.box === undefined ? undefined : keepBoxes(typedPath(values.box, io.env), io)
  const rehearsed = await rehearse(prepared.value, values, signals, sunset, boxes, io)
  const stopped = signals.exitCode()
  if (stopped !== undefined) {
    const { length } = rehearsed.ok ? rehearsed.verdicts : []
    io.stderr.write(`Stopped: ${length} of ${prepared.value.situations.length} situations were rehearsed.\n`)
    return stopped
  }
  const exitCode = boxes?.conclude() ?? exitCodes.fine
  if (rehearsed.ok) {
    const conclusion = { ...prepared.value, ...rehearsed, sunset: sunset?.rows() }
    return (await concludeRehearsal(conclusion, values, io)) || exitCode
  }
  if (rehearsed.text !== '') io.stderr.write(`${rehearsed.text}\n`)
  return rehearsed.exitCode
}

function watchSunset() {
  const log = createLifetimeLog()
  return {
    watch: (name: string, { observe, sandboxes }: Emulator): void => {
      const moment = sunsetMoments.find(known => known === name)
      if (moment === undefined) return
      const { textOf } = conductContext(sandbox => sandboxes.get(sandbox), sandboxes)
      observe(exchange => log.add(moment, exchange, textOf(exchange)))
    },
    rows: log.rows,
  }
}

type RehearsalEnd = (Extract<Rehearsed, { readonly ok: true }> & { readonly calm: ClientRun }) | NotRun

async function rehearse(
  { situations, calm, command, optionsOf, judge, fitted }: Prepared,
  { repeat, jobs, instances }: RehearseValues,
  { stop, hurry }: StopSignals,
  sunset: ReturnType<typeof watchSunset> | undefined,
  boxes: RunBoxes | undefined,
  io: Io,
): Promise<RehearsalEnd> {
  const room = jobs === undefined ? createMachineRoom() : (running: number) => jobs - running
  const names = situations.map(({ name }) => name)
  const progress = createProgress(io, names)
  const isFleet = instances > 1
  const runOne = async (
    situation: RehearsedSituation,
    stop: AbortSignal,
    calm?: ClientRun,
    count = isFleet ? 1 : undefined,
  ) => {
    const box = boxes?.begin(situation.name)
    const onOpen = (emulator: Emulator) => sunset?.watch(situation.name, emulator)
    const recording = box && { onStart: box.record }
    const options = { ...optionsOf(situation), instances: count, stop, hurry, onOpen, ...recording }
    const result = await runClient(situation, options, progress.io)
    await box?.end(result.ok && judge(situation, [result.run], calm ?? result.run).runs.failed > 0)
    return result
  }
  const runFleet = async (
    situation: RehearsedSituation,
    stop: AbortSignal,
    calm: ClientRun,
    alone: ClientResult,
  ): Promise<ClientResult> => {
    if (!isFleet || !alone.ok) return alone
    const all = await runOne(situation, stop, calm, instances)
    return all.ok ? { ...all, run: { ...all.run, alone: alone.run } } : all
  }
  try {
    progress.begin(calm.name)
    const first = await checkCalm(runOne(calm, stop), command.shown, io)
    if (!first.ok) return first
    const { run: calmRun } = first
    const shown = situations.includes(calm) ? await runFleet(calm, stop, calmRun, first) : first
    if (!shown.ok) return shown
    const rehearsed = await rehearseClient({
      situations: situations.map(situation => fitted(situation, calmRun.facts.calls)),
      calm: { name: calm.name, run: shown.run },
      repeat,
      room,
      stop,
      run: async (situation, stop) =>
        runFleet(situation, stop, calmRun, await runOne(situation, stop, calmRun)),
      judge: (situation, runs) => judge(situation, runs, calmRun),
      onBegin: progress.begin,
      onEnd: progress.end,
    })
    return rehearsed.ok ? { ...rehearsed, calm: calmRun } : rehearsed
  } finally {
    progress.close()
  }
}

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
type Rehearsed = { readonly ok: true; readonly verdicts: readonly SituationVerdict[] } | NotRun

/** Runs the client in every situation, and judges it. Once `stop` aborts, the verdicts are those so far. */
async function rehearseClient(plan: RehearsalPlan): Promise<Rehearsed> {
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

export type RunBoxes = ReturnType<typeof keepBoxes>

/** Records each run of a client in a box of its own: `ban.petbox`, `ban-2.petbox`. Keeps those of failed runs. */
export function keepBoxes(folder: string, io: Pick<Io, 'pid' | 'stderr'>) {
  const counts = new Map<string, number>()
  const kept: string[] = []
  const problems: string[] = []
  return {
    begin: (situation: string) => {
      const name = basename(situation, extname(situation)).replace(/[^\w.-]/g, '-')
      const count = (counts.get(name) ?? 0) + 1
      counts.set(name, count)
      const path = join(folder, `${name}${count === 1 ? '' : `-${count}`}.petbox`)
      let box: BoxFile | undefined
      return {
        record: (emulator: Emulator, served: Served): void => {
          box = startBox(path, emulator, served, usualBoxSize, io)
        },
        /** A run without a request has no box. */
        end: async (isFailed: boolean): Promise<void> => {
          const problem = await box?.end(isFailed)
          if (problem !== undefined) problems.push(problem)
          else if (isFailed && box !== undefined) kept.push(path)
        },
      }
    },
    /** Prints where the boxes are. Returns the exit code of a rehearsal that passed. */
    conclude: (): number => {
      for (const problem of problems) io.stderr.write(`pet-mock: ${printable(problem)}\n`)
      if (kept.length > 0)
        io.stderr.write(
          `pet-mock: the failed runs are in ${printable(kept.join(', '))}. To open one: pet-mock box open FILE\n`,
        )
      return problems.length === 0 ? exitCodes.fine : exitCodes.notSaved
    },
  }
}
