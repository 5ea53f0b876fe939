import { idsOf } from '../calls/checked-call.ts'
import type { CheckRun } from '../run/check-run.ts'
import type { Part } from '../run/part.ts'
import { checkStatus, lengthOf, list, type Query } from './list-pets.ts'
import { type Walk, walk } from './walk.ts'

/** Calls of a walk at most. */
const mostPages = 5

/** The links from page to page. */
export const pages: Part = {
  name: 'pages',
  makes: ['page-continues', 'page-limit'],
  act: async run => {
    const { pets } = run
    if (pets.length < 2) return run.ledger.explain('page-continues', 'the store has too few animals')
    const limit = Math.ceil(pets.length / 4)
    const first = await checkWalk(run, { limit })
    if (first === undefined) run.ledger.explain('page-continues', 'the service sends no link rel="next"')
  },
}

/** The links of a filtered list. */
export const filteredPages: Part = {
  name: 'filtered pages',
  makes: ['page-filter'],
  act: async run => {
    const count = (status: string) => run.pets.filter(pet => pet.status === status).length
    const [status] = ['available', 'pending', 'sold'].toSorted((one, other) => count(other) - count(one))
    const most = status === undefined ? 0 : count(status)
    if (status === undefined || most < 2)
      return run.ledger.explain('page-filter', 'no two animals have the same status')
    const found = await checkWalk(run, { limit: Math.ceil(most / 3), status })
    if (found === undefined) run.ledger.explain('page-filter', 'a filtered list has no link rel="next"')
    for (const page of found?.pages.slice(1) ?? []) checkStatus(page, status, 'page-filter')
  },
}

/** Walks through a list, and once more if it goes wrong: only if both go wrong alike, nobody changed the animals. */
async function checkWalk(run: CheckRun, query: Query): Promise<Walk | undefined> {
  const found = await walk(run, query, mostPages)
  if (found === undefined || (found.pages.length === 1 && found.trouble === undefined)) return undefined
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
