import type { JsonObject, JsonValue } from '../../base/json/value.ts'
import { nextLink } from '../../service/call/link.ts'
import { type CheckedCall, checkStatus, idsOf, lengthOf, petsOf, show } from './answers.ts'
import type { Answered, CheckRun, Part } from './check-run.ts'
import { clocksMs, neverAhead } from './counts.ts'
import { type CheckRequest, get } from './requests.ts'

/** The first list. It says which animals there are, for the parts that follow. */
export const firstList: Part = {
  name: 'first list',
  makes: ['list-answers', 'list-ids-unique', 'list-ids-ascend', 'deprecation-only', 'list-limit'],
  act: async run => {
    const all = await list(run, { limit: 100 })
    run.pets = all === undefined ? [] : petsOf(all)
    if (all === undefined) run.noList = run.sender.lost ?? 'no list came'
  },
}

export const pageSize: Part = {
  name: 'page size',
  makes: ['list-default', 'list-full', 'page-linked'],
  act: async run => {
    const page = await list(run, {})
    if (page !== undefined) await checkDefault(run, page)
    await longList(run)
  },
}

/** The longest list that can have one animal too many. */
export async function longList(run: CheckRun): Promise<void> {
  if (run.pets.length > 1) await list(run, { limit: run.pets.length - 1 })
}

/** 20 is the default: without `limit`, a list is not longer, and not shorter than with `limit=20`. */
async function checkDefault(run: CheckRun, page: CheckedCall): Promise<void> {
  const count = lengthOf(page)
  page.check('list-default', count <= 20, `${count} animals`)
  if (count >= 20 || count >= run.longestList) return
  // Somebody may have changed the animals in between: compare twice.
  for (let times = 0; times < 2; times += 1) {
    const other = await list(run, { limit: 20 })
    const again = times === 0 ? page : await list(run, {})
    if (other === undefined || again === undefined || lengthOf(again) >= lengthOf(other)) return
    const detail = `${lengthOf(again)} animals, but ${lengthOf(other)} with limit=20`
    if (times === 1) again.check('list-default', false, detail)
  }
}

interface Query {
  readonly limit?: number
  readonly status?: string
}

export async function list(run: CheckRun, query: Query): Answered {
  const { limit, status } = query
  const text = [limit && `limit=${limit}`, status && `status=${status}`].filter(Boolean).join('&')
  const page = await run.expect(200, get(text === '' ? '/pets' : `/pets?${text}`), 'list-answers')
  if (page !== undefined) checkPage(run, page, query)
  return page
}

export function checkPage(run: CheckRun, page: CheckedCall, query: Query): void {
  const { limit, status } = query
  run.longestList = Math.max(run.longestList, lengthOf(page))
  if (limit === 100) run.listed.set(status ?? '', idsOf(page))
  run.hasLinks ||= nextLink(page.headers.link) !== undefined
  checkLength(run, page, query)
  checkIds(page)
  if (status !== undefined) checkStatus(page, status, 'list-filter')
  const { sunset } = page.headers
  page.check('deprecation-only', sunset === undefined, `Sunset is ${sunset}`)
}

/** Whether no animal follows the page: it has no link, and the service has them, or sends longer pages. */
export function isComplete(run: CheckRun, page: CheckedCall): boolean {
  return nextLink(page.headers.link) === undefined && (run.hasLinks || lengthOf(page) < run.longestList)
}

function checkLength({ pets, listed }: CheckRun, page: CheckedCall, { limit, status }: Query): void {
  const count = lengthOf(page)
  if (limit !== undefined)
    page.check('list-limit', count <= limit, `${count} animals, at most ${limit} allowed`)
  const filtered = listed.get(status ?? '')?.length ?? 0
  if (status !== undefined) {
    const most = Math.min(limit ?? 20, filtered)
    if (filtered > 0) page.check('list-full', count >= most, `${count} animals, but ${most} have the status`)
    return
  }
  if (pets.length === 0) return
  if (count < pets.length)
    page.check('page-linked', nextLink(page.headers.link) !== undefined, 'it has no link rel="next"')
  const available = Math.min(limit ?? 20, pets.length)
  page.check('list-full', count >= available, `${count} animals, but the store has at least ${available}`)
}

