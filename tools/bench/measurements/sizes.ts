import { type Bench, isNotRun, type Measurement, type Outcome, type Series } from '../measurement.ts'
import { bundledProgram } from '../processes.ts'
import { filteredList, sizes as petCounts } from '../programs/pets-world.ts'
import type { SizeCosts } from '../programs/sizes.ts'
import { unlimitedPetMock } from '../servers/pet-mock.ts'
import { type RunningServer, startAll, stopAll } from '../servers/server.ts'
import { compare, interleave, seriesOf } from '../statistics.ts'
import { afterWarmUp, callOneByOne } from './volleys.ts'

export const sizes: Measurement = {
  name: 'sizes',
  about: 'heap a pet, seeding and a filtered list at 1 000, 100 000 and 1 000 000 pets',
  run,
}

const few = 'with 1,000 pets'
const many = 'with 1,000,000 pets'
const inProcess = 'filtered list, in process'
const overHttp = 'filtered list, over HTTP'

async function run(bench: Bench): Promise<Outcome> {
  const series = [...(await measureInProcess(bench)), ...(await measureOverHttp(bench))]
  return {
    title: 'Size: what pets cost',
    notes: [
      'Heap is what an emulator with these pets holds beyond one without, buffers included; “written”, once a pet was created. The list is `?status=pending&limit=20` from another place each time, so that no page that pet-mock keeps answers it; its time is the median of one round.',
    ],
    series,
    claims: [
      compare(series, inProcess, many, few, { sense: 'at most', bar: 1.2 }),
      compare(series, overHttp, many, few, { sense: 'at most', bar: 1.2 }),
      {
        what: `heap a pet, ${many}`,
        samples: seriesOf(series, 'heap a pet', many).samples,
        unit: 'bytes',
        sense: 'at most',
        bar: 250,
      },
      {
        what: `seeding, ${many}`,
        samples: seriesOf(series, 'seeding', many).samples,
        unit: 'ms',
        sense: 'at most',
        bar: 3_000,
      },
    ],
  }
}

async function measureInProcess({ folder, processes, rounds, seconds }: Bench): Promise<readonly Series[]> {
  const args = ['--expose-gc', bundledProgram(folder, 'sizes'), String(seconds / 2), String(rounds)]
  const timeout = (seconds + 20) * (rounds + 1) * 1_000
  const costs: readonly SizeCosts[] = JSON.parse(
    await processes.run({ file: process.execPath, args }, timeout),
  )
  return costs.flatMap(({ pets, bytesAPet, bytesAPetWritten, seedMs, listUs }): readonly Series[] => {
    const who = nameOf(pets)
    return [
      { who, what: 'heap a pet', unit: 'bytes', samples: [bytesAPet] },
      { who, what: 'heap a pet, written', unit: 'bytes', samples: [bytesAPetWritten] },
      { who, what: 'seeding', unit: 'ms', samples: seedMs },
      { who, what: inProcess, unit: 'µs', samples: listUs },
    ]
  })
}

async function measureOverHttp({ root, processes, rounds, seconds }: Bench): Promise<readonly Series[]> {
  const servers = await startAll(
    processes,
    Object.fromEntries(
      petCounts.map(pets => [nameOf(pets), unlimitedPetMock(root, ['--pets', String(pets)])]),
    ),
  )
  const clients = Object.fromEntries(
    Object.entries(servers).map(([name, server], index) => [
      name,
      isNotRun(server) ? server : createClient(server, petCounts[index] ?? 0),
    ]),
  )
  try {
    // Many short rounds: the latency of one call is soon measured, and differences are small.
    const times = await interleave(clients, rounds * 3 + 1, client => client(seconds / 6))
    return Object.entries(times).map(
      ([who, all]): Series => ({ who, what: overHttp, unit: 'µs', samples: afterWarmUp(all) }),
    )
  } finally {
    await stopAll(servers)
  }
}

/** Lists pets for some seconds, from another place each time. Resolves with the median in microseconds. */
function createClient(server: RunningServer, pets: number): (seconds: number) => Promise<number> {
  let n = 0
  const call = callOneByOne(server, () => filteredList(n++, pets))
  return async seconds => (await call(seconds)) * 1_000
}

function nameOf(pets: number): string {
  return `with ${pets.toLocaleString('en')} pets`
}
