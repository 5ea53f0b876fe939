import type { JsonObject, JsonValue } from '../../base/json/value.ts'
import { get, petsOf, type Seen } from './request.ts'
import { expectStatus, type Part, type Run } from './run-parts.ts'

const statuses = ['available', 'pending', 'sold'] as const

/** listPets: page size, filter, order, and the pages that A15 assumes. */
export const lists: Part = {
  name: 'lists',
  act: async run => {
    await list(run, {})
    const all = await list(run, { limit: 100 })
    run.pets = all === undefined ? [] : petsOf(all)
    const first = await list(run, { limit: 3 })
    await list(run, { limit: 1 })
    if (first !== undefined) await followPage(run, first)
    for (const status of statuses) {
      const page = await list(run, { limit: 100, status })
      if (page !== undefined && all !== undefined) checkComplete(run, page, all, status)
    }
    for (const limit of ['0', '101', 'all'])
      await expectStatus(run, get(`/pets?limit=${limit}`), 'list-limit-refused', 400)
    await expectStatus(run, get('/pets?status=lost'), 'list-filter-refused', 400)
    await expectStatus(run, get('/pets?cursor=none'), 'page-cursor-refused', 400)
  },
}

export interface Query {
  readonly limit?: number
  readonly status?: string
}

/** Asks for a list, and checks what must hold of it. */
export async function list(run: Run, { limit, status }: Query): Promise<Seen | undefined> {
  const query = [limit && `limit=${limit}`, status && `status=${status}`].filter(Boolean).join('&')
  const seen = await expectStatus(run, get(query === '' ? '/pets' : `/pets?${query}`), 'list-answers', 200)
  if (seen === undefined) return undefined
  checkLength(run, seen, limit)
  checkPets(run, petsOf(seen), seen, status)
  checkNoEnd(run, seen)
  return seen
}

function checkLength({ ledger, pets }: Run, seen: Seen, limit: number | undefined): void {
  const count = Array.isArray(seen.json) ? seen.json.length : 0
  const rule = limit === undefined ? 'list-default' : 'list-limit'
  const most = limit ?? 20
  ledger.expect(rule, seen, count > most && `there are ${count} animals, and the most is ${most}`)
  const isFiltered = seen.request.target.includes('status=')
  const there = Math.min(most, pets.length)
  if (!isFiltered && pets.length > 0)
    ledger.expect(
      'list-full',
      seen,
      count < there && `there are ${count} animals, and the store has ${there} or more`,
    )
}

function checkPets(
  { ledger }: Run,
  pets: readonly JsonObject[],
  seen: Seen,
  status: string | undefined,
): void {
  const ids = pets.map(({ id }) => id)
  const twice = ids.find((id, at) => ids.indexOf(id) !== at)
  ledger.expect('list-ids-unique', seen, twice !== undefined && `the id ${show(twice)} occurs twice`)
  const descent = ids.findIndex((id, at) => at > 0 && !isBefore(ids[at - 1], id))
  ledger.expect(
    'list-ids-ascend',
    seen,
    descent > 0 && `${show(ids[descent])} follows ${show(ids[descent - 1])}`,
  )
  if (status === undefined) return
  const other = pets.find(pet => pet.status !== status)
  ledger.expect(
    'list-filter',
    seen,
    other !== undefined && `the animal ${show(other.id)} has the status ${show(other.status)}`,
  )
}

/** Of an unfiltered list, every animal of a status must be in the list by that status, if that has them all. */
function checkComplete({ ledger }: Run, page: Seen, all: Seen, status: string): void {
  const found = petsOf(page)
  if (found.length >= 100 || page.headers.link !== undefined) return
  const ids = new Set(found.map(({ id }) => id))
  const missing = petsOf(all).find(pet => pet.status === status && !ids.has(pet.id))
  ledger.expect(
    'list-filter-complete',
    page,
    missing !== undefined && `the animal ${show(missing.id)} is missing`,
  )
}

function checkNoEnd({ ledger }: Run, seen: Seen): void {
  const told = ['sunset', 'deprecation'].filter(name => seen.headers[name] !== undefined)
  ledger.expect('deprecation-only', seen, told.length > 0 && `it has ${told.join(' and ')}`)
}

async function followPage(run: Run, first: Seen): Promise<void> {
  const { service, ledger, pets, basePath } = run
  const count = petsOf(first).length
  if (pets.length <= count) return
  const next = /<([^>]*)>\s*;\s*rel="?next"?/.exec(first.headers.link ?? '')?.[1]
  ledger.expect('page-linked', first, next === undefined && `Link is ${first.headers.link ?? 'missing'}`)
  if (next === undefined || !URL.canParse(next, 'http://service')) return
  const { pathname, search } = new URL(next, 'http://service')
  const target = pathname.startsWith(basePath) ? pathname.slice(basePath.length) : pathname
  const page = await service.call(get(`${target}${search}`))
  if (page === undefined) return
  const [had, expected] = [
    petsOf(page).map(({ id }) => id),
    pets.slice(count, count + count).map(({ id }) => id),
  ]
  const isNext = page.status === 200 && had.join() === expected.join()
  ledger.expect(
    'page-continues',
    page,
    !isNext &&
      `it has ${had.map(show).join(', ') || `the status ${page.status}`}, and ${expected.map(show).join(', ')} should follow`,
  )
}

function isBefore(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  const isNumber = (value: JsonValue | undefined) => typeof value === 'number' || typeof value === 'bigint'
  // What is no number is a breach of the schema, and told as that.
  return !isNumber(one) || !isNumber(other) || (one as number) < (other as number)
}

export function show(value: JsonValue | undefined): string {
  return value === undefined ? 'nothing' : typeof value === 'string' ? `“${value}”` : String(value)
}
