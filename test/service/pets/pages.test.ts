import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Pages } from '../../../src/service/pets/list-pets.ts'
import { type NewPet, petStatuses } from '../../../src/service/pets/pet.ts'
import { PetStore } from '../../../src/service/pets/store.ts'

const status = fc.option(fc.constantFrom(...petStatuses), { nil: undefined })
const change = fc.oneof(
  fc.record({ do: fc.constant('create' as const), status }),
  fc.record({ do: fc.constant('skip' as const) }),
  fc.record({ do: fc.constant('replace' as const), id: fc.integer({ min: 1, max: 12 }), status }),
  fc.record({ do: fc.constant('delete' as const), id: fc.integer({ min: 1, max: 12 }) }),
)
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never

function act(store: PetStore, change: Change): void {
  const pet = change.do === 'replace' ? store.get(change.id) : undefined
  if (change.do === 'create') store.create({ name: 'Rex', categoryId: 1, status: change.status })
  else if (change.do === 'skip') store.skip()
  else if (change.do === 'delete') store.delete(change.id)
  else if (pet !== undefined) store.replace({ ...pet, name: 'Bello', status: change.status })
}

const queries = [
  '',
  'limit=1',
  'limit=5',
  'status=sold',
  'status=sold&limit=2',
  'limit=3&cursor=YWZ0ZXI6Mg',
  'limit=0',
]

test.each(['link', 'none'] as const)(
  'a page that was kept is the page that would be written (pagination: %s)',
  pagination => {
    const settings = { pageSize: 'reject', pagination } as const
    fc.assert(
      fc.property(fc.array(change, { maxLength: 30 }), changes => {
        const store = new PetStore(1)
        const pages = new Pages(store, settings)
        for (const change of changes) {
          act(store, change)
          for (const query of queries) {
            const written = new Pages(store, settings).get(query, 'http://a.test')
            expect(pages.get(query, 'http://a.test')).toEqual(written)
            expect(pages.get(query, 'http://b.test').body).toBe(written.body)
          }
        }
      }),
    )
  },
)

const rex: NewPet = { name: 'Rex', categoryId: 1, status: undefined }

function pagesOf(pets: readonly NewPet[]): Pages {
  return new Pages(new PetStore(1, pets), { pageSize: 'reject', pagination: 'link' })
}

// A page that is kept is the same object when it is asked for again: that is all that can be seen of it from outside.

test('a client that asks for ever new pages does not fill the memory: a hundred are kept', () => {
  const pages = pagesOf([])
  const first = pages.get('n=0', '')
  for (let n = 1; n < 100; n += 1) pages.get(`n=${n}`, '')
  expect(pages.get('n=0', '')).toBe(first)
  pages.get('n=100', '')
  expect(pages.get('n=0', '')).not.toBe(first)
})

test.each([
  [65_536, true],
  [65_537, false],
])('of %i bytes, a page is kept: %s', (size, isKept) => {
  const frame = '[{"id":1,"name":"","categoryId":1}]'
  const pages = pagesOf([{ name: 'x'.repeat(size - frame.length), categoryId: 1, status: undefined }])
  const first = pages.get('', '')
  expect([first.length, pages.get('', '') === first]).toEqual([size, isKept])
})

test('a full page is kept when a new pet comes after all others', () => {
  const store = new PetStore(1, [rex, rex])
  const pages = new Pages(store, { pageSize: 'reject', pagination: 'link' })
  const [full, last] = [pages.get('limit=1', ''), pages.get('limit=2', '')]
  store.create(rex)
  expect(pages.get('limit=1', '')).toBe(full)
  expect([last.headers, pages.get('limit=2', '').headers]).toEqual([undefined, { Link: expect.any(String) }])
})

// The pets before others are in one chunk, which is split when it has more than 256.
test.each([1, 254, 255, 256])('a new pet before %i others is on the page that was kept', others => {
  const store = new PetStore(1, [rex])
  for (let n = 0; n < others; n += 1) store.put({ id: 1_000 + n, ...rex })
  const pages = new Pages(store, { pageSize: 'reject', pagination: 'none' })
  const ids = () => JSON.parse(pages.get('limit=2', '').body).map(({ id }: { id: number }) => id)
  expect(ids()).toEqual([1, 1_000])
  store.create(rex)
  expect(ids()).toEqual([1, 2])
})

test('a page that was kept is written anew after two changes, as after one', () => {
  const store = new PetStore(1, [rex])
  store.put({ id: 9, ...rex })
  const pages = new Pages(store, { pageSize: 'reject', pagination: 'none' })
  expect(pages.get('limit=1', '').body).toContain('Rex')
  store.create(rex)
  store.replace({ ...rex, id: 1, name: 'Bello' })
  expect(pages.get('limit=1', '').body).toContain('Bello')
})

test('a page that was kept links to the address that is asked, every time', () => {
  const pages = pagesOf([rex, rex, rex])
  const bases = ['http://a.test', 'http://a.test', 'http://b.test', 'http://b.test', 'http://a.test']
  const links = bases.map(base => pages.get('limit=1', base).headers?.Link)
  expect(links).toEqual(bases.map(base => expect.stringContaining(`<${base}/pets?`)))
})

test('stores that were forked from one share its pages until they change', () => {
  const settings = { pageSize: 'reject', pagination: 'link' } as const
  const shipped = new PetStore(1, [{ name: 'Rex', categoryId: 1, status: 'sold' }])
  const shared = new Pages(shipped, settings)
  const stores = [shipped.fork(), shipped.fork()] as const
  const [one, other] = [new Pages(stores[0], settings, shared), new Pages(stores[1], settings, shared)]
  const page = one.get('', '')
  const pet = one.pet('1', '', () => page)
  expect(other.get('', '')).toBe(page)
  expect(other.pet('1', '', () => ({ ...page }))).toBe(pet)
  stores[0].create({ name: 'Bello', categoryId: 1, status: 'sold' })
  expect(one.get('', '').body).toContain('Bello')
  expect(one.pet('1', '', () => ({ ...page }))).not.toBe(pet)
  expect(other.get('', '')).toBe(page)
})

test('a client that asks for ever new pets does not fill the memory: a hundred answers are kept, of short ids', () => {
  const pages = pagesOf([])
  const made = pages.get('', '')
  const ask = (id: string) => pages.pet(id, '', () => ({ ...made }))
  const first = ask('0')
  for (let n = 1; n < 100; n += 1) ask(`${n}`)
  expect(ask('0')).toBe(first)
  ask('100')
  expect(ask('0')).not.toBe(first)
  const long = '1'.repeat(1_000)
  expect(ask(long)).not.toBe(ask(long))
})

test('a page is encoded when it is asked for again, once', () => {
  const pages = pagesOf([{ name: 'é', categoryId: 1, status: undefined }])
  const [first, second, third] = [pages.get('', ''), pages.get('', ''), pages.get('', '')]
  expect([first.octets, second.octets]).toEqual([undefined, first.body.replace('é', '\u00c3\u00a9')])
  expect(third).toBe(second)
})

test('an answer about a pet that was kept is for the address that is asked', () => {
  const pages = pagesOf([])
  const made = pages.get('', '')
  const ask = (base: string) =>
    pages.pet('1', base, () => ({ ...made, headers: { Link: base } })).headers?.Link
  const bases = ['http://a.test', 'http://b.test', 'http://b.test', 'http://a.test']
  expect(bases.map(ask)).toEqual(bases)
})
