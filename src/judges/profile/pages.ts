import { none } from '../../control/profile/assumed.ts'
import { nextLink } from '../../service/call/link.ts'
import { isPetStatus } from '../../service/pets/pet.ts'
import type { SeenCall } from './seen-call.ts'
import { type Lines, lineOf, see } from './sightings.ts'

const fewest = 3

/** Order, links and size of pages, and the status of pets that are created without one (A12, A14, A15). */
export function learnPages(calls: readonly SeenCall[]): Lines {
  const lists = calls.filter(
    ({ operation, status, list }) => operation === 'listPets' && status === 200 && list,
  )
  const idsOf = ({ list }: SeenCall) => list?.ids ?? []
  const sorted = see(lists, call => {
    const ids = idsOf(call)
    const isSorted = (sign: number) =>
      ids.every((id, at) => at === 0 || (id > (ids[at - 1] ?? id) ? 1 : -1) === sign)
    if (ids.length < fewest) return undefined
    return isSorted(1) ? 'ascending' : isSorted(-1) ? 'descending' : 'unsorted'
  })
  const longest = new Map<unknown, number>()
  for (const call of lists) {
    const status = call.query.get('status')
    longest.set(status, Math.max(longest.get(status) ?? 0, idsOf(call).length))
  }
  const linkStyle = (call: SeenCall) => {
    const next = nextLink(call.headers.link)
    if (next !== undefined)
      return /^https?:/i.test(next) ? 'link' : /^\/(?!\/)/.test(next) ? 'relative' : undefined
    const { length } = idsOf(call)
    const isFull =
      call.query.get('limit') === `${length}` && !call.query.has('cursor') && call.wrong === undefined
    return isFull && (longest.get(call.query.get('status')) ?? 0) > length ? 'none' : undefined
  }
  const pageSize = (call: SeenCall) => {
    const limit = call.query.get('limit') ?? ''
    if (call.wrong?.what !== 'limit' || !/^(?:0|-?[1-9]\d{0,8})$/.test(limit)) return undefined
    const most = Number(limit) > 100 ? 100 : 1
    if (call.status === 400) return 'reject'
    return call.status === 200 && idsOf(call).length <= most ? 'clamp' : undefined
  }
  const isBare = ({ members, json }: SeenCall) => json && members.length > 0 && !members.includes('status')
  const created = calls.filter(call => call.operation === 'createPet' && call.status === 201 && isBare(call))
  const defaultStatus = ({ json }: SeenCall) =>
    json?.status === undefined ? none : isPetStatus(json.status) ? json.status : undefined
  return {
    // Pets in no order are in some order by chance.
    pageOrder: sorted.some(({ value }) => value === 'unsorted') ? undefined : lineOf(sorted),
    pagination: lineOf(see(lists, linkStyle)),
    pageSize: lineOf(see(calls, pageSize)),
    'pets.defaultStatus': lineOf(see(created, defaultStatus)),
  }
}
