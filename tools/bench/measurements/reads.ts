import { type Bench, isNotRun, type Measurement, type NotRun, type Outcome } from '../measurement.ts'
import { bare, contractWithExample, jsonServer, prism, wireMock } from '../servers/peers.ts'
import { unlimitedPetMock } from '../servers/pet-mock.ts'
import { onlyEqual, readPets, record } from '../servers/recording.ts'
import { type Server, startAll, stopAll, withHeapReporter } from '../servers/server.ts'
import { compare, interleave } from '../statistics.ts'
import { bareName, comparedVolleys, cpuACall, listCall, sendRound } from './volleys.ts'

export const reads: Measurement = {
  name: 'reads',
  about: 'calls a second and p99 of the list of pets, beside a bare server and the peers',
  needsPeers: true,
  run,
}

async function run(bench: Bench): Promise<Outcome> {
  const { root, folder, processes, peers, load, rounds, seconds } = bench
  const petMock = unlimitedPetMock(root)
  const file = await record(bench, petMock, [listCall(petMock)])
  const { list, pets } = await readPets(bench)
  const reporting = <One extends Server | NotRun>(server: One) => withHeapReporter(folder, server)
  const servers = await startAll(processes, {
    [bareName]: reporting(bare(folder, file)),
    'pet-mock': reporting(petMock),
    Prism: reporting(prism(await contractWithExample(root, folder, list), peers)),
    'json-server': reporting(await jsonServer(folder, peers, pets)),
    WireMock: await wireMock(folder, peers, list),
  })
  try {
    const equal = await onlyEqual(servers, list)
    const volleys = await interleave(equal, rounds + 1, sendRound(load, { seconds }))
    const speed = 'reads a second'
    const series = comparedVolleys(speed, volleys, bareName)
    return {
      title: 'Reads: `GET /v1/pets?limit=20`',
      notes: [
        `64 connections; rounds: ${rounds} of ${seconds} s each, after one to warm up; load by ${isNotRun(load) ? 'nobody' : load.name}.`,
        'The bare server answers pet-mock’s bytes. Prism and json-server answer the same 20 pets. CPU is what the server’s process took of a core for a call: what else runs on the machine hardly adds to it. WireMock takes both cores.',
      ],
      series,
      claims: [
        compare(series, speed, 'pet-mock', bareName, {
          sense: 'at least',
          bar: 0.8,
          goal: 0.9,
        }),
        compare(series, speed, 'pet-mock', 'Prism', {
          sense: 'at least',
          bar: 10,
          goal: 15,
        }),
        compare(series, cpuACall, 'WireMock', 'pet-mock', {
          sense: 'at least',
          goal: 6,
        }),
      ],
    }
  } finally {
    await stopAll(servers)
  }
}