function checkIds(page: CheckedCall): void {
  const ids = petsOf(page).map(({ id }) => id)
  const twice = ids.find((id, at) => ids.indexOf(id) !== at)
  page.check('list-ids-unique', twice === undefined, `the id ${show(twice)} occurs twice`)
  const descent = ids.findIndex((id, at) => at > 0 && !isBefore(ids[at - 1], id))
  page.check('list-ids-ascend', descent < 0, `${show(ids[descent])} follows ${show(ids[descent - 1])}`)
}

/** The contract's schema checks that ids are numbers. */
function isBefore(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  const isNumber = (value: JsonValue | undefined) => typeof value === 'number' || typeof value === 'bigint'
  return !isNumber(one) || !isNumber(other) || (one as number) < (other as number)
}

export const filter: Part = {
  name: 'filter',
  makes: ['list-filter', 'list-filter-complete'],
  act: async run => {
    for (const status of ['available', 'pending', 'sold']) {
      const page = await list(run, { limit: 100, status })
      if (page !== undefined) await checkComplete(run, page, status)
    }
    run.ledger.explain('list-filter-complete', 'no filtered list was known to be whole')
  },
}

/** A filtered list that is whole must have every animal of the unfiltered list with its status. */
async function checkComplete(run: CheckRun, page: CheckedCall, status: string): Promise<void> {
  if (!isComplete(run, page)) return
  const old = run.pets.filter(({ id = null }) => !run.created.has(id))
  const missing = missingFrom(page, old, status)
  if (missing === undefined) return page.check('list-filter-complete', true, '')
  // Somebody may have changed the animals in between: compare again.
  const all = await list(run, { limit: 100 })
  const again = await list(run, { limit: 100, status })
  const isStill = all && again && missingFrom(again, petsOf(all), status) === missing
  if (isStill) page.check('list-filter-complete', false, `the animal ${missing} is missing`)
  else run.ledger.leaveOpen('list-filter-complete', 'the animals changed meanwhile')
}

function missingFrom(page: CheckedCall, pets: CheckRun['pets'], status: string): string | undefined {
  const ids = new Set(petsOf(page).map(({ id }) => id))
  const missing = pets.find(pet => pet.status === status && !ids.has(pet.id))
  return missing && show(missing.id)
}

/** The pages that the links `rel="next"` lead to. `trouble`: why it ended early, as a sentence without its full stop. */
type Walk = NonNullable<Awaited<ReturnType<typeof walk>>>

/** Follows the links from a list. Undefined without a list. */
async function walk(run: CheckRun, query: Query, mostPages: number) {
  const first = await list(run, query)
  if (first === undefined) return undefined
  const pages = [first]
  let trouble: string | undefined
  let isWhole = false
  for (let page = first; pages.length < mostPages && trouble === undefined; ) {
    const link = nextLink(page.headers.link)
    if (link === undefined) {
      isWhole = true
      break
    }
    const request = requestOf(run, page, link)
    if (typeof request === 'string') {
      run.ledger.leaveOpen('page-continues', request)
      break
    }
    const next = await run.ask(request, ['page-continues'], request.isOutside ? 'route-unknown' : undefined)
    if (next === undefined) break
    if (next.status !== 200) trouble = `the link rel="next" ${link} gets ${next.status}`
    else pages.push(next)
    page = next
  }
  const ids = pages.flatMap(idsOf)
  return { pages, ids, isWhole, trouble }
}

/** All animals; undefined if they are more than some pages, or if nothing says that they are all. */
export async function allPets(run: CheckRun): Promise<readonly JsonObject[] | undefined> {
  const found = await walk(run, { limit: 100 }, 3)
  const [only, second] = found?.pages ?? []
  if (found === undefined || only === undefined || !found.isWhole) return undefined
  return second === undefined && !isComplete(run, only) ? undefined : found.pages.flatMap(petsOf)
}

