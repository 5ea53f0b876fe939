import fc from 'fast-check'
import { toInt64 } from '../../base/json/int64.ts'
import type { Int64, JsonObject } from '../../base/json/value.ts'
import { writeJson } from '../../base/json/write.ts'
import { type CheckRun, hasStatus, type Part } from './check-run.ts'
import { checkPage, list } from './lists.ts'
import { create, expectRefusal, newPet } from './pets.ts'
import { type CheckRequest, get, post } from './requests.ts'
import { OutOfBudget } from './sender.ts'

/**
 * Calls without a valid key, between the other calls. They are right in everything else, so that only 401 is right: the animal
 * exists, the body is valid. A service refuses them first, so they create nothing.
 */
export const authentication: Part = {
  name: 'authentication',
  makes: ['auth-missing', 'auth-invalid', 'auth-scheme-case'],
  act: async run => {
    const { options, pets } = run
    const [pet] = pets
    const requests: readonly CheckRequest[] = [
      get('/pets'),
      ...(pet?.id === undefined || run.isAfterRemoval ? [] : [get(`/pets/${String(pet.id)}`)]),
      ...(options.allowsWrites ? [post(writeJson(newPet(run, {})))] : []),
      get('/pets?limit=1'),
    ]
    const wrong = [
      'one more letter',
      { authorization: 'Bearer pet-mock-check-invalid-key' },
      { authorization: 'Basic cGV0OnBldA==' },
    ] as const
    run.interleave([
      ...requests.map(request => () => run.expect(401, { ...request, key: 'none' }, 'auth-missing')),
      ...wrong.map(key => () => run.expect(401, get('/pets', { key }), 'auth-invalid')),
      () => checkCase(run),
    ])
  },
}

/** The same request with the usual scheme shows whether a refusal has another cause. */
async function checkCase(run: CheckRun): Promise<void> {
  const id = 'auth-scheme-case'
  const page = await run.call(get('/pets?limit=1', { key: 'valid, in lower case' }), id)
  if (page === undefined || page.status === 429)
    return run.ledger.leaveOpen(id, 'no answer to the request came')
  const isOther = page.status !== 200 && page.status !== 401 && (await list(run, { limit: 1 })) === undefined
  if (isOther) return run.ledger.leaveOpen(id, 'the request fails with the usual scheme, too')
  if (hasStatus(page, id, 200)) checkPage(run, page, { limit: 1 })
}

/** Queries whose answer the specification leaves open. */
export const queries: Part = {
  name: 'invalid queries',
  makes: ['auth-first', 'list-limit-refused', 'list-filter-refused', 'page-cursor-refused', 'get-malformed'],
  act: async run => {
    await run.expect(400, get('/pets?limit=101'), 'list-limit-refused')
    const keyless = await run.call(get('/pets?limit=101', { key: 'none' }), 'auth-first')
    // It is wrong in other ways, too: a service may report another mistake first.
    if (keyless !== undefined && keyless.status !== 429)
      hasStatus(keyless, keyless.status < 300 ? 'auth-missing' : 'auth-first', 401)
    await run.expect(400, get('/pets?status=lost'), 'list-filter-refused')
    await run.expect(404, get('/pets/none'), 'get-malformed')
    await run.expect(400, get('/pets?cursor=none'), 'page-cursor-refused')
  },
}

/** Operations that the specification only names, and those of a user's contract. */
export const orders: Part = {
  name: 'other operations',
  makes: ['orders-answer'],
  act: async run => {
    for (const { method, path } of run.options.judge.operations) {
      if (method !== 'GET' || path === '/pets' || path.includes('{')) continue
      if (path === '/store/orders') {
        const answer = await run.expect(200, get(path), 'orders-answer')
        // Nothing says that a service has them. One that has them must ask for a key, as everywhere.
        if (answer !== undefined) await run.expect(401, get(path, { key: 'none' }), 'auth-missing')
      } else await run.call(get(path))
    }
  },
}

