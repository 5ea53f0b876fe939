import { readQuery, readTarget } from '../../service/call/target.ts'
import { pageSize } from '../../service/pets/list-pets.ts'
import type { Quota } from '../../service/plans/plan.ts'
import type { WantedCall } from './wanted-calls.ts'

/** A change of the client. Without a field, the client stays as it was in this regard. */
export interface ClientChange {
  /** It uses the answer to a GET again for this many milliseconds. */
  readonly cacheMs?: number
  readonly largestPages?: true
  /** It spreads its calls over the minute. */
  readonly spread?: true
}

/** Holds what the service answered to identical GETs, until a call that may change something. */
export function createCache(forMs: number) {
  const stored = new Map<string, number>()
  return {
    has: ({ method, target, at }: WantedCall): boolean => {
      const since = method === 'GET' ? stored.get(target) : undefined
      return since !== undefined && at - since < forMs
    },
    /** `at`: when the replay made the call. */
    served: (call: WantedCall, at: number): void => {
      if (call.method === 'GET') {
        const { status, wasRefused } = call
        // A call that was refused when it was recorded counts as served, since the replay served it.
        if (wasRefused || (status >= 200 && status < 300) || status === 304) stored.set(call.target, at)
      } else if (call.method !== 'HEAD') stored.clear()
    },
  }
}

/** Delays calls, so that at most one is made in each part of the minute. Calls must come in the order of time. */
export function createSpacing({ minute }: Quota) {
  const gap = Math.ceil(60_000 / Math.max(1, minute))
  let next = Number.NEGATIVE_INFINITY
  return {
    /** When a call that is wanted at an instant is made. */
    place: (at: number): number => Math.max(at, next),
    made: (at: number): void => {
      next = at + gap
    },
  }
}

/**
 * Replaces walks through pages of pets by walks with the largest page size. Which call reads which page is known by the links of
 * recorded answers: later pages of an unknown walk stay. A page is taken as full, so that the new walk is never too short.
 * `limits`: the page sizes that the recording has instead, of walks that go on after their first page.
 */
export function withLargestPages(calls: readonly WantedCall[]) {
  /** Walks through pages, as far as the recorded links show them. The first page has the index 0. */
  const linked = new Map<string, { readonly limit: number; readonly index: number }>()
  const limits = new Set<number>()
  const kept = calls.flatMap(call => {
    const { path, query } = readTarget(call.target)
    if (call.method !== 'GET' || path !== '/v1/pets') return [call]
    const place = placeOf(query)
    const known = linked.get(place)
    const pairs = readQuery(query)
    const text = pairs.find(({ name }) => name === 'limit')?.value
    const asked = text !== undefined && /^\d{1,3}$/.test(text) ? Number(text) : pageSize.default
    const page = known ?? { limit: Math.min(pageSize.max, Math.max(pageSize.min, asked)), index: 0 }
    const isLater = /(?:^|&)(?:cursor|page|offset|after)=/.test(query)
    if (known === undefined && isLater) return [call]
    if (call.next !== undefined)
      linked.set(placeOf(readTarget(call.next).query), { limit: page.limit, index: page.index + 1 })
    if (page.limit >= pageSize.max) return [call]
    if (page.index > 0) limits.add(page.limit)
    const needed = (pages: number) => Math.ceil((pages * page.limit) / pageSize.max)
    if (needed(page.index + 1) <= needed(page.index)) return []
    const others = pairs.filter(({ name }) => name !== 'limit').map(({ raw }) => raw)
    return [{ ...call, target: `${path}?${[...others, `limit=${pageSize.max}`].join('&')}` }]
  })
  return { calls: kept, limits: [...limits].sort((one, other) => one - other) }
}

/** The same for queries that differ only in order and encoding. */
function placeOf(query: string): string {
  const pairs = readQuery(query).map(({ name, value }) => JSON.stringify([name, value ?? null]))
  return pairs.sort().join()
}
