import { interleave } from '../interleave.ts'
import type { Bench, Series } from '../measurement.ts'
import { isNotRun } from '../not-run.ts'
import { startServer } from '../servers/server.ts'
import { plainTwin, twinDoors } from '../servers/twin-doors.ts'
import { type MeasuredVolley, sendRound } from './volleys.ts'

export const speed = 'calls a second'

/** Speed and CPU of twin doors, by their names, without the first round, which only warmed up. */
export async function twinSeries(
  { folder, processes, load, rounds, seconds }: Bench,
  what: 'plane' | 'rules',
  [name, plainName]: readonly [string, string],
): Promise<readonly Series[]> {
  const server = await startServer(processes, twinDoors(folder, what))
  try {
    const twins = { [name]: server, [plainName]: plainTwin(server) }
    const volleys = await interleave(twins, rounds + 1, sendRound(load, { seconds }))
    return Object.entries(volleys).flatMap(([who, all]): readonly Series[] => {
      const samples = (of: (volley: MeasuredVolley) => number) => (isNotRun(all) ? all : all.slice(1).map(of))
      return [
        { who, what: speed, unit: 'calls/s', samples: samples(volley => volley.callsPerSecond) },
        { who, what: 'CPU a call', unit: 'µs', samples: samples(volley => volley.cpuUs) },
      ]
    })
  } finally {
    await server.stop()
  }
}
