import { spawn } from 'node:child_process'
import { type Cell, table } from './cells.ts'
import { coverPairs } from './pairs.ts'
import { findPrograms, languageOf, needs } from './programs.ts'
import type { CellRun } from './run-cell.ts'
import { runCells } from './run-cells.ts'

export const usualTimes = { pairs: 20, others: 3 } as const

interface CellResult {
  readonly cell: Cell
  runs: number
  readonly failures: CellRun[]
}

export interface SoakResult {
  readonly results: readonly CellResult[]
  readonly missing: readonly string[]
  /** Runs that failed on a disturbed machine, and were made again. */
  readonly again: number
  readonly left: number
  readonly minutes: number
}

const logMs = 60_000

export async function soakConduct(
  cells: readonly Cell[],
  { times, minutes }: { readonly times: number | undefined; readonly minutes: number },
  folder: string,
  log: (line: string) => void,
): Promise<SoakResult> {
  const startedAt = performance.now()
  const isOver = () => performance.now() - startedAt > minutes * 60_000
  const programs = findPrograms(folder)
  const isMissing = ({ plan: { kind } }: Cell) => programs[languageOf(kind)] === undefined
  const missing = [...new Set(cells.filter(isMissing).map(({ plan: { kind } }) => needs[languageOf(kind)]))]
  for (const need of missing) log(`NOT RUN: no ${need}`)
  const runnable = cells.filter(cell => !isMissing(cell))
  const results = new Map(runnable.map((cell): [Cell, CellResult] => [cell, { cell, runs: 0, failures: [] }]))

  const cover = new Set(coverPairs(table))
  const pairs = repeat(
    runnable.filter(cell => cover.has(cell)),
    times ?? usualTimes.pairs,
  )
  const others = repeat(
    runnable.filter(cell => !cover.has(cell)),
    times ?? usualTimes.others,
  )
  const planned = pairs.length + others.length
  let [done, failed, again] = [0, 0, 0]
  const progress = setInterval(() => log(`${done} of ${planned} runs, ${failed} failed`), logMs)
  const stopLoops = startBusyLoops(2)
  const onEnd = (run: CellRun) => {
    done += 1
    const result = results.get(run.cell)
    if (result !== undefined) result.runs += 1
    if (run.holds) return
    failed += 1
    result?.failures.push(run)
    log(`FAILED ${run.cell.id}`)
  }
  try {
    again += await runCells(pairs, { programs, folder }, onEnd, isOver)
    stopLoops()
    again += await runCells(others, { programs, folder }, onEnd, isOver)
  } finally {
    stopLoops()
    clearInterval(progress)
  }
  const left = planned - done
  return {
    results: [...results.values()],
    missing,
    again,
    left,
    minutes: (performance.now() - startedAt) / 60_000,
  }
}

function repeat(cells: readonly Cell[], times: number): readonly Cell[] {
  return Array.from({ length: times }, () => cells).flat()
}

/** Keeps this many processors busy until the returned function is called, or this process ends. */
function startBusyLoops(count: number): () => void {
  const loop = `const parent = process.ppid; while (process.ppid === parent) for (let turn = 0; turn < 1e8; turn += 1);`
  const children = Array.from({ length: count }, () =>
    spawn(process.execPath, ['--eval', loop], { stdio: 'ignore' }),
  )
  return () => {
    for (const child of children) child.kill('SIGKILL')
  }
}
