import { setTimeout as sleep } from 'node:timers/promises'
import type { Cell } from './cells.ts'
import type { Programs } from './programs.ts'
import { type CellRun, type StartedCell, startCell } from './run-cell.ts'

/** Most cells are waiting. */
const runningAtOnce = 40

/** So many clients load together. */
const batchSize = 8

/** Calls at once go on after the first refusal, in milliseconds. */
const burstMs = 1_000

/** A run that failed on a disturbed machine is made again, so often. */
const mostRounds = 4

interface Place {
  readonly programs: Programs
  readonly folder: string
}

/**
 * Runs cells, and reports each run to `onEnd`, but no failure on a disturbed machine: such a run is made again. `isOver`: no
 * further cell starts. Returns how many runs were made again.
 */
export async function runCells(
  cells: readonly Cell[],
  place: Place,
  onEnd: (run: CellRun) => void,
  isOver: () => boolean = () => false,
): Promise<number> {
  let [again, left] = [0, cells]
  for (let round = 0; left.length > 0; round += 1) {
    const disturbed: Cell[] = []
    const sort = (run: CellRun) =>
      !run.holds && run.isDisturbed && round < mostRounds ? disturbed.push(run.cell) : onEnd(run)
    await runRound(left, place, sort, isOver)
    again += disturbed.length
    left = disturbed
  }
  return again
}

/**
 * Many cells run at a time. Clients load together. Then one after the other makes the calls up to its first refusal, while
 * nothing else starts: these calls show how a client uses its connections.
 */
async function runRound(
  cells: readonly Cell[],
  { programs, folder }: Place,
  onEnd: (run: CellRun) => void,
  isOver: () => boolean,
): Promise<void> {
  const running = new Set<Promise<void>>()
  const start = (cell: Cell, index: number): StartedCell => {
    const started = startCell(cell, programs, folder, `${index}`)
    const ended: Promise<void> = started.ended.then(run => {
      running.delete(ended)
      onEnd(run)
    })
    running.add(ended)
    return started
  }
  for (let first = 0; first < cells.length && !isOver(); first += batchSize) {
    while (running.size > runningAtOnce - batchSize) await Promise.race(running)
    const batch = cells.slice(first, first + batchSize)
    const started = batch.map((cell, index) => start(cell, first + index))
    await Promise.all(started.map(({ ready }) => ready))
    for (const [index, { go, refused }] of started.entries()) {
      go()
      await refused
      if (batch[index]?.plan.shape !== 'loop') await sleep(burstMs)
    }
  }
  await Promise.all(running)
}
