import { interleave } from '../interleave.ts'
import type { Bench, Measurement, Outcome } from '../measurement.ts'
import { bare } from '../servers/bare.ts'
import { unlimitedPetMock } from '../servers/pet-mock.ts'
import { record } from '../servers/recording.ts'
import { startAll, stopAll } from '../servers/start-all.ts'
import { compare } from './compare.ts'
import { bareName, sendRound, volleySeries } from './volleys.ts'

export const mix: Measurement = {
  name: 'mix',
  about: 'nine reads to one create, beside a bare server',
  needsPeers: false,
  run,
}

async function run(bench: Bench): Promise<Outcome> {
  const { root, folder, processes, load, rounds, seconds } = bench
  const { file } = await record(bench)
  const servers = await startAll(processes, {
    [bareName]: bare(folder, file),
    'pet-mock': unlimitedPetMock(root),
  })
  try {
    const volleys = await interleave(servers, rounds + 1, sendRound(load, { seconds, createEvery: 10 }))
    const speed = 'mixed calls a second'
    const series = volleySeries(speed, volleys)
    return {
      title: 'A mix: nine reads to one create',
      notes: [
        'As above; every tenth call is a `POST /v1/pets`. The bare server reads its body and answers pet-mock’s bytes; pet-mock keeps the pets, so its pages change all the time.',
      ],
      series,
      claims: [
        compare(series, speed, 'pet-mock', bareName, {
          sense: 'at least',
          goal: 0.9,
        }),
      ],
    }
  } finally {
    await stopAll(servers)
  }
}
