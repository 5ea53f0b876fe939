import { interleave } from '../interleave.ts'
import type { Bench, Series } from '../measurement.ts'
import { isNotRun, type NotRun } from '../not-run.ts'
import type { RunningServer, Server } from '../servers/server.ts'
import { startAll, stopAll } from '../servers/start-all.ts'
import { type MeasuredVolley, sendRound } from './volleys.ts'

export const speed = 'calls a second'

/** Speed and CPU of servers that differ in one thing, without the first round, which only warmed up. */
export async function speedSeries(
  bench: Bench,
  contestants: Readonly<Record<string, Server>>,
): Promise<readonly Series[]> {
  const servers = await startAll(bench.processes, contestants)
  try {
    return await speedsOf(bench, servers)
  } finally {
    await stopAll(servers)
  }
}

/** The same of servers that run. */
export async function speedsOf(
  { load, rounds, seconds }: Bench,
  servers: Readonly<Record<string, RunningServer | NotRun>>,
): Promise<readonly Series[]> {
  const volleys = await interleave(servers, rounds + 1, sendRound(load, { seconds }))
  return Object.entries(volleys).flatMap(([who, all]): readonly Series[] => {
    const samples = (of: (volley: MeasuredVolley) => number) => (isNotRun(all) ? all : all.slice(1).map(of))
    return [
      { who, what: speed, unit: 'calls/s', samples: samples(volley => volley.callsPerSecond) },
      { who, what: 'CPU a call', unit: 'µs', samples: samples(volley => volley.cpuUs) },
    ]
  })
}
