import { type Cell, wordsOf } from './cells.ts'

/** The values of a cell that are paired. Numbers of one kind are one value, so that about 40 cells cover all pairs. */
export function factorsOf({ plan, processes }: Cell): readonly string[] {
  const { kind, sockets, shape, early, pause, calls, end, workers } = plan
  const crowd = processes?.count ?? workers
  const factors = {
    kind: sockets === undefined ? kind : `${kind}-${sockets}`,
    early: early && (early < 3 ? '1-2' : '3-20'),
    pause: pause !== undefined && (pause <= 20 ? '0-20' : pause <= 300 ? '50-300' : '700-2000'),
    ...{ calls, end },
    shape:
      processes === undefined
        ? shape
        : processes.apart === 'sequence'
          ? 'processes that give up'
          : 'processes',
    crowd: crowd && (crowd <= 3 ? '2-3' : '4-8'),
  }
  return Object.entries(factors)
    .filter(([, value]) => value !== undefined && value !== 0)
    .map(([factor, value]) => `${factor} ${value}`)
}

/** Each pair of values that a cell has. A cell with one value has it as a pair with itself. */
export function pairsOf(cell: Cell): readonly string[] {
  const factors = factorsOf(cell)
  return factors.flatMap((one, index) => factors.slice(index).map(other => `${one} & ${other}`))
}

/**
 * Few cells that have all pairs of values. Each is the one that has most of the pairs that are still missing; if there are
 * several, the first whose numbers were chosen least often.
 */
export function coverPairs(cells: readonly Cell[]): readonly Cell[] {
  const pairs = new Map(cells.map(cell => [cell, pairsOf(cell)]))
  const missing = new Set([...pairs.values()].flat())
  const uses = new Map<string, number>()
  const chosen: Cell[] = []
  while (missing.size > 0) {
    let best: { cell: Cell; gain: number; used: number } | undefined
    for (const [cell, own] of pairs) {
      const gain = own.filter(pair => missing.has(pair)).length
      const used = wordsOf(cell.plan).reduce((sum, word) => sum + (uses.get(word) ?? 0), 0)
      if (best === undefined || gain > best.gain || (gain === best.gain && used < best.used))
        best = { cell, gain, used }
    }
    if (best === undefined) break
    chosen.push(best.cell)
    for (const pair of pairs.get(best.cell) ?? []) missing.delete(pair)
    for (const word of wordsOf(best.cell.plan)) uses.set(word, (uses.get(word) ?? 0) + 1)
  }
  return chosen
}
