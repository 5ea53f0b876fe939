import { nextLink } from '../../service/call/link.ts'
import { isPetStatus } from '../../service/pets/pet.ts'
import type { SeenCall } from './seen-call.ts'
import { type Lines, lineOf, type Sighting } from './sightings.ts'

/** Order, links and size of pages, and the status of pets that are created without one (A12, A14, A15). */
export function learnPages(calls: readonly SeenCall[]): Lines {
  const lists = calls.filter(
    ({ operation, status, list }) => operation === 'listPets' && status === 200 && list,
  )
  return {
    pageOrder: orderLine(lists),
    pagination: lineOf(lists.flatMap(call => linkStyle(call, lists))),
    pageSize: lineOf(calls.flatMap(pageSizeOf)),
    'pets.defaultStatus': lineOf(calls.flatMap(defaultStatusOf)),
  }
}

const fewest = 3

/** Only if every page has the same order: pets in no order are in some order by chance. */
function orderLine(lists: readonly SeenCall[]) {
  const orders = lists.flatMap((call): Sighting[] => {
    const ids = call.list?.ids ?? []
    if (ids.length < fewest) return []
    const isSorted = (sign: number) =>
      ids.every((id, at) => at === 0 || (id > (ids[at - 1] ?? id) ? 1 : -1) === sign)
    return [{ call, value: isSorted(1) ? 'ascending' : isSorted(-1) ? 'descending' : 'none' }]
  })
  return orders.some(({ value }) => value === 'none') ? undefined : lineOf(orders)
}

const filterOf = ({ query }: SeenCall) => query.get('status')

function linkStyle(call: SeenCall, lists: readonly SeenCall[]): readonly Sighting[] {
  const next = nextLink(call.headers.link)
  if (next !== undefined) {
    if (/^https?:\/\//i.test(next)) return [{ call, value: 'link' }]
    return next.startsWith('/') && !next.startsWith('//') ? [{ call, value: 'relative' }] : []
  }
  const { length } = call.list?.ids ?? []
  const hasMore = lists.some(
    other =>
      filterOf(other) === filterOf(call) &&
      (other.list?.ids.length ?? 0) > length &&
      !other.query.has('cursor'),
  )
  const isFull = Number(call.query.get('limit')) === length && !call.query.has('cursor')
  return isFull && length > 0 && hasMore && call.wrong === undefined ? [{ call, value: 'none' }] : []
}

function pageSizeOf(call: SeenCall): readonly Sighting[] {
  const { wrong, status, query, list } = call
  const limit = query.get('limit') ?? ''
  if (wrong?.what !== 'limit' || !/^(?:0|-?[1-9]\d{0,8})$/.test(limit)) return []
  if (status === 400) return [{ call, value: 'reject' }]
  const most = Number(limit) > 100 ? 100 : 1
  return status === 200 && list !== undefined && list.ids.length <= most ? [{ call, value: 'clamp' }] : []
}

function defaultStatusOf(call: SeenCall): readonly Sighting[] {
  const { operation, status, json, members } = call
  if (operation !== 'createPet' || status !== 201 || members.length === 0) return []
  return members.includes('status') || !isPetStatus(json?.status) ? [] : [{ call, value: json.status }]
}
