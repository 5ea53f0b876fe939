import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Int64 } from '../../../src/base/json/value.ts'
import { Chunks } from '../../../src/service/pets/chunks.ts'
import { type NewPet, type Pet, type PetStatus, petStatuses } from '../../../src/service/pets/pet.ts'
import { PetStore } from '../../../src/service/pets/store.ts'

/** A store as anybody would write it, to hold the real one against. */
class PlainStore {
  pets: Pet[] = []
  nextId: number

  constructor(firstId: number) {
    this.nextId = firstId
  }

  page(status: PetStatus | undefined, after: number, limit: number, isDescending: boolean) {
    const pets = isDescending ? this.pets.toReversed() : this.pets
    const follows = (id: Int64) => (isDescending ? id < after : id > after)
    const found = pets.filter(pet => follows(pet.id) && (status === undefined || pet.status === status))
    return { pets: found.slice(0, limit), more: found.length > limit }
  }

  differences(base: PlainStore) {
    const [mine, theirs] = [this, base].map(({ pets }) => new Map(pets.map(pet => [pet.id, pet])))
    return [...new Set([...this.pets, ...base.pets].map(({ id }) => id))]
      .sort((one, other) => Number(one) - Number(other))
      .map(id => ({ id, pet: mine?.get(id), other: theirs?.get(id) }))
      .filter(({ pet, other }) => JSON.stringify(pet) !== JSON.stringify(other))
      .map(({ id, pet }) => ({ id, pet }))
  }

  fork(): PlainStore {
    const fork = new PlainStore(this.nextId)
    fork.pets = [...this.pets]
    return fork
  }
}

interface Pair {
  readonly real: PetStore
  readonly plain: PlainStore
}

const status = fc.option(fc.constantFrom(...petStatuses), { nil: undefined })
/** Which of the pairs, and which of its ids, as shares of what there is by then. */
const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
const step = fc.oneof(
  // Many at a time, so that there is more than one chunk.
  { weight: 4, arbitrary: fc.record({ do: fc.constant('create' as const), status, many: fc.nat(400) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('skip' as const), many: fc.nat(400) }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('delete' as const), which: share, many: fc.nat(400) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('replace' as const), which: share, status, many: fc.nat(400) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('put' as const), which: share, status, many: fc.nat(400) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('fork' as const) }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

function act({ real, plain }: Pair, step: Exclude<Step, { do: 'fork' }>): void {
  const before = real.revision
  for (let n = 0; n <= step.many; n += 1) {
    if (step.do === 'create') {
      const pet = { name: `pet ${n}`, categoryId: n, status: step.status }
      plain.pets.push({ id: plain.nextId, ...pet })
      expect(real.create(pet).id).toBe(plain.nextId)
      plain.nextId += 1
    } else if (step.do === 'skip') {
      real.skip()
      plain.nextId += 1
    } else if (step.do === 'put') {
      // Downwards, from an id that may not be given yet, past those that are gone.
      const id = 7 + Math.floor(step.which * (plain.nextId - 6)) - n
      if (id < 7) return
      const pet = { id, name: `put ${n}`, categoryId: n, status: step.status }
      real.put(pet)
      real.skipTo(id + 1)
      const found = plain.pets.findIndex(other => other.id >= id)
      const place = found === -1 ? plain.pets.length : found
      plain.pets.splice(place, plain.pets[place]?.id === id ? 1 : 0, pet)
      plain.nextId = Math.max(plain.nextId, id + 1)
    } else {
      const index = Math.floor(step.which * plain.pets.length)
      const pet = plain.pets[index]
      if (pet === undefined) return
      if (step.do === 'delete') {
        real.delete(pet.id)
        plain.pets.splice(index, 1)
      } else {
        const other = { ...pet, name: 'other', status: step.status }
        real.replace(other)
        plain.pets[index] = other
      }
    }
  }
  expect(real.revision).toBeGreaterThan(before)
}

function expectAlike({ real, plain }: Pair): void {
  expect([...real]).toEqual(plain.pets)
  expect([real.size, real.nextId]).toEqual([plain.pets.length, plain.nextId])
  const last = Number(plain.pets.at(-1)?.id ?? 7)
  for (const status of [undefined, ...petStatuses]) {
    for (const after of [-1_000, 6, 7, Math.floor(last / 2), last - 1, last, last + 1, 10 ** 15]) {
      for (const isDescending of [false, true])
        expect(real.page(status, after, 20, isDescending)).toEqual(
          plain.page(status, after, 20, isDescending),
        )
    }
  }
  for (const id of [-1, 0, 6, last, last + 1, 2 ** 40]) {
    expect(real.get(id)).toEqual(plain.pets.find(pet => pet.id === id))
  }
}

test('however it is written to and forked, it holds what a plain list would', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(share, step), { minLength: 1, maxLength: 25 }), steps => {
      const pairs: Pair[] = [{ real: new PetStore(7), plain: new PlainStore(7) }]
      for (const [which, step] of steps) {
        const pair = pairs[Math.floor(which * pairs.length)]
        if (pair === undefined) throw new Error('There is a pair from the start')
        if (step.do === 'fork') pairs.push({ real: pair.real.fork(), plain: pair.plain.fork() })
        else act(pair, step)
      }
      for (const pair of pairs) expectAlike(pair)
      for (const { real, plain } of pairs)
        for (const base of pairs)
          expect([...real.differences(base.real)]).toEqual(plain.differences(base.plain))
    }),
    { numRuns: 20 },
  )
})

