import type { JsonValue } from '../../../base/json/value.ts'
import { nextLink } from '../../../service/call/link.ts'
import { type CheckedCall, idsOf, petsOf, show } from '../calls/checked-call.ts'
import type { CheckId } from '../calls/checks.ts'
import { get } from '../calls/request.ts'
import type { CheckRun } from '../run/check-run.ts'
import type { Part } from '../run/part.ts'

/** The first list. It says which animals there are, for the parts that follow. */
export const firstList: Part = {
  name: 'first list',
  makes: ['list-answers', 'list-ids-unique', 'list-ids-ascend', 'deprecation-only', 'list-limit'],
  act: async run => {
    const all = await list(run, { limit: 100 })
    run.pets = all === undefined ? [] : petsOf(all)
  },
}

/** Page size. */
export const pageSize: Part = {
  name: 'page size',
  makes: ['list-default', 'list-full', 'page-linked'],
  act: async run => {
    const page = await list(run, {})
    if (page !== undefined) await checkDefault(run, page)
  },
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

export interface Query {
  readonly limit?: number
  readonly status?: string
}

/** Gets a list and checks it. */
export async function list(run: CheckRun, query: Query): Promise<CheckedCall | undefined> {
  const { limit, status } = query
  const text = [limit && `limit=${limit}`, status && `status=${status}`].filter(Boolean).join('&')
  const page = await run.expect(200, get(text === '' ? '/pets' : `/pets?${text}`), 'list-answers')
  if (page !== undefined) checkPage(run, page, query)
  return page
}

/** Checks a list. */
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

/** A filtered page has one status. Whether it has animals without one is an assumption. */
export function checkStatus(page: CheckedCall, status: string, id: CheckId): void {
  const other = petsOf(page).find(pet => pet.status !== undefined && pet.status !== status)
  page.check(id, !other, `the animal ${show(other?.id)} has the status ${show(other?.status)}, not ${status}`)
  const bare = petsOf(page).find(pet => pet.status === undefined)
  page.check('list-filter-absent', !bare, `the animal ${show(bare?.id)} has no status`)
}

export function lengthOf({ json }: CheckedCall): number {
  return Array.isArray(json) ? json.length : 0
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
