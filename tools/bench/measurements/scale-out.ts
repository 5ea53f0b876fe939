import { type Bench, isNotRun, type Measurement, type Outcome, type Series } from '../measurement.ts'
import { nginxBefore } from '../servers/peers.ts'
import { numbered, unlimitedPetMock } from '../servers/pet-mock.ts'
import { type RunningServer, startAll, startServer, stopAll } from '../servers/server.ts'
import { seriesOf as findSeries, interleave, median } from '../statistics.ts'
import { cpuACall, listCall, type MeasuredVolley, sendRound } from './volleys.ts'

const sandboxes = 40

export const scaleOut: Measurement = {
  name: 'scale-out',
  about: 'one and two replicas behind nginx, and what nginx takes for a call',
  run,
}

interface Round extends MeasuredVolley {
  readonly replicasCpuUs: number
  /** Of one of them, on average. */
  readonly replicaBytes: number
}

async function run(bench: Bench): Promise<Outcome> {
  const { root, processes, rounds } = bench
  const replica = unlimitedPetMock(root)
  const replicas = [await startServer(processes, replica), await startServer(processes, replica)]
  try {
    const one = 'nginx, 1 replica'
    const two = 'nginx, 2 replicas'
    const fronts = await startAll(processes, {
      [one]: nginxBefore(bench, replicas.slice(0, 1)),
      [two]: nginxBefore(bench, replicas),
    })
    try {
      const samples = await interleave(fronts, rounds + 1, (server, name) =>
        measure(bench, server, replicas.slice(0, name === one ? 1 : 2)),
      )
      const series = seriesOf(samples)
      const oneOf = (what: string) => findSeries(series, what, one).samples
      const hundred = arithmeticOf(100, {
        nginxUs: oneOf(`${cpuACall}, nginx`),
        replicaUs: oneOf(`${cpuACall}, replicas`),
        replicaMB: oneOf(memory),
      })
      return { title: 'Several replicas behind nginx', notes: [...notes, ...hundred], series, claims: [] }
    } finally {
      await stopAll(fronts)
    }
  } finally {
    for (const each of replicas) await each.stop()
  }
}

const memory = 'memory of a replica'
const notes = [
  `Reads, as above, of ${sandboxes} sandboxes in turn, through the nginx of \`examples/scale-out\`. nginx, the replicas and the load share the cores of this machine, so calls a second say little, and CPU says how many of each a larger machine needs.`,
]

async function measure(
  { load, seconds }: Bench,
  server: RunningServer,
  replicas: readonly RunningServer[],
): Promise<Round> {
  const cpu = () => replicas.reduce((sum, { cpuMs }) => sum + (cpuMs() ?? Number.NaN), 0)
  const before = cpu()
  const calls = numbered(sandboxes, n => ({ ...listCall(server.server), key: `${server.server.key}+s${n}` }))
  const volley = await sendRound(load, { seconds, calls: () => calls })(server)
  const bytes = replicas.reduce((sum, { resident }) => sum + (resident() ?? Number.NaN), 0)
  return {
    ...volley,
    replicasCpuUs: ((cpu() - before) * 1_000) / volley.calls,
    replicaBytes: bytes / replicas.length,
  }
}

function seriesOf(
  rounds: Readonly<Record<string, readonly Round[] | { readonly notRun: string }>>,
): readonly Series[] {
  return Object.entries(rounds).flatMap(([who, all]): readonly Series[] => {
    // The first round only warms up.
    const samples = (of: (round: Round) => number) => (isNotRun(all) ? all : all.slice(1).map(of))
    return [
      { who, what: 'calls a second', unit: 'calls/s', samples: samples(round => round.callsPerSecond) },
      { who, what: 'p99', unit: 'ms', samples: samples(round => round.p99Ms) },
      { who, what: `${cpuACall}, nginx`, unit: 'µs', samples: samples(round => round.cpuUs) },
      { who, what: `${cpuACall}, replicas`, unit: 'µs', samples: samples(round => round.replicasCpuUs) },
      { who, what: memory, unit: 'MB', samples: samples(round => round.replicaBytes / 2 ** 20) },
    ]
  })
}

type Samples = Series['samples']

/** What a call costs nginx and a replica, in microseconds of a core, and the memory of a replica. */
interface Costs {
  readonly nginxUs: Samples
  readonly replicaUs: Samples
  readonly replicaMB: Samples
}

const digits = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 })

/** What many replicas need, computed from the medians of one. Nothing if one of them was not measured. */
export function arithmeticOf(replicas: number, costs: Costs): readonly string[] {
  const medianOf = (samples: Samples) => (isNotRun(samples) ? Number.NaN : median(samples))
  const [nginxUs, replicaUs, replicaMB] = [costs.nginxUs, costs.replicaUs, costs.replicaMB].map(medianOf)
  if (!(nginxUs && replicaUs && replicaMB)) return []
  const calls = digits.format((replicas * 1e6) / replicaUs)
  const cores = digits.format((replicas * nginxUs) / replicaUs)
  const memory = digits.format((replicas * replicaMB) / 1_024)
  return [
    `Computed from one replica: ${replicas} replicas, each on a core of its own, serve ${calls} calls a second and take ${memory} GB. nginx needs ${cores} cores for them.`,
  ]
}
