import { newPet } from '../load/load.ts'
import type { Bench, Measurement, Series } from '../measurement.ts'
import { plainTwin, twinDoors, unlimitedPetMock } from '../servers/pet-mock.ts'
import { type RunningServer, startServer, withHeapReporter } from '../servers/server.ts'
import { compare, interleave, median } from '../statistics.ts'
import { sendRound, volleySeries } from './volleys.ts'

const speed = 'calls a second'

/** Speed, CPU and allocation of twin doors, by their names. */
async function twinSeries(
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

export const rules: Measurement = {
  name: 'rules',
  about: 'what rules cost calls that none of them matches',
  run: async bench => {
    const [idle, none] = ['rules that do not match', 'no rules']
    const series = await twinSeries(bench, 'rules', [idle, none])
    return {
      title: 'Rules that do not match',
      notes: [
        'Reads, as above, with ten rules for other operations, paths, keys, plans, queries and bodies, and with none, both in one process.',
      ],
      series,
      claims: [compare(series, speed, idle, none, { sense: 'at least', bar: 0.97 })],
    }
  },
}

const resetsARound = 100

export const plane: Measurement = {
  name: 'plane',
  about: 'what the admin plane costs calls while nobody asks it, and how long a reset takes',
  run: async bench => {
    const [unused, none] = ['plane unused', 'no plane']
    const reset = await resets(bench)
    const series = [...(await twinSeries(bench, 'plane', [unused, none])), reset]
    return {
      title: 'The admin plane: unused, and a reset',
      notes: [
        'Reads, as above, on the door as the command opens it, with the plane beside the API and with no trace of it, both in one process; neither is ever asked.',
        `A reset over HTTP at 1,000 pets, of a world in which a pet was just created: the median of ${resetsARound}, as the client sees it.`,
      ],
      series,
      claims: [
        compare(series, speed, unused, none, { sense: 'at least', bar: 0.98 }),
        { what: 'a reset', unit: 'ms', samples: reset.samples, sense: 'at most', bar: 5 },
      ],
    }
  },
}

async function resets({ root, processes, rounds }: Bench): Promise<Series> {
  const server = await startServer(processes, unlimitedPetMock(root, ['--pets', '1000']))
  try {
    const samples: number[] = []
    for (let round = 0; round <= rounds; round += 1) {
      const sample = await roundOfResets(server)
      if (round > 0) samples.push(sample)
    }
    return { who: 'pet-mock', what: 'a reset', unit: 'ms', samples }
  } finally {
    await server.stop()
  }
}

async function roundOfResets({ url, server: { key } }: RunningServer): Promise<number> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const times: number[] = []
  for (let made = 0; made < resetsARound; made += 1) {
    await send(new URL('/v1/pets', url), { method: 'POST', headers, body: newPet }, 201)
    const from = performance.now()
    await send(new URL('/__admin/reset', url), { method: 'POST' }, 200)
    times.push(performance.now() - from)
  }
  return median(times)
}

async function send(url: URL, init: RequestInit, expected: number): Promise<void> {
  const response = await fetch(url, init)
  const text = await response.text()
  if (response.status !== expected) throw new Error(`${url.pathname}: ${response.status} ${text}`)
}
