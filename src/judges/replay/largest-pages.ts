import { readQuery } from '../../service/call/query.ts'
import { readTarget } from '../../service/call/target.ts'
import { pageSize } from '../../service/pets/list-query.ts'
import type { WantedCall } from './wanted-call.ts'

/** A walk through pages, as far as the recorded links show it. */
interface Page {
  readonly limit: number
  /** 0: the first page. */
  readonly index: number
}

export interface LargestPages {
  readonly calls: readonly WantedCall[]
  /** The page sizes that the recording has instead, of walks that go on after their first page. */
  readonly limits: readonly number[]
  /** Later pages whose first page is not in the recording. They stay. */
  readonly unknown: number
}

/**
 * Replaces walks through pages of pets by walks with the largest page size. Which call reads which page is known by the links of
 * recorded answers. A page is taken as full: the new walk is never shorter than it would be.
 */
export function withLargestPages(calls: readonly WantedCall[]): LargestPages {
  const linked = new Map<string, Page>()
  const limits = new Set<number>()
  let unknown = 0
  const kept = calls.flatMap(call => {
    const { path, query } = readTarget(call.target)
    if (call.method !== 'GET' || path !== '/v1/pets') return [call]
    const place = placeOf(query)
    const known = linked.get(place)
    const page = known ?? { limit: limitOf(query), index: 0 }
    const isLater = /(?:^|&)(?:cursor|page|offset|after)=/.test(query)
    if (known === undefined && isLater) {
      unknown += 1
      return [call]
    }
    if (call.next !== undefined)
      linked.set(placeOf(readTarget(call.next).query), { limit: page.limit, index: page.index + 1 })
    if (page.limit >= pageSize.max) return [call]
    if (page.index > 0) limits.add(page.limit)
    const needed = (pages: number) => Math.ceil((pages * page.limit) / pageSize.max)
    return needed(page.index + 1) > needed(page.index) ? [{ ...call, target: withLimit(path, query) }] : []
  })
  return { calls: kept, limits: [...limits].sort((one, other) => one - other), unknown }
}

/** The same for queries that differ only in order and encoding. */
function placeOf(query: string): string {
  const pairs = readQuery(query).map(({ name, value }) => JSON.stringify([name, value ?? null]))
  return pairs.sort().join()
}

function limitOf(query: string): number {
  const text = readQuery(query).find(({ name }) => name === 'limit')?.value
  const limit = text !== undefined && /^\d{1,3}$/.test(text) ? Number(text) : pageSize.default
  return Math.min(pageSize.max, Math.max(pageSize.min, limit))
}

function withLimit(path: string, query: string): string {
  const others = readQuery(query).filter(({ name }) => name !== 'limit')
  return `${path}?${[...others.map(({ raw }) => raw), `limit=${pageSize.max}`].join('&')}`
}
