import { describe, expect, test } from 'vitest'
import { createMachineRoom, type Load } from '../../../src/cli/clients/run-pool.ts'

/** What a machine of two cores did in 200 ms, unless a row says otherwise. */
interface Passed {
  readonly ms?: number
  /** Of all cores together. */
  readonly idle?: number
  readonly own?: number
  readonly memory?: number
  readonly total?: number
}

/** How many more runs may start after some time, while as many run. */
function roomAfter(running: number, { ms = 200, idle = 0, own = 0, memory = 0.5, total = 2 * ms }: Passed) {
  const start: Load = { at: 5_000, idleMs: 70_000, totalMs: 90_000, ownMs: 900, freeMemory: 0.5 }
  const loads = [
    start,
    { at: 5_000 + ms, idleMs: 70_000 + idle, totalMs: 90_000 + total, ownMs: 900 + own, freeMemory: memory },
  ]
  const room = createMachineRoom(() => loads.shift() ?? start, 2)
  return room(running)
}

describe('a machine of two cores has room for', () => {
  test.each<[runs: number, running: number, what: string, passed: Passed]>([
    [2, 0, 'both cores were idle', { idle: 400 }],
    [2, 5, 'both cores were idle, since all runs wait', { idle: 390 }],
    [1, 3, 'one core was idle', { idle: 210 }],
    [0, 3, 'no core was idle', { idle: 40 }],
    [2, 0, 'no core was idle, and nothing runs', { idle: 0 }],
    [1, 1, 'no core was idle, and one runs', { idle: 0 }],
    [1, 7, 'both cores were idle, and more would be too many', { idle: 400 }],
    [0, 8, 'both cores were idle, and as many run as may', { idle: 400 }],
    [0, 3, 'the last look was just now', { ms: 20, idle: 40 }],
    [0, 3, 'pet-mock itself is busy', { idle: 390, own: 120 }],
    [0, 3, 'the memory is almost used up', { idle: 390, memory: 0.1 }],
    [2, 0, 'the memory is almost used up, and nothing runs', { idle: 390, memory: 0.1 }],
    [1, 1, 'the system does not say what its cores do', { total: 0 }],
    [0, 2, 'the system does not say it, and two run', { total: 0 }],
  ])('%i more beside %i: %s', (runs, running, _, passed) => {
    expect(roomAfter(running, passed)).toBe(runs)
  })
})