test('an id beyond 2^53 is a place like any other', () => {
  const store = new PetStore(9_007_199_254_740_990)
  for (const name of ['a', 'b', 'c', 'd']) store.create({ name, categoryId: 1, status: undefined })
  expect([...store].map(({ id }) => id)).toEqual([
    9_007_199_254_740_990,
    9_007_199_254_740_991,
    9_007_199_254_740_992n,
    9_007_199_254_740_993n,
  ])
  expect(store.get(9_007_199_254_740_993n)?.name).toBe('d')
  expect(store.page(undefined, 9_007_199_254_740_991, 1)).toMatchObject({ pets: [{ name: 'c' }], more: true })
})

test('ids far from the first one stay exact, and a new pet before them is on the pages that are kept', () => {
  const pet = { name: 'a', categoryId: 1, status: undefined }
  const store = new PetStore(1, [pet])
  const far = [2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 2n, 2n ** 63n - 1n]
  for (const id of far) store.put({ id, ...pet })
  const { rewrites } = store
  expect(store.create(pet).id).toBe(2)
  expect(store.rewrites).toBe(rewrites + 1)
  expect(Array.from(store, ({ id }) => id)).toEqual([1, 2, ...far])
  expect([2n ** 53n - 1n, 2n ** 53n + 2n, 2n ** 63n - 3n].map(id => store.get(id))).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  expect(store.page(undefined, 2n ** 53n, 2).pets.map(({ id }) => id)).toEqual(far.slice(1, 3))
  expect([10 ** 9, 2n ** 62n + 2n ** 53n].map(id => store.nearest(id)?.id)).toEqual([2, 2n ** 63n - 2n])
})

test('there is nothing to replace where there is no pet', () => {
  const store = new PetStore(1)
  expect(() => store.replace({ id: 1, name: 'a', categoryId: 1, status: undefined })).toThrow(/no pet/)
})

test('there is nothing to write to where there is no chunk', () => {
  expect(() => new Chunks().write(0)).toThrow('there is no chunk 0')
})

test('a pet that is put uses up no id, and ids that are skipped are used up', () => {
  const pet = { name: 'a', categoryId: 1, status: undefined }
  const store = new PetStore(1, [pet])
  store.put({ id: 10, ...pet })
  expect([store.nextId, store.size, store.get(10)?.id]).toEqual([2, 2, 10])
  store.skipTo(11)
  const before = store.revision
  for (const id of [5, 11]) store.skipTo(id)
  expect([store.nextId, store.revision]).toEqual([11, before])
  store.skipTo(20)
  expect([store.nextId, store.revision]).toEqual([20, before + 1])
  expect(store.create(pet).id).toBe(20)
})

