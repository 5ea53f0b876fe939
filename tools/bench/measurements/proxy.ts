import { type Bench, isNotRun, type Measurement, type Outcome, type Series } from '../measurement.ts'
import { proxied, unlimitedPetMock } from '../servers/pet-mock.ts'
import { startAll, startServer, stopAll } from '../servers/server.ts'
import { interleave } from '../statistics.ts'
import { afterWarmUp, callOneByOne } from './volleys.ts'

export const proxy: Measurement = {
  name: 'proxy',
  about: 'what `pet-mock proxy` adds to a call, with the verdict on the contract and without',
  run,
}

const [direct, judged, unjudged] = ['direct', 'proxied', 'proxied, `--no-contract`']
const what = 'a call'

async function run(bench: Bench): Promise<Outcome> {
  const { root, processes, rounds, seconds } = bench
  const upstream = await startServer(processes, unlimitedPetMock(root))
  try {
    const proxies = await startAll(processes, {
      [judged]: proxied(root, upstream, []),
      [unjudged]: proxied(root, upstream, ['--no-contract']),
    })
    try {
      const all = { [direct]: upstream, ...proxies }
      const samples = await interleave(all, rounds + 1, server => callOneByOne(server)(seconds / 2))
      // The first round only warms up, and loads Prism.
      const series = Object.entries(samples).map(
        ([who, taken]): Series => ({ who, what, unit: 'ms', samples: afterWarmUp(taken) }),
      )
      return { title: 'The proxy: what it adds to a call', notes, series, claims: [added(series)] }
    } finally {
      await stopAll(proxies)
    }
  } finally {
    await upstream.stop()
  }
}

const notes = [
  '`GET /v1/pets?limit=20` of pet-mock, one call at a time on a connection that is kept, its body read; a sample is the median of a round. The proxy is a process of its own, with a silent log.',
]

/** Round by round, since what disturbs the machine disturbs a whole round. */
function added(series: readonly Series[]): Outcome['claims'][number] {
  const claim = {
    what: `${judged} instead of ${direct}: added to ${what}`,
    unit: 'ms',
    sense: 'at most',
    bar: 1,
  } as const
  const [before, after] = [direct, judged].map(who => series.find(one => one.who === who)?.samples)
  if (before === undefined || after === undefined)
    return { ...claim, samples: { notRun: 'it was not measured' } }
  if (isNotRun(before) || isNotRun(after)) return { ...claim, samples: isNotRun(before) ? before : after }
  return { ...claim, samples: after.map((ms, round) => ms - (before[round] ?? Number.NaN)) }
}
