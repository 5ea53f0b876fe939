import { describe, expect, it } from 'vitest'
import { readNewPet } from '../../../src/service/pets/create-pet.ts'
import { getPet } from '../../../src/service/pets/get-pet.ts'
import { type ListSettings, readListQuery } from '../../../src/service/pets/list-pets.ts'
import { PetStore } from '../../../src/service/pets/store.ts'

const rex = { name: 'Rex', categoryId: 1, status: undefined }

/** What was asked, what would have worked, and the clause of the message. */
type Found = readonly [what: string, asked: string, expected: string, message: string]

const shown = (read: object): readonly Found[] =>
  'problems' in read
    ? (read.problems as { what: string; asked: string; expected: string; message: string }[]).map(
        ({ what, asked, expected, message }) => [what, asked, expected, message],
      )
    : []

const range = 'a whole number from 1 to 100'
const anyStatus = 'one of available, pending, sold'

describe('a query of listPets', () => {
  const usual: ListSettings = { pageSize: 'reject', pagination: 'link' }
  const limit = (asked: string, expected: string): Found => [
    'limit',
    asked,
    expected,
    `limit must be ${range}, not "${asked}"`,
  ]
  it.each<[query: string, found: readonly Found[]]>([
    ['limit=0', [limit('0', `1 (${range})`)]],
    ['limit=101', [limit('101', `100 (${range})`)]],
    ['limit=-5', [limit('-5', `1 (${range})`)]],
    ['limit=ten', [limit('ten', range)]],
    ['limit=020', [limit('020', range)]],
    ['limit=', [limit('', range)]],
    ['limit=1&a=b&limit=2', [['limit', 'limit=1&limit=2', 'limit=1', 'limit is given 2 times']]],
    [
      'limit=%zz',
      [
        [
          'limit',
          'limit=%zz',
          'UTF-8 in percent-encoding',
          'limit cannot be decoded: "limit=%zz" is not UTF-8 in percent-encoding',
        ],
      ],
    ],
    ['status=sodl', [['status', 'sodl', 'sold', `status must be ${anyStatus}, not "sodl"`]]],
    ['status=x', [['status', 'x', anyStatus, `status must be ${anyStatus}, not "x"`]]],
    [
      'cursor=x',
      [
        [
          'cursor',
          'x',
          'a cursor from a Link header',
          'cursor is unknown: copy it unchanged from a Link header',
        ],
      ],
    ],
    [
      'limit=0&status=x&status=y',
      [limit('0', `1 (${range})`), ['status', 'status=x&status=y', 'status=x', 'status is given 2 times']],
    ],
  ])('%s', (query, found) => {
    expect(shown(readListQuery(query, usual))).toEqual(found)
  })

  it.each<[count: number, found: readonly Found[]]>([
    [1_000, [limit('0', `1 (${range})`)]],
    [
      1_001,
      [
        [
          'query',
          '1001 parameters',
          'at most 1,000 query parameters',
          'the query has 1001 parameters: send at most 1,000 query parameters',
        ],
      ],
    ],
  ])('of %i parameters', (count, found) => {
    expect(shown(readListQuery(`limit=0${'&a'.repeat(count - 1)}`, usual))).toEqual(found)
  })

  it.each<[query: string, settings: Partial<ListSettings>, found: object]>([
    ['', {}, { limit: 20, status: undefined, after: undefined, rest: '' }],
    ['limit=1', {}, { limit: 1 }],
    ['limit=100&status=sold', {}, { limit: 100, status: 'sold', rest: 'limit=100&status=sold' }],
    ['limit=101', { pageSize: 'clamp' }, { limit: 100 }],
    ['limit=0', { pageSize: 'clamp' }, { limit: 1 }],
    ['limit=-0', { pageSize: 'clamp' }, { limit: 1 }],
    ['limit=7', { pageSize: 'clamp' }, { limit: 7 }],
    ['cursor=YWZ0ZXI6Mg&limit=2', {}, { limit: 2, after: 2, rest: 'limit=2' }],
    ['cursor=x', { pagination: 'none' }, { after: undefined, rest: '' }],
    ['a=<b>&c=%3e%', {}, { rest: 'a=%3Cb%3E&c=%3e%25' }],
    ['a=\ud800é', {}, { rest: 'a=%EF%BF%BD%C3%A9' }],
    ['a=\u{1f436}&b=%a-', {}, { rest: 'a=%F0%9F%90%B6&b=%25a-' }],
  ])('%s with %j is read', (query, settings, found) => {
    expect(readListQuery(query, { ...usual, ...settings })).toMatchObject(found)
  })

  it('is not clamped if it is no number', () => {
    expect(shown(readListQuery('limit=ten', { ...usual, pageSize: 'clamp' }))).toEqual([limit('ten', range)])
  })
})

