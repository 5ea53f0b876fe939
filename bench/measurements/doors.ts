import { bundledProgram } from '../bundle-programs.ts'
import type { Bench, Measurement, Outcome, Series } from '../measurement.ts'
import type { DoorTimes } from '../programs/doors.ts'
import { seriesOf, withRatios } from './compare.ts'

export const doors: Measurement = {
  name: 'doors',
  about: 'the library: `createPetMock()`, and one call in process, through MSW and over HTTP',
  needsPeers: false,
  run,
}

const inProcess = '`handle`, in process'
const fetchInProcess = '`fetch`, in process'
const creating = 'the first `createPetMock()`'
const calling = 'a call'

async function run(bench: Bench): Promise<Outcome> {
  const first: Series = { who: 'the library', what: creating, unit: 'ms', samples: await createOften(bench) }
  const series = [first, ...(await callThroughDoors(bench))]
  return {
    title: 'The library: one call, door by door',
    notes: [
      '`GET /v1/pets?limit=20` of 100 pets, one call at a time from the process of the test, its body read; a sample is the median of a round. Over HTTP the server is in the same process, and the connection is kept.',
      '`createPetMock()` makes the 100 pets of a shipped scenario. It is measured just after the import, each time in a process of its own.',
    ],
    series: withRatios(series, calling, inProcess),
    claims: [
      {
        what: `${calling}, ${inProcess}`,
        samples: seriesOf(series, calling, inProcess).samples,
        unit: 'µs',
        sense: 'at most',
        bar: 10,
      },
      {
        what: `${calling}, ${fetchInProcess}`,
        samples: seriesOf(series, calling, fetchInProcess).samples,
        unit: 'µs',
        sense: 'at most',
        goal: 30,
      },
      { what: creating, samples: first.samples, unit: 'ms', sense: 'at most', bar: 5, goal: 3 },
    ],
  }
}

async function callThroughDoors({ root, folder, processes, rounds, seconds }: Bench) {
  const args = [bundledProgram(folder, 'doors'), root, String(seconds), String(rounds)]
  const timeout = seconds * (rounds + 1) * 2_000 + 60_000
  const times: DoorTimes = JSON.parse(await processes.run({ file: process.execPath, args }, timeout))
  return Object.entries(times).map(([who, samples]): Series => ({ who, what: calling, unit: 'µs', samples }))
}

/** Milliseconds of each, in a process of its own. */
async function createOften({ root, folder, processes, rounds }: Bench): Promise<readonly number[]> {
  const program = { file: process.execPath, args: [bundledProgram(folder, 'first-mock'), root] }
  await processes.run(program, 60_000)
  const samples: number[] = []
  for (let round = 0; round < rounds; round += 1) samples.push(Number(await processes.run(program, 60_000)))
  return samples
}
