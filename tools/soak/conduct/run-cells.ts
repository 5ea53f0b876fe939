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

/**
 * Runs cells, many at a time, and reports each to `onEnd`. Clients load together. Then one after the other makes the calls up to
 * its first refusal, while nothing else starts: these calls show how a client uses its connections. `isOver`: no further cell
 * starts.
 */
export async function runCells(
  cells: readonly Cell[],
  { programs, folder }: { readonly programs: Programs; readonly folder: string },
  onEnd: (run: CellRun) => void,
  isOver: () => boolean = () => false,
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