/** The request that a link stands for, or why it is not made. */
function requestOf({ options: { basePath } }: CheckRun, page: CheckedCall, link: string) {
  const base = `http://service.invalid${basePath}${page.request.target}`
  if (!URL.canParse(link, base)) return `the link rel="next" is no URL: ${link}`
  const { pathname, search } = new URL(link, base)
  // The host may be another name of the service. The key must not go there.
  if (pathname.startsWith(`${basePath}/`)) return get(`${pathname.slice(basePath.length)}${search}`)
  return { ...get(`${pathname}${search}`), isOutside: true } satisfies CheckRequest
}

const mostPages = 5

export const pages: Part = {
  name: 'pages',
  makes: ['page-continues', 'page-limit'],
  act: async run => {
    const { pets } = run
    if (pets.length < 2) return run.explainFewPets(['page-continues'], 'the store has too few animals')
    const limit = Math.ceil(pets.length / 3)
    const first = await checkWalk(run, { limit })
    if (first === undefined) run.ledger.explain('page-continues', 'the service sends no link rel="next"')
  },
}

export const filteredPages: Part = {
  name: 'filtered pages',
  makes: ['page-filter'],
  act: async run => {
    // Then the calls that follow are in a window that has just begun, if the one before was about to end.
    if (neverAhead(run.history.all).length > 0 && run.budget.timeLeft > 2 * clocksMs)
      await run.budget.wait(clocksMs, 'to see whether X-RateLimit-Reset moves ahead')
    const count = (status: string) => run.pets.filter(pet => pet.status === status).length
    const [status] = ['available', 'pending', 'sold'].toSorted((one, other) => count(other) - count(one))
    const most = status === undefined ? 0 : count(status)
    if (status === undefined || most < 2)
      return run.explainFewPets(['page-filter'], 'no two animals have the same status')
    const found = await checkWalk(run, { limit: Math.ceil(most / 3), status })
    if (found === undefined) run.ledger.explain('page-filter', 'a filtered list has no link rel="next"')
    for (const page of found?.pages.slice(1) ?? []) checkStatus(page, status, 'page-filter')
  },
}

/** Walks through a list, and once more if it goes wrong: only if both go wrong alike, nobody changed the animals. */
async function checkWalk(run: CheckRun, query: Query): Promise<Walk | undefined> {
  const found = await walk(run, query, mostPages)
  const isOnePage = found?.pages.length === 1 && found.trouble === undefined
  if (found === undefined || (isOnePage && !run.hasLinks)) return undefined
  const reference = run.listed.get(query.status ?? '') ?? []
  const [first, second] = found.pages
  const longest = Math.max(0, ...found.pages.map(lengthOf))
  second?.check('page-limit', longest <= (query.limit ?? 20), `${longest} animals with limit=${query.limit}`)
  if (mistake(found, reference) === undefined) {
    second?.check('page-continues', true, '')
    return found
  }
  const all = await list(run, { ...query, limit: 100 })
  const again = await walk(run, query, mostPages)
  const later = await list(run, { ...query, limit: 100 })
  if (all === undefined || again === undefined || later === undefined) return found
  const wrong = mistake(again, idsOf(all))
  const isSame = `${again.ids}` === `${found.ids}` && `${idsOf(all)}` === `${idsOf(later)}`
  if (wrong !== undefined && isSame) first?.check('page-continues', false, wrong)
  else run.ledger.leaveOpen('page-continues', 'the animals changed, or their order')
  return found
}

/** What is wrong with a walk, as a sentence without its full stop. */
function mistake({ ids, isWhole, trouble }: Walk, reference: readonly string[]): string | undefined {
  const twice = ids.find((id, at) => ids.indexOf(id) !== at)
  if (twice !== undefined) return `the animal ${twice} comes twice`
  if (trouble !== undefined) return trouble
  const known = new Set(ids)
  const last = isWhole ? reference.length : Math.max(0, ...ids.map(id => reference.indexOf(id)))
  const missing = reference.slice(0, last).find(id => !known.has(id))
  return missing === undefined ? undefined : `the animal ${missing} does not come`
}
