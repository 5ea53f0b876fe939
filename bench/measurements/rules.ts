import type { Bench, Measurement, Outcome } from '../measurement.ts'
import { compare } from './compare.ts'
import { speed, twinSeries } from './twins.ts'

export const rules: Measurement = {
  name: 'rules',
  about: 'what rules cost calls that none of them matches',
  needsPeers: false,
  run,
}

const [idle, none] = ['rules that do not match', 'no rules']

async function run(bench: Bench): Promise<Outcome> {
  const series = await twinSeries(bench, 'rules', [idle, none])
  return {
    title: 'Rules that do not match',
    notes: [
      'Reads, as above, with ten rules for other operations, paths, keys, plans, queries and bodies, and with none, both in one process.',
    ],
    series,
    claims: [compare(series, speed, idle, none, { sense: 'at least', bar: 0.97 })],
  }
}
