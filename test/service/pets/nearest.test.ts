import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PetStore } from '../../../src/service/pets/store.ts'

const pet = { name: 'Rex', categoryId: 1, status: undefined }

test('the nearest pet may be in the chunk before, when the first pets of a chunk are gone', () => {
  const store = new PetStore(
    1,
    Array.from({ length: 600 }, () => pet),
  )
  for (let id = 257; id < 300; id += 1) store.delete(id)
  expect([257, 278, 279].map(id => store.nearest(id)?.id)).toEqual([256, 256, 300])
})

test('the nearest pet may be several chunks before, when all pets of those between are gone', () => {
  const store = new PetStore(
    1,
    Array.from({ length: 1_000 }, () => pet),
  )
  for (let id = 257; id <= 790; id += 1) store.delete(id)
  expect([520, 530].map(id => store.nearest(id)?.id)).toEqual([256, 791])
})

test('the nearest pet is the one that a look at all of them finds, the lower of two', () => {
  const ids = fc.uniqueArray(fc.integer({ min: 1, max: 3_000 }), { maxLength: 40 })
  const setting = fc.record({
    firstId: fc.integer({ min: -5, max: 50 }),
    size: fc.integer({ min: 0, max: 3_000 }),
    gone: ids,
  })
  fc.assert(
    fc.property(setting, fc.integer({ min: -10_000, max: 10_000 }), ({ firstId, size, gone }, asked) => {
      const store = new PetStore(
        firstId,
        Array.from({ length: size }, () => pet),
        new Set(gone),
      )
      const distance = (id: number) => Math.abs(id - asked)
      const all = Array.from(store, ({ id }) => Number(id))
      const nearest = all.reduce<number | undefined>(
        (best, id) => (best === undefined || distance(id) < distance(best) ? id : best),
        undefined,
      )
      expect(store.nearest(asked)?.id).toBe(nearest)
    }),
    { numRuns: 60 },
  )
})
