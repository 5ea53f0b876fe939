import { basename, extname, join } from 'node:path'
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
import { createMachineRoom, runPool } from '../../clients/run-pool.ts'
import { typedPath } from '../../start/load/loading.ts'
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

/** Resolves with a verdict for each situation, or why the command did not run. */
async function rehearse(
  { situations, calm, command, optionsOf, judge, fitted }: Prepared,
  { repeat, jobs, instances }: RehearseValues,
  { stop, hurry }: StopSignals,
  sunset: ReturnType<typeof watchSunset> | undefined,
  boxes: ReturnType<typeof keepBoxes> | undefined,
  io: Io,
) {
  const room = jobs === undefined ? createMachineRoom() : (running: number) => jobs - running
  const names = situations.map(({ name }) => name)
  const progress = createProgress(io, names)
  const isFleet = instances > 1
  const halt = new AbortController()
  const ending = AbortSignal.any([stop, halt.signal])
  const runOne = async (situation: RehearsedSituation, calm?: ClientRun, count = isFleet ? 1 : undefined) => {
    const box = boxes?.begin(situation.name)
    const onOpen = (emulator: Emulator) => sunset?.watch(situation.name, emulator)
    const recording = box && { onStart: box.record }
    const options = { ...optionsOf(situation), instances: count, stop: ending, hurry, onOpen, ...recording }
    const result = await runClient(situation, options, progress.io)
    await box?.end(result.ok && judge(situation, [result.run], calm ?? result.run).runs.failed > 0)
    return result
  }
  const runFleet = async (situation: RehearsedSituation, calm: ClientRun, alone: ClientResult) => {
    if (!isFleet || !alone.ok) return alone
    const all = await runOne(situation, calm, instances)
    return all.ok ? { ...all, run: { ...all.run, alone: alone.run } } : all
  }
  /** Once `stop` aborts, the verdicts are those so far. `first`: a run of the calm situation, which counts as its first one. */
  const rehearseAll = async (calmRun: ClientRun, first: ClientRun) => {
    const runs = new Map<string, ClientRun[]>()
    const verdicts = new Map<string, SituationVerdict>()
    let notRun: NotRun | undefined
    const add = (situation: RehearsedSituation, one: ClientRun) => {
      const all = [...(runs.get(situation.name) ?? []), one]
      runs.set(situation.name, all)
      if (all.length < repeat) return
      // Each run holds much text.
      runs.delete(situation.name)
      const verdict = judge(situation, all, calmRun)
      verdicts.set(situation.name, verdict)
      progress.end(verdict)
    }
    const fittedOnes = situations.map(situation => fitted(situation, calmRun.facts.calls))
    for (const situation of fittedOnes) if (situation.name === calm.name) add(situation, first)
    const tasks = inStartOrder(fittedOnes).flatMap(situation => {
      const left = situation.name === calm.name ? repeat - 1 : repeat
      return Array.from({ length: left }, () => async () => {
        progress.begin(situation.name)
        const result = await runFleet(situation, calmRun, await runOne(situation, calmRun))
        if (result.ok) add(situation, result.run)
        else {
          notRun ??= result
          halt.abort()
        }
      })
    })
    await runPool(tasks, room, ending)
    if (notRun !== undefined && !stop.aborted) return notRun
    return { ok: true as const, calm: calmRun, verdicts: names.flatMap(name => verdicts.get(name) ?? []) }
  }
  try {
    progress.begin(calm.name)
    const first = await checkCalm(runOne(calm), command.shown, io)
    if (!first.ok) return first
    const shown = situations.includes(calm) ? await runFleet(calm, first.run, first) : first
    return shown.ok ? await rehearseAll(first.run, shown.run) : shown
  } finally {
    progress.close()
  }
}

/** Puts situations with delays first: delays take real time on any clock. The others keep their order. */
function inStartOrder(situations: readonly RehearsedSituation[]): readonly RehearsedSituation[] {
  const isSlowFault = (fault: unknown) => {
    const name = typeof fault === 'object' && fault !== null ? Object.keys(fault)[0] : fault
    return name === 'slow' || name === 'hang' || name === 'slow-close'
  }
  const isSlow = ({ scenario }: RehearsedSituation) =>
    (scenario.rules ?? []).some(({ then }) => then?.delay != null || isSlowFault(then?.fault))
  return situations.toSorted((one, other) => Number(isSlow(other)) - Number(isSlow(one)))
}

/** Records each run of a client in a box of its own: `ban.petbox`, `ban-2.petbox`. Keeps those of failed runs. */
function keepBoxes(folder: string, io: Pick<Io, 'pid' | 'stderr'>) {
  const paths = new Set<string>()
  const kept: string[] = []
  const problems: string[] = []
  return {
    begin: (situation: string) => {
      const name = basename(situation, extname(situation)).replace(/[^\w.-]/g, '-')
      let path = join(folder, `${name}.petbox`)
      for (let count = 2; paths.has(path); count += 1) path = join(folder, `${name}-${count}.petbox`)
      paths.add(path)
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