test('pets that come between others split a chunk, and a page goes across chunks', () => {
  const store = new PetStore(1)
  store.skipTo(1_001)
  const pet = { name: 'a', categoryId: 1, status: undefined }
  for (let id = 1_001; id <= 1_300; id += 1) store.create(pet)
  for (let id = 300; id >= 1; id -= 1) store.put({ id, ...pet })
  const ids = [
    ...Array.from({ length: 300 }, (_, n) => n + 1),
    ...Array.from({ length: 300 }, (_, n) => n + 1_001),
  ]
  expect(Array.from(store, ({ id }) => id)).toEqual(ids)
  for (let after = 0; after < ids.length; after += 1) {
    const { pets, more } = store.page(undefined, ids[after - 1], 20)
    expect(pets.map(({ id }) => id)).toEqual(ids.slice(after, after + 20))
    expect(more).toBe(after + 20 < ids.length)
  }
})

test('a fork that loses a whole chunk takes none from the other store', () => {
  const pet = { name: 'a', categoryId: 1, status: undefined }
  const store = new PetStore(
    1,
    Array.from({ length: 300 }, () => pet),
  )
  const fork = store.fork()
  for (let id = 257; id <= 300; id += 1) fork.delete(id)
  expect([fork.get(300), store.get(300)?.id, store.size]).toEqual([undefined, 300, 300])
})

test.each([{ name: 'b' }, { categoryId: 2 }, { status: 'sold' as const }, { extra: '{"a":1}' }])(
  'a pet that differs in %j alone is a difference',
  change => {
    const pet = { name: 'a', categoryId: 1, status: undefined }
    const store = new PetStore(1, [pet])
    const fork = store.fork()
    const changed = { id: 1, ...pet, ...change }
    fork.replace(changed)
    expect([...fork.differences(store)]).toEqual([{ id: 1, pet: changed }])
  },
)

const one: NewPet = { name: 'a', categoryId: 1, status: undefined }

test.each<[after: number | undefined, limit: number, ids: readonly number[], more: boolean]>([
  [undefined, 2, [5, 3], true],
  [undefined, 3, [5, 3, 2], false],
  [9, 2, [5, 3], true],
  [5, 2, [3, 2], false],
  [4, 1, [3], true],
  [4, 2, [3, 2], false],
  [1, 2, [], false],
])(
  'descending, after the id %s, a page of %i has the pets %j, and more follow: %j',
  (after, limit, ids, more) => {
    const store = new PetStore(
      1,
      Array.from({ length: 5 }, () => one),
      new Set([1, 4]),
    )
    const page = store.page(undefined, after, limit, true)
    expect([page.pets.map(({ id }) => id), page.more]).toEqual([ids, more])
  },
)

test.each<[what: string, other: PetStore, isEqual: boolean]>([
  ['the same', new PetStore(1, [one]), true],
  ['another pet', new PetStore(1, [{ ...one, name: 'b' }]), false],
  ['one pet more', new PetStore(1, [one, one]), false],
  ['the same pet with another id', new PetStore(1, [one, one], new Set([1])), false],
  ['one id used up more', new PetStore(1, [one, one], new Set([2])), false],
  ['another first id', new PetStore(2, [one]), false],
])('whether a store with one pet equals one with %s: %j', (_, other, isEqual) => {
  const store = new PetStore(1, [one])
  expect([store.equals(other), other.equals(store)]).toEqual([isEqual, isEqual])
})

test('stores without pets are equal if the ids that new pets get are', () => {
  const [low, high] = [new PetStore(1), new PetStore(2)]
  expect(low.equals(new PetStore(1))).toBe(true)
  low.skip()
  expect([low.nextId, low.equals(high), low.equals(new PetStore(1))]).toEqual([2, false, false])
})