export const routes: Part = {
  name: 'unknown routes',
  makes: ['route-unknown', 'method-unknown', 'head-as-get'],
  act: async run => {
    const refused = await run.expect(405, { ...get('/pets'), method: 'PATCH' }, 'method-unknown')
    const allow = refused?.headers.allow ?? 'missing'
    refused?.check('method-allow', allow.includes('GET'), `Allow is ${allow}`)
    const head = await run.expect(200, { ...get('/pets?limit=1'), method: 'HEAD' }, 'head-as-get')
    head?.check('head-as-get', head.text === '', 'it has a body')
    await run.expect(404, get('/pet-mock-check'), 'route-unknown')
  },
}

const anyStatus = fc.constantFrom('available', 'pending', 'sold')
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value): Int64 => toInt64(value) ?? 0)
/** Names in any script, and some that often break services. */
const anyName = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom('', ' ', 'null', '__proto__', "Robert'); DROP TABLE pets;--", '🐕‍🦺', '\u0000'),
)
const anyPet = fc.record(
  { name: anyName, categoryId: int64, status: anyStatus },
  { requiredKeys: ['name', 'categoryId'] },
)
const noInt64 = fc.constantFrom(null, true, '1', 1.5, [1])
const noText = fc.constantFrom(null, 7, true, ['Rex'])

const notNewPet: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.record({ categoryId: int64 }),
  fc.record({ name: anyName }),
  fc.record({ name: noText, categoryId: int64 }),
  fc.record({ name: anyName, categoryId: noInt64 }),
  fc.record({ name: anyName, categoryId: int64, status: fc.constantFrom('lost', '', 1) }),
)
const anyQuery = fc.record(
  { limit: fc.integer({ min: 1, max: 100 }), status: anyStatus },
  { requiredKeys: [] },
)
const badLimit = fc.oneof(
  fc.integer({ min: 101 }).map(String),
  fc.integer({ max: 0 }).map(String),
  fc.constantFrom('', '1.5', '1e1', '+5', '0x10', '٥'),
)
const badId = fc.constantFrom('0x1', '1.0', '1e0', '+1', '01', 'null', '9223372036854775808', '%20')

export const generatedReads: Part = {
  name: 'generated requests',
  makes: [],
  act: async run => {
    await search(run, anyQuery, 0.4, query => list(run, query))
    await search(run, badLimit, 0.2, limit =>
      run.expect(400, get(`/pets?limit=${encodeURIComponent(limit)}`), 'list-limit-refused'),
    )
    await search(run, badId, 0.15, id => run.expect(404, get(`/pets/${id}`), 'get-malformed'))
  },
}

export const generatedWrites: Part = {
  name: 'generated animals',
  makes: [],
  needs: '--allow-writes',
  act: async run => {
    await search(run, anyPet, 0.25, fields => create(run, fields, 'odd'))
    await search(run, notNewPet, 0.35, body => expectRefusal(run, body))
  },
}

/** Tries generated values. One that fails a new check is shrunk: the ledger keeps the smallest. */
async function search<T>(
  run: CheckRun,
  values: fc.Arbitrary<T>,
  share: number,
  act: (value: T) => Promise<unknown>,
): Promise<void> {
  const { log } = run.ledger
  const runs = Math.floor(run.budget.callsLeft * share)
  if (runs < 1) return
  // A lost answer elsewhere hides no value that causes another one.
  const known = new Set(log.filter(key => !key.startsWith('availability ')))
  let sought: string | undefined
  const failures: unknown[] = []
  const property = fc.asyncProperty(values, async value => {
    if (run.budget.callsLeft < 1 || failures.length > 0) return
    const before = log.length
    await act(value).catch(error => {
      if (!(error instanceof OutOfBudget)) failures.push(error)
    })
    const fresh = log.slice(before).filter(key => (sought === undefined ? !known.has(key) : key === sought))
    if (fresh.length === 0) return
    sought ??= fresh[0]
    throw new Error(sought)
  })
  await fc.check(property, { seed: run.options.seed, numRuns: runs, maxSkipsPerRun: 0 })
  if (failures.length > 0) throw failures[0]
}

const mostRequests = 3

/** Tries again, much later, what never got an answer. A gateway would have recovered. */
export const unanswered: Part = {
  name: 'requests without an answer',
  makes: [],
  act: run => run.sender.retry(mostRequests, () => run.untilAllowed()),
}
