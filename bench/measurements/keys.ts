import type { Measurement } from '../measurement.ts'
import { listPerKey, petMockWithKeys } from '../servers/many-callers.ts'
import { besideBare } from './beside-bare.ts'

const count = 1_000

export const keys: Measurement = {
  name: 'keys',
  about: 'reads with 1,000 keys in turn, beside a bare server',
  needsPeers: false,
  run: async bench => {
    const petMock = await petMockWithKeys(bench, count)
    const calls = listPerKey(count)
    return besideBare(bench, {
      title: 'Reads with 1,000 keys in turn',
      notes: ['As above, each call with the next key.'],
      speed: 'reads a second, 1,000 keys',
      petMock,
      calls,
      recorded: calls.slice(0, 1),
      limit: { goal: 0.8 },
    })
  },
}
