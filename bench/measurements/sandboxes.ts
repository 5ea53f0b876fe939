import type { Measurement } from '../measurement.ts'
import { listPerSandbox } from '../servers/many-callers.ts'
import { unlimitedPetMock } from '../servers/pet-mock.ts'
import { besideBare } from './beside-bare.ts'

const count = 1_000

export const sandboxes: Measurement = {
  name: 'sandboxes',
  about: 'reads in 1,000 sandboxes in turn, beside a bare server',
  needsPeers: false,
  run: async bench => {
    const petMock = unlimitedPetMock(bench.root)
    const calls = listPerSandbox(count)
    return besideBare(bench, {
      title: 'Reads in 1,000 sandboxes in turn',
      notes: [
        'As above, each call in the next sandbox: the default one and 999 others. Each has 100 pets of its own.',
      ],
      speed: 'reads a second, 1,000 sandboxes',
      petMock,
      calls,
      recorded: calls.slice(0, 1),
      limit: { goal: 0.8 },
    })
  },
}
