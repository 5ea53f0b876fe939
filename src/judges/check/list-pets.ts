import type { JsonValue } from '../../base/json/value.ts'
import type { CheckRun, Part } from './check-run.ts'
import { type CheckedCall, petsOf, show } from './checked-call.ts'
import { get } from './request.ts'

/** listPets: page size, filter, order, and pagination (A15). */
export const lists: Part = {
  name: 'lists',
  act: async run => {
    await list(run, {})
    const all = await list(run, { limit: 100 })
    run.pets = all === undefined ? [] : petsOf(all)
    const first = await list(run, { limit: 3 })
    await list(run, { limit: 1 })
    if (first !== undefined) await followPage(run, first)
    for (const status of ['available', 'pending', 'sold']) {
      const page = await list(run, { limit: 100, status })
      if (page !== undefined && all !== undefined) checkComplete(page, all, status)
    }
    for (const limit of ['0', '101', 'all'])
      await run.expect(400, get(`/pets?limit=${limit}`), 'list-limit-refused')
    await run.expect(400, get('/pets?status=lost'), 'list-filter-refused')
    await run.expect(400, get('/pets?cursor=none'), 'page-cursor-refused')
  },
}

interface Query {
  readonly limit?: number
  readonly status?: string
}

/** Gets a list and checks it. */
export async function list(run: CheckRun, query: Query): Promise<CheckedCall | undefined> {
  const { limit, status } = query
  const text = [limit && `limit=${limit}`, status && `status=${status}`].filter(Boolean).join('&')
  const page = await run.expect(200, get(text === '' ? '/pets' : `/pets?${text}`), 'list-answers')
  if (page === undefined) return undefined
  checkLength(run, page, query)
  checkIds(page)
  const other = petsOf(page).find(pet => pet.status !== status)
  if (status !== undefined)
    page.check('list-filter', !other, `the animal ${show(other?.id)} has the status ${show(other?.status)}`)
  const announced = ['sunset', 'deprecation'].filter(name => page.headers[name] !== undefined)
  page.check('deprecation-only', announced.length === 0, `it has ${announced.join(' and ')}`)
  return page
}

function checkLength({ pets }: CheckRun, { json, check }: CheckedCall, { limit, status }: Query): void {
  const count = Array.isArray(json) ? json.length : 0
  const most = limit ?? 20
  const id = limit === undefined ? 'list-default' : 'list-limit'
  check(id, count <= most, `${count} animals, at most ${most} allowed`)
  const available = Math.min(most, pets.length)
  if (status === undefined && pets.length > 0)
    check('list-full', count >= available, `${count} animals, but the store has at least ${available}`)
}

function checkIds(page: CheckedCall): void {
  const ids = petsOf(page).map(({ id }) => id)
  const twice = ids.find((id, at) => ids.indexOf(id) !== at)
  page.check('list-ids-unique', twice === undefined, `the id ${show(twice)} occurs twice`)
  const descent = ids.findIndex((id, at) => at > 0 && !isBefore(ids[at - 1], id))
  page.check('list-ids-ascend', descent < 0, `${show(ids[descent])} follows ${show(ids[descent - 1])}`)
}

/** A filtered list that fits on one page must have every animal of the unfiltered list with its status. */
function checkComplete(page: CheckedCall, all: CheckedCall, status: string): void {
  const found = petsOf(page)
  if (found.length >= 100 || page.headers.link !== undefined) return
  const ids = new Set(found.map(({ id }) => id))
  const missing = petsOf(all).find(pet => pet.status === status && !ids.has(pet.id))
  page.check('list-filter-complete', !missing, `the animal ${show(missing?.id)} is missing`)
}

async function followPage(run: CheckRun, first: CheckedCall): Promise<void> {
  const { pets, options } = run
  const count = petsOf(first).length
  if (pets.length <= count) return
  const { link = 'missing' } = first.headers
  const next = /<([^>]*)>\s*;\s*rel="?next"?/.exec(link)?.[1]
  first.check('page-linked', next !== undefined, `Link is ${link}`)
  if (next === undefined || !URL.canParse(next, 'http://service')) return
  const { pathname, search } = new URL(next, 'http://service')
  const target = pathname.startsWith(options.basePath) ? pathname.slice(options.basePath.length) : pathname
  const page = await run.call(get(`${target}${search}`))
  if (page === undefined) return
  const [ids, expected] = [petsOf(page), pets.slice(count, count + count)].map(animals =>
    animals.map(({ id }) => show(id)).join(', '),
  )
  const found = ids || `the status ${page.status}`
  page.check(
    'page-continues',
    page.status === 200 && ids === expected,
    `it has ${found}, expected ${expected}`,
  )
}

/** The contract's schema checks that ids are numbers. */
function isBefore(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  const isNumber = (value: JsonValue | undefined) => typeof value === 'number' || typeof value === 'bigint'
  return !isNumber(one) || !isNumber(other) || (one as number) < (other as number)
}
