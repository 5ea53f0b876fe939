import type { Load, Traffic, Volley } from '../load/load.ts'
import type { Series } from '../measurement.ts'
import { isNotRun, type NotRun } from '../not-run.ts'
import type { RunningServer } from '../servers/server.ts'
import { withRatios } from './compare.ts'

/** The contestant that all others are held against. */
export const bareName = 'bare node:http'

export interface MeasuredVolley extends Volley {
  /** Microseconds of a core that the server took for a call; NaN where the system does not tell. */
  readonly cpuUs: number
}

/** One round of load on one server. */
export function sendRound(
  load: Load | NotRun,
  traffic: Pick<Traffic, 'seconds' | 'createEvery'>,
): (server: RunningServer) => Promise<MeasuredVolley> {
  return async ({ url, server, cpuMs }) => {
    if (isNotRun(load)) throw new Error(load.notRun)
    const before = cpuMs() ?? Number.NaN
    const volley = await load.send({ ...traffic, url, key: server.key })
    return { ...volley, cpuUs: (((cpuMs() ?? Number.NaN) - before) * 1_000) / volley.calls }
  }
}

/**
 * The speed (by the name `speed`), p99 and CPU of everybody, without the first round, which only warmed up; and how
 * they stand to the bare server's.
 */
export function volleySeries(
  speed: string,
  volleys: Readonly<Record<string, readonly MeasuredVolley[] | NotRun>>,
): readonly Series[] {
  const series = Object.entries(volleys).flatMap(([who, all]): readonly Series[] => {
    const samples = (of: (volley: MeasuredVolley) => number) => (isNotRun(all) ? all : all.slice(1).map(of))
    return [
      { who, what: speed, unit: 'calls/s', samples: samples(volley => volley.callsPerSecond) },
      { who, what: 'p99', unit: 'ms', samples: samples(volley => volley.p99Ms) },
      { who, what: 'CPU a call', unit: 'µs', samples: samples(volley => volley.cpuUs) },
    ]
  })
  return withRatios(withRatios(series, speed, bareName), 'CPU a call', bareName)
}
