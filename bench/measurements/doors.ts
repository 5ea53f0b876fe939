import { bundledProgram } from '../bundle-programs.ts'
import { interleave } from '../interleave.ts'
import type { Bench, Measurement, Outcome, Series } from '../measurement.ts'
import { isNotRun } from '../not-run.ts'
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
const creating = 'the first mock'
const library = '`createPetMock()`'
const msw = 'MSW, `setupServer().listen()`'
const response = 'a `Response` alone'
const calling = 'a call'

async function run(bench: Bench): Promise<Outcome> {
  const first = await createOften(bench)
  const calls = await callThroughDoors(bench)
  const series = [...withRatios(first, creating, msw), ...withRatios(calls, calling, response)]
  return {
    title: 'The library: one call, door by door',
    notes: [
      '`GET /v1/pets?limit=20` of 100 pets, one call at a time from the process of the test, its body read; a sample is the median of a round. Over HTTP the server is in the same process, and the connection is kept. MSW listens only while it is measured: it makes every Request of a process slower.',
      'The first mock is measured just after the import, each time in a process of its own. `createPetMock()` makes the 100 pets of a shipped scenario; MSW has one handler. A `Response` alone is built from the same bytes and read: what any answer to `fetch` costs.',
    ],
    series,
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
      {
        what: `${creating}, ${library}`,
        samples: seriesOf(series, creating, library).samples,
        unit: 'ms',
        sense: 'at most',
        bar: 5,
        goal: 3,
        headline: 'the first `createPetMock()` of a process',
      },
    ],
  }
}

async function callThroughDoors({ root, folder, processes, rounds, seconds }: Bench) {
  const args = [bundledProgram(folder, 'doors'), root, String(seconds), String(rounds)]
  const timeout = seconds * (rounds + 1) * 2_000 + 60_000
  const times: DoorTimes = JSON.parse(await processes.run({ file: process.execPath, args }, timeout))
  return Object.entries(times).map(([who, samples]): Series => ({ who, what: calling, unit: 'µs', samples }))
}

/** The first mocks in turn, each in a process of its own. */
async function createOften({ root, folder, processes, rounds }: Bench): Promise<readonly Series[]> {
  const program = bundledProgram(folder, 'first-mock')
  const times = await interleave({ [library]: 'pet-mock', [msw]: 'msw' }, rounds + 1, async whose =>
    Number(await processes.run({ file: process.execPath, args: [program, root, whose] }, 60_000)),
  )
  return Object.entries(times).map(([who, samples]) => ({
    who,
    what: creating,
    unit: 'ms',
    samples: isNotRun(samples) ? samples : samples.slice(1),
  }))
}
