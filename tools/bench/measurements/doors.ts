import type { Bench, Measurement, Outcome, Series } from '../measurement.ts'
import { bundledProgram } from '../processes.ts'
import { interleave, seriesOf, withRatios } from '../statistics.ts'
import { afterWarmUp } from './volleys.ts'

export const doors: Measurement = {
  name: 'doors',
  about: 'the library: `createPetMock()`, and one call in process, through MSW and over HTTP',
  run,
}

const handleInProcess = '`handle`, in process'
const fetchInProcess = '`fetch`, in process'
const creating = 'the first mock'
const library = '`createPetMock()`'
const msw = 'MSW, `setupServer().listen()`'
const response = 'a `Response` alone'
const calling = 'a call'

async function run(bench: Bench): Promise<Outcome> {
  const first = await createOften(bench)
  const calls = await timesOf(bench, 'doors', 'µs', [bench.root])
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
        what: `${calling}, ${handleInProcess}`,
        samples: seriesOf(series, calling, handleInProcess).samples,
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
      },
    ],
  }
}

/** What a program of `programs/` prints: the times of a call of each kind, a sample a round. */
async function timesOf(
  { folder, processes, rounds, seconds }: Bench,
  program: string,
  unit: 'µs' | 'ns',
  words: readonly string[] = [],
): Promise<readonly Series[]> {
  const args = [bundledProgram(folder, program), ...words, String(seconds), String(rounds)]
  const timeout = seconds * (rounds + 1) * 2_000 + 60_000
  const times: Readonly<Record<string, readonly number[]>> = JSON.parse(
    await processes.run({ file: process.execPath, args }, timeout),
  )
  return Object.entries(times).map(([who, samples]): Series => ({ who, what: calling, unit, samples }))
}

/** The first mocks in turn, each in a process of its own. */
async function createOften({ root, folder, processes, rounds }: Bench): Promise<readonly Series[]> {
  const program = bundledProgram(folder, 'first-mock')
  const times = await interleave({ [library]: 'pet-mock', [msw]: 'msw' }, rounds + 1, async whose =>
    Number(await processes.run({ file: process.execPath, args: [program, root, whose] }, 60_000)),
  )
  return Object.entries(times).map(
    ([who, all]): Series => ({ who, what: creating, unit: 'ms', samples: afterWarmUp(all) }),
  )
}

export const inProcess: Measurement = {
  name: 'in-process',
  about: 'nanoseconds of a call through `handle`, without a socket',
  run: async bench => ({
    title: 'In process: a call through `handle`',
    notes: ['10,000 pets; the key, both windows, the reply’s headers and the journal included.'],
    series: await timesOf(bench, 'calls', 'ns'),
    claims: [],
  }),
}
