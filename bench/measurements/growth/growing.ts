import { interleave } from '../../interleave.ts'
import type { SentCall } from '../../load/load.ts'
import type { Bench, Outcome, Series } from '../../measurement.ts'
import { withHeapReporter } from '../../servers/heap.ts'
import type { RunningServer, Server } from '../../servers/server.ts'
import { startAll, stopAll } from '../../servers/start-all.ts'
import { comparedVolleys, fill, listCall, sendRound } from '../volleys.ts'

/** Pet-mock at one size. */
export interface Size {
  readonly petMock: Server
  /** What is sent, in turn; lists of pets unless given. */
  readonly calls?: readonly SentCall[]
  /** How many calls come before any is measured. */
  readonly fill?: number
}

interface Growth {
  readonly title: string
  readonly notes: readonly string[]
  /** By name, the smallest first: the others are held against it. */
  readonly sizes: Readonly<Record<string, Size>>
}

const speed = 'calls a second'

/** Speed, p99, CPU, allocation and heap of pet-mock by size: fewer and shorter rounds than those beside peers. */
export async function growing(bench: Bench, { title, notes, sizes }: Growth): Promise<Outcome> {
  const { folder, processes, load } = bench
  const [rounds, seconds] = [Math.ceil(bench.rounds / 2), bench.seconds / 2]
  const servers = await startAll(
    processes,
    Object.fromEntries(
      Object.entries(sizes).map(([name, { petMock }]) => [name, withHeapReporter(folder, petMock)]),
    ),
  )
  const send = (server: RunningServer, name: string) => {
    const calls = sizes[name]?.calls
    return sendRound(load, { seconds, calls: () => calls ?? [listCall(server.server)] })(server)
  }
  try {
    await fill(servers, name => sizes[name]?.fill ?? 0, send)
    const volleys = await interleave(servers, rounds + 1, send)
    const heaps = await interleave(servers, 1, async ({ heap }) => ((await heap('held')) ?? Number.NaN) / 1e6)
    const heapSeries = Object.entries(heaps).map(
      ([who, samples]): Series => ({ who, what: 'heap', unit: 'MB', samples }),
    )
    const [smallest = ''] = Object.keys(sizes)
    return { title, notes, series: [...comparedVolleys(speed, volleys, smallest), ...heapSeries], claims: [] }
  } finally {
    await stopAll(servers)
  }
}

/** A number as a reader sees it, with its noun. */
export function sizeName(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}
