import type { Measurement } from '../../measurement.ts'
import { listPerKey, listPerSandbox, petMockWithKeys } from '../../servers/many-callers.ts'
import { unlimitedPetMock } from '../../servers/pet-mock.ts'
import { growing, type Size, sizeName } from './growing.ts'

const counts = [1, 10, 100, 1_000, 10_000]

export const growthKeys: Measurement = {
  name: 'growth-keys',
  about: 'calls a second, p99 and heap with 1 to 10,000 keys in turn',
  needsPeers: false,
  run: async bench => {
    const sizes = counts.map(
      async (count): Promise<[string, Size]> => [
        sizeName(count, 'key'),
        { petMock: await petMockWithKeys(bench, count), calls: listPerKey(count) },
      ],
    )
    return growing(bench, {
      title: 'Growth: keys',
      notes: ['Lists of pets, each with the next key.'],
      sizes: Object.fromEntries(await Promise.all(sizes)),
    })
  },
}

export const growthSandboxes: Measurement = {
  name: 'growth-sandboxes',
  about: 'calls a second, p99 and heap with 1 to 10,000 sandboxes in turn',
  needsPeers: false,
  run: bench =>
    growing(bench, {
      title: 'Growth: sandboxes',
      notes: [
        'Lists of pets, each in the next sandbox. pet-mock keeps the 1,000 sandboxes that were used last. With 10,000 in turn, every call finds its sandbox dropped and creates it anew: the worst case.',
      ],
      sizes: Object.fromEntries(
        counts.map((count): [string, Size] => [
          sizeName(count, 'sandbox').replace(/xs$/, 'xes'),
          { petMock: unlimitedPetMock(bench.root), calls: listPerSandbox(count), fill: count },
        ]),
      ),
    }),
}
