import { type CheckRequest, get, post } from '../conformance/requests.ts'

/** What a person allows the calls of `learn` to do, besides reading. */
export interface Allowed {
  /** At most three pets, and six invalid bodies. */
  readonly writes: boolean
  /** Uses up one minute, and makes one refused call. */
  readonly exhausts: boolean
  /** At most 20 refused calls, which may ban the key. */
  readonly bans: boolean
}

/** No service has pets with these ids, or these paths. */
const unknownIds = ['9223372036854775806', '9223372036854775797'] as const
const unknownPaths = ['/pet-mock-learns', '/pet-mock-learns-more'] as const

/**
 * The requests that read. Two of them with different values show each wording. `pet` and `next`: a pet of the first page, and
 * the target of the next page, if there are some.
 */
export function readingRequests(pet: string | undefined, next: string | undefined): readonly CheckRequest[] {
  const wrong = ['limit=0', 'limit=101', 'limit=many', 'limit=1000', 'status=lost', 'status=stolen']
  const own = pet === undefined ? [] : [get(`/pets/${pet}`)]
  return [
    ...own,
    ...(next === undefined ? [] : [get(next)]),
    ...wrong.map(query => get(`/pets?${query}`)),
    ...unknownIds.map(id => get(`/pets/${id}`)),
    ...unknownPaths.map(path => get(path)),
    get('/pets?status=sold&limit=5'),
    get('/pets?limit=3'),
    ...own,
    get(unknownPaths[0], { key: 'none' }),
    get('/pets', { key: 'none' }),
    get('/pets?limit=4', { key: 'one more letter' }),
    get('/pets'),
  ]
}

const valid = '{"name":"pet-mock learns","categoryId":1}'

/** At most three pets, since a service may take any content type, and at most six invalid bodies. */
export const writingRequests: readonly CheckRequest[] = [
  post(valid),
  post(valid, { headers: { 'Content-Type': 'text/plain' } }),
  post(valid, { headers: {} }),
  post('{"categoryId":1}'),
  post('{"name":"pet-mock learns","categoryId":true}'),
  post('{"name":'),
  post('{]'),
]

export const bounds = {
  reading: 60,
  withoutLimits: 20,
  /** With fewer calls left, the run ends after its first call. */
  fewestLeft: 20,
  exhausting: 1_000,
  refused: 20,
  /** Nobody waits longer for a window, in milliseconds. */
  wait: 90_000,
} as const

/** The cost of a plan, before its first call. */
export function costLines({ writes, exhausts, bans }: Allowed): readonly string[] {
  const posts = writes ? `, and ${writingRequests.length} POST requests` : ''
  const refused = bans ? `at most ${bounds.refused}, which may ban the key` : exhausts ? 'one' : 'none'
  return [
    `Calls: at most ${bounds.reading} GET requests, three of them without a valid key${posts}${exhausts || bans ? ', and those that are left of one minute' : ''}.`,
    `Writes: ${writes ? 'at most three pets, which the API cannot delete, and six invalid bodies' : 'none'}.`,
    `Refused calls: ${refused}.`,
    `Longest wait: ${exhausts ? 'four' : 'two'} minutes, until windows reset. Half of the calls of a window stay unused${exhausts || bans ? ', except in one' : ''}.`,
  ]
}
