import type { Measurement } from '../../measurement.ts'
import { manyIdleRules } from '../../programs/pets-world.ts'
import { petMockWith } from '../../servers/pet-mock.ts'
import { growing, type Size, sizeName } from './growing.ts'

const counts = [0, 1, 10, 100]

export const growthRules: Measurement = {
  name: 'growth-rules',
  about: 'calls a second, p99 and heap with 0 to 100 rules, of which none matches',
  needsPeers: false,
  run: async bench => {
    const sizes = counts.map(
      async (count): Promise<[string, Size]> => [
        sizeName(count, 'rule'),
        {
          petMock: await petMockWith(bench, `rules-${count}`, {
            // Rules may name only keys and plans that exist.
            plans: { none: { minute: 1, day: 1 } },
            keys: { spent: { plan: 'none' } },
            rules: manyIdleRules(count),
          }),
        },
      ],
    )
    return growing(bench, {
      title: 'Growth: rules that do not match',
      notes: [
        'Lists of pets, with rules for other operations, paths, keys, plans, queries and bodies. Each server is a process of its own; two of the same program differ by up to a tenth.',
      ],
      sizes: Object.fromEntries(await Promise.all(sizes)),
    })
  },
}
