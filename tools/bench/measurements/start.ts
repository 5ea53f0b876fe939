import { join } from 'node:path'
import type { Bench, Measurement, Outcome, Series } from '../measurement.ts'
import { bare, prism } from '../servers/peers.ts'
import { petMock, unlimitedPetMock } from '../servers/pet-mock.ts'
import { record } from '../servers/recording.ts'
import { startServer } from '../servers/server.ts'
import { compare, interleave, withRatios } from '../statistics.ts'
import { afterWarmUp, bareName, listCall } from './volleys.ts'

export const start: Measurement = {
  name: 'start',
  about: 'time from the start of the process to its first answer, beside a bare server and Prism',
  needsPeers: true,
  run,
}

async function run(bench: Bench): Promise<Outcome> {
  const { root, folder, processes, peers } = bench
  const rounds = bench.rounds * 2
  const unlimited = unlimitedPetMock(root)
  const file = await record(bench, unlimited, [listCall(unlimited)])
  const servers = {
    [bareName]: bare(folder, file),
    'pet-mock': petMock(root),
    Prism: prism(join(root, 'openapi.yaml'), peers),
  }
  const times = await interleave(servers, rounds + 1, async server => {
    const running = await startServer(processes, server)
    await running.stop()
    return running.firstAnswerMs
  })
  const what = 'to the first answer'
  // The first start reads the files from the disk, the others from memory.
  const series = Object.entries(times).map(
    ([who, all]): Series => ({ who, what, unit: 'ms', samples: afterWarmUp(all) }),
  )
  return {
    title: 'Start: from the process to the first answer',
    notes: [
      `Starts: ${rounds} of each, in turn, after one to warm up, until a list of pets was answered. pet-mock as a plain \`pet-mock\` starts.`,
    ],
    series: withRatios(series, what, bareName),
    claims: [
      compare(series, what, 'pet-mock', bareName, {
        sense: 'at most',
        bar: 2,
        goal: 1.5,
      }),
    ],
  }
}
