import { join } from 'node:path'
import type { Bench, Measurement, Outcome } from '../measurement.ts'
import { petMock, unlimitedPetMock } from '../servers/pet-mock.ts'
import { compare } from './compare.ts'
import { speed, speedSeries } from './speeds.ts'

export const rules: Measurement = {
  name: 'rules',
  about: 'what rules cost calls that none of them matches',
  needsPeers: false,
  run,
}

const [idle, none] = ['rules that do not match', 'no rules']

async function run(bench: Bench): Promise<Outcome> {
  const withRules = petMock(bench.root, ['--scenario', join(bench.root, 'bench/idle-rules.yaml')], 'bench')
  const series = await speedSeries(bench, { [idle]: withRules, [none]: unlimitedPetMock(bench.root) })
  return {
    title: 'Rules that do not match',
    notes: [
      'Reads, as above, with ten rules for other operations, paths, keys, plans, queries and bodies, and with none.',
    ],
    series,
    claims: [compare(series, speed, idle, none, { sense: 'at least', bar: 0.97 })],
  }
}
