import type { SentCall } from '../../load/load.ts'
import type { Measurement } from '../../measurement.ts'
import { filteredList } from '../../programs/pets-world.ts'
import { numbered } from '../../servers/many-callers.ts'
import { unlimitedPetMock } from '../../servers/pet-mock.ts'
import { growing, type Size, sizeName } from './growing.ts'

const counts = [1_000, 10_000, 100_000, 1_000_000]

export const growthPets: Measurement = {
  name: 'growth-pets',
  about: 'calls a second, p99 and heap at 1,000 to 1,000,000 pets',
  needsPeers: false,
  run: bench =>
    growing(bench, {
      title: 'Growth: pets',
      notes: [
        'In turn 2,000 calls: single pets, and filtered lists from other places, all over the store. Heap is that of the whole process after a collection, buffers included.',
      ],
      sizes: Object.fromEntries(
        counts.map((count): [string, Size] => [
          sizeName(count, 'pet'),
          {
            petMock: unlimitedPetMock(bench.root, ['--pets', String(count)]),
            calls: callsAllOver(count),
            fill: 10_000,
          },
        ]),
      ),
    }),
}

function callsAllOver(pets: number): readonly SentCall[] {
  return numbered(2_000, n => ({
    method: 'GET',
    target: n % 2 === 0 ? `/v1/pets/${1 + ((n * 7_919) % pets)}` : filteredList(n, pets),
    key: 'bench',
  }))
}
