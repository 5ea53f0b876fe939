import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Int64 } from '../../../src/base/json/value.ts'
import { shippedFixtures } from '../../../src/control/fixtures/fixtures.ts'
import { crossCheck } from '../../../src/control/scenario/checks/cross-check.ts'
import { effectivePetIds } from '../../../src/control/scenario/effective.ts'
import { settlePets } from '../../../src/control/scenario/settle/settle.ts'
import { restorePets, savePets } from '../../../src/control/snapshot/parts.ts'

const last = 2n ** 63n - 1n
const pet = { name: 'a', categoryId: 1, status: undefined }

/** Ids near each other, near 2^53 and near the last one, and none. */
const id: fc.Arbitrary<Int64 | undefined> = fc.oneof(
  fc.constant(undefined),
  fc.integer({ min: 1, max: 40 }),
  fc.bigInt({ min: 2n ** 53n, max: 2n ** 53n + 5n }),
  fc.bigInt({ min: last - 3n * 10n ** 12n, max: last }),
)
const setting = fc.record({
  ids: fc.uniqueArray(id, { maxLength: 12, selector: one => one ?? {} }),
  firstId: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.bigInt({ min: 2n ** 53n, max: 2n ** 53n + 5n })),
  count: fc.nat(20),
  added: fc.nat(3),
  goneAt: fc.array(fc.nat(20), { maxLength: 4 }),
  created: fc.array(fc.boolean(), { maxLength: 20 }),
})

test('ids are unique, ascend, and are never used again, through snapshots too', () => {
  fc.assert(
    fc.property(setting, ({ ids, firstId, count, added, goneAt, created }) => {
      const pets = ids.map(own => (own === undefined ? pet : { ...pet, id: own }))
      const fixtures = { ...shippedFixtures, pets }
      const fields = { count, firstId, add: Array.from({ length: added }, () => pet) }
      const { own, has } = effectivePetIds(fields, fixtures)
      const all = Array.from(settlePets(fields, 1, fixtures), one => one.id)
      expect(all.length).toBe(count + added)
      expect(all).toEqual([...new Set(all)].sort((one, other) => (one < other ? -1 : 1)))
      expect(all.every(one => has(one))).toBe(true)
      expect(all).toEqual(expect.arrayContaining([...own.keys()]))

      const gone = goneAt.flatMap(at => all[at] ?? [])
      expect(crossCheck({ pets: { ...fields, gone } }, fixtures)).toEqual([])
      const base = settlePets({ ...fields, gone }, 1, fixtures)
      expect(Array.from(base, one => one.id)).toEqual(all.filter(one => !gone.includes(one)))
      let store = base.fork()
      const used = new Set(all)
      for (const restores of created) {
        const made = store.create(pet)
        expect(used.has(made.id)).toBe(false)
        used.add(made.id)
        store.delete(made.id)
        store.delete(all[used.size % Math.max(1, all.length)] ?? 0)
        if (!restores) continue
        const saved = savePets(store, base)
        const list = [...saved.list]
        const restored = restorePets({ ...saved, list }, base)
        expect(restored.equals(store)).toBe(true)
        store = restored
      }
    }),
    { numRuns: 300 },
  )
})

test.each<[string, Parameters<typeof effectivePetIds>[0], readonly string[]]>([
  [
    'an id that no pet had',
    { count: 3, gone: [5] },
    ['no pet ever had the id 5: the pets have the ids 1 to 2, those that pets.yaml gives'],
  ],
  ['an id of pets.yaml', { count: 3, gone: [4711] }, []],
  [
    'no room between the ids',
    { count: 1, firstId: last - 10n ** 12n },
    ['1 pets that start at id 9223371036854775807 leave too few ids (int64) for new pets'],
  ],
])('%s', (_name, pets, expected) => {
  const fixtures = { ...shippedFixtures, pets: [{ ...pet, id: pets.firstId === undefined ? 4711 : last }] }
  expect(crossCheck({ pets }, fixtures).map(({ message }) => message)).toEqual(expected)
})
