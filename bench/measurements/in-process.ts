import { bundledProgram } from '../bundle-programs.ts'
import type { Bench, Measurement, Outcome, Series } from '../measurement.ts'
import type { CallTimes } from '../programs/calls.ts'

export const inProcess: Measurement = {
  name: 'in-process',
  about: 'nanoseconds of a call through `handle`, without a socket',
  needsPeers: false,
  run,
}

async function run({ folder, processes, rounds, seconds }: Bench): Promise<Outcome> {
  const args = [bundledProgram(folder, 'calls'), String(seconds), String(rounds)]
  const timeout = seconds * (rounds + 1) * 2_000 + 60_000
  const times: CallTimes = JSON.parse(await processes.run({ file: process.execPath, args }, timeout))
  const series = Object.entries(times).map(
    ([who, samples]): Series => ({ who, what: 'a call', unit: 'ns', samples }),
  )
  return {
    title: 'In process: a call through `handle`',
    notes: ['10,000 pets; the key, both windows, the reply’s headers and the journal included.'],
    series,
    claims: [],
  }
}
