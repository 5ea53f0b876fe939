import fc from 'fast-check'
import { growthOf, mostGrowth, type Sample } from './heap.ts'
import type { Checked, Failure, Lane } from './lane.ts'

export interface Wanted {
  readonly seed: number
  /** Leads to one case, which alone is checked. */
  readonly path?: string | undefined
  readonly inputs: number
  /** Milliseconds after which no more cases are drawn. */
  readonly ms?: number | undefined
}

export interface LaneResult {
  readonly cases: number
  readonly inputs: number
  readonly ms: number
  readonly samples: readonly Sample[]
  readonly failure: Failure | undefined
}

/** Milliseconds that a case may take, and of this process's CPU time an input. */
const caseMs = 60_000
const cpuMsOfInput = 3_000
/** Milliseconds that a search for a smaller case may take. */
const shrinkMs = 30_000
/** Measurements of the heap in a run. */
const samplesOfRun = 24
/** Inputs between two measurements: a short run is no measure of growth. */
const leastBetween = 50

/** Checks the cases of one lane in this process. `onCase` is called before each case, with its number from 0. */
export async function checkLane(
  lane: Lane,
  { seed, path, inputs: wanted, ms }: Wanted,
  onCase: (number: number) => void = () => {},
): Promise<LaneResult> {
  const session = await lane.open()
  const began = performance.now()
  const samples: Sample[] = []
  const every = Math.max(wanted / samplesOfRun, leastBetween)
  let [inputs, started, next] = [0, 0, every]
  let failedAt: number | undefined
  const around = async (run: () => Promise<number>) => {
    if (failedAt !== undefined) fc.pre(performance.now() - failedAt < shrinkMs)
    onCase(started)
    started += 1
    const before = process.cpuUsage()
    try {
      const count = await run()
      expectQuick(process.cpuUsage(before), count)
      inputs += count
    } catch (error) {
      failedAt ??= performance.now()
      throw error
    }
    if (inputs < next || failedAt !== undefined) return
    next = inputs + every
    samples.push({ inputs, heap: await session.heap() })
  }
  const numRuns = path === undefined ? Math.max(1, Math.ceil(wanted / lane.perCase)) : 1
  const limits = ms === undefined ? {} : { interruptAfterTimeLimit: ms, markInterruptAsFailure: false }
  const where = path === undefined ? {} : { path }
  try {
    const checked = await session.check({ seed, ...where, numRuns, timeout: caseMs, ...limits }, around)
    const failure = checked.failure ?? explainNothing(inputs) ?? explainGrowth(samples, lane.keeps ?? 0)
    return { cases: checked.cases, inputs, ms: performance.now() - began, samples, failure }
  } finally {
    await session.close()
  }
}

function expectQuick({ user, system }: NodeJS.CpuUsage, inputs: number): void {
  const ms = (user + system) / 1_000
  const most = cpuMsOfInput * Math.max(1, inputs)
  if (ms > most) throw new Error(`It took ${Math.round(ms)} ms of CPU time: at most ${most} are allowed.`)
}

function explainNothing(inputs: number): Checked['failure'] {
  if (inputs > 0) return undefined
  return {
    problem: 'No input was checked: too little time, or no case has this path.',
    input: 'none',
    path: undefined,
  }
}

function explainGrowth(samples: readonly Sample[], keeps: number): Checked['failure'] {
  const growth = growthOf(samples)
  if (growth === undefined || growth.bytes <= mostGrowth + keeps * growth.inputs) return undefined
  const problem = `The heap grew by ${growth.bytes} bytes after its warm-up, ${growth.perInput.toFixed(1)} an input.`
  return { problem, input: JSON.stringify(samples), path: undefined }
}