describe('a new pet', () => {
  const integer = (asked: string, expected = 'an integer'): Found => [
    'categoryId',
    asked,
    expected,
    `categoryId must be an integer, not ${asked}`,
  ]
  const name = (asked: string): Found => ['name', asked, 'a string', `name must be a string, not ${asked}`]
  const status = (asked: string, expected = anyStatus): Found => [
    'status',
    asked,
    expected,
    `status must be ${anyStatus}, not ${asked}`,
  ]
  const long = (asked: string): Found => [
    'categoryId',
    asked,
    'an integer of at most 64 bits',
    'categoryId must fit into 64 bits (int64)',
  ]
  it.each<[body: Parameters<typeof readNewPet>[0], found: readonly Found[]]>([
    [
      rex.name,
      [['body', 'the string "Rex"', 'a JSON object', 'the body must be a JSON object, not the string "Rex"']],
    ],
    [
      {},
      [
        ['name', '–', 'a string', 'name is required'],
        ['categoryId', '–', 'an integer', 'categoryId is required'],
      ],
    ],
    [{ name: null, categoryId: 1 }, [name('null')]],
    [{ name: ['Rex'], categoryId: 1 }, [name('an array')]],
    [{ name: {}, categoryId: 1 }, [name('an object')]],
    [{ name: true, categoryId: 1 }, [name('the boolean true')]],
    [{ name: 7, categoryId: 1 }, [name('the number 7')]],
    [{ name: Number.POSITIVE_INFINITY, categoryId: 1 }, [name('a number')]],
    [{ name: 'Rex', categoryId: '7' }, [integer('the string "7"', '7, without quotes')]],
    [{ name: 'Rex', categoryId: '-12' }, [integer('the string "-12"', '-12, without quotes')]],
    [{ name: 'Rex', categoryId: 'x7' }, [integer('the string "x7"')]],
    [{ name: 'Rex', categoryId: '7x' }, [integer('the string "7x"')]],
    [{ name: 'Rex', categoryId: [7] }, [integer('an array')]],
    [{ name: 'Rex', categoryId: '1'.repeat(20) }, [integer(`the string "${'1'.repeat(20)}"`)]],
    [{ name: 'Rex', categoryId: 1.5 }, [integer('1.5', '2 (an integer)')]],
    [{ name: 'Rex', categoryId: Number.NaN }, [integer('a fraction')]],
    [{ name: 'Rex', categoryId: 2 ** 70 }, [long(`the number ${2 ** 70}`)]],
    [{ name: 'Rex', categoryId: Number.POSITIVE_INFINITY }, [long('a number')]],
    [{ name: 'Rex', categoryId: 2n ** 63n }, [long('the number 9223372036854775808')]],
    [{ name: 'Rex', categoryId: 1, status: 'sodl' }, [status('the string "sodl"', '"sold"')]],
    [{ name: 'Rex', categoryId: 1, status: 'lost' }, [status('the string "lost"')]],
    [{ name: 'Rex', categoryId: 1, status: null }, [status('null')]],
    [{ name: 'Rex', categoryId: 1, status: 7 }, [status('the number 7')]],
    [
      { name: 1, categoryId: null, status: 2 },
      [name('the number 1'), integer('null'), status('the number 2')],
    ],
  ])('%o', (body, found) => {
    expect(shown(readNewPet(body))).toEqual(found)
  })

  it.each<[object, object]>([
    [
      { name: '', categoryId: -1, other: 1 },
      { name: '', categoryId: -1, status: undefined },
    ],
    [
      { name: 'Rex', categoryId: 2n ** 63n - 1n, status: 'sold' },
      { name: 'Rex', categoryId: 2n ** 63n - 1n, status: 'sold' },
    ],
  ])('%o is read', (body, pet) => {
    expect(readNewPet(body as Parameters<typeof readNewPet>[0])).toEqual({ pet })
  })
})

it.each([
  ['9', '3 (there is a pet)'],
  ['+9', '3 (there is a pet)'],
  ['-9', '1 (there is a pet)'],
  ['2', '1 (there is a pet)'],
  ['9'.repeat(18), '3 (there is a pet)'],
  ['9'.repeat(19), '1 (there is a pet)'],
  ['x9', '1 (there is a pet)'],
  ['9x', '1 (there is a pet)'],
])('there is no pet with the id %s: the nearest is %s', (id, expected) => {
  const { status, body, mismatches } = getPet(new PetStore(1, [rex, rex, rex], new Set([2])), id)
  expect([status, JSON.parse(body)]).toEqual([
    404,
    { code: 'pet_not_found', message: `There is no pet with the id "${id}".`, status: 404 },
  ])
  expect(mismatches).toEqual([{ what: 'petId', asked: id, expected }])
})

it('without pets, none is near', () => {
  expect(getPet(new PetStore(1), '1').mismatches).toEqual([
    { what: 'petId', asked: '1', expected: 'an id of a pet (there are none)' },
  ])
})
