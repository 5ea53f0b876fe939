import type { Measurement } from '../../measurement.ts'
import { unlimitedPetMock } from '../../servers/pet-mock.ts'
import { growing, type Size } from './growing.ts'

const counts = [1_000, 10_000, 100_000]

export const growthJournal: Measurement = {
  name: 'growth-journal',
  about: 'calls a second, p99 and heap with a full journal of 1,000 to 100,000 calls, and with none',
  needsPeers: false,
  run: ({ root, ...bench }) =>
    growing(
      { root, ...bench },
      {
        title: 'Growth: a full journal',
        notes: [
          'Lists of pets. The journal is full before the first round, so each call drops the oldest one. 1,000 calls is the default.',
        ],
        sizes: {
          'no journal': { petMock: unlimitedPetMock(root, ['--journal', '0']) },
          ...Object.fromEntries(
            counts.map((count): [string, Size] => [
              `${count.toLocaleString('en')} calls, full`,
              { petMock: unlimitedPetMock(root, ['--journal', `${count},2GB`]), fill: count },
            ]),
          ),
        },
      },
    ),
}
