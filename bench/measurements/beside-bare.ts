import { interleave } from '../interleave.ts'
import type { SentCall } from '../load/load.ts'
import type { Bench, Claim, Outcome } from '../measurement.ts'
import { bare } from '../servers/bare.ts'
import { withHeapReporter } from '../servers/heap.ts'
import { record } from '../servers/recording.ts'
import type { Server } from '../servers/server.ts'
import { startAll, stopAll } from '../servers/start-all.ts'
import { compare } from './compare.ts'
import { bareName, comparedVolleys, fill, sendRound } from './volleys.ts'

interface Comparison {
  readonly title: string
  readonly notes: readonly string[]
  /** What the calls a second are called. */
  readonly speed: string
  readonly petMock: Server
  readonly calls: readonly SentCall[]
  /** The calls whose replies the bare server gives in turn. */
  readonly recorded: readonly SentCall[]
  readonly refused?: boolean
  readonly limit: Pick<Claim, 'bar' | 'goal'>
}

/** Pet-mock under some calls, beside `node:http` that answers the same bytes. */
export async function besideBare(bench: Bench, comparison: Comparison): Promise<Outcome> {
  const { folder, processes, load, rounds, seconds } = bench
  const { title, notes, speed, petMock, calls, recorded, refused = false, limit } = comparison
  const file = await record(bench, petMock, recorded)
  const firstStatus = refused ? 401 : 200
  const servers = await startAll(processes, {
    [bareName]: withHeapReporter(folder, bare(folder, file, firstStatus)),
    'pet-mock': withHeapReporter(folder, petMock),
  })
  try {
    const round = sendRound(load, { seconds, calls: () => calls, refused })
    await fill(servers, () => callsToFill(calls.length), round)
    const series = comparedVolleys(speed, await interleave(servers, rounds + 1, round), bareName)
    const claim = compare(series, speed, 'pet-mock', bareName, { sense: 'at least', ...limit })
    return { title, notes, series, claims: [claim] }
  } finally {
    await stopAll(servers)
  }
}

/** A round of many calls begins when each has been made ten times. */
function callsToFill(turn: number): number {
  return turn < 100 ? 0 : turn * 10
}
