import { interleave } from '../interleave.ts'
import type { Bench, Series } from '../measurement.ts'
import { withHeapReporter } from '../servers/heap.ts'
import { startServer } from '../servers/server.ts'
import { plainTwin, twinDoors } from '../servers/twin-doors.ts'
import { sendRound, volleySeries } from './volleys.ts'

export const speed = 'calls a second'

/** Speed, CPU and allocation of twin doors, by their names. */
export async function twinSeries(
  { folder, processes, load, rounds, seconds }: Bench,
  what: 'plane' | 'rules',
  [name, plainName]: readonly [string, string],
): Promise<readonly Series[]> {
  const server = await startServer(processes, withHeapReporter(folder, twinDoors(folder, what)))
  try {
    const twins = { [name]: server, [plainName]: plainTwin(server) }
    return volleySeries(speed, await interleave(twins, rounds + 1, sendRound(load, { seconds })))
  } finally {
    await server.stop()
  }
}
