import { readClock } from '../../base/time/clock.ts'
import type { Exchange } from '../../emulator/journal/exchange.ts'
import type { Journal } from '../../emulator/journal/journal.ts'
import type { World } from '../../emulator/worlds/world.ts'
import type { Secrets } from '../../service/keys/mask.ts'
import { conceal, type Show, showAsIs } from './conceal.ts'
import { compileFilter, type Filter } from './filter.ts'
import { showExchange } from './view.ts'

type AnyJournal = Pick<Journal<never>, 'first' | 'end' | 'at' | 'size' | 'evicted' | 'capacity'>

/** Where a request is. A long list holds places and not exchanges, which may be dropped before it is written. */
interface Place {
  readonly journal: AnyJournal
  readonly place: number
  readonly receivedAt: number
}

export interface Found {
  /** The newest last. */
  readonly places: readonly Place[]
  /** The number of matches, regardless of the limit. */
  readonly total: number
}

export function* findIn(
  journals: readonly AnyJournal[],
  fits: (exchange: Exchange) => boolean,
  limit = Number.POSITIVE_INFINITY,
): Generator<undefined, Found> {
  // Requests that come during the search are not part of it.
  const ends = journals.map(({ end }) => end)
  let total = 0
  let lists: Place[][] = []
  for (const [index, journal] of journals.entries()) {
    const places: Place[] = []
    for (let place = (ends[index] ?? 0) - 1; place >= journal.first; place -= 1) {
      const exchange = journal.at(place)
      yield
      if (exchange === undefined || !fits(exchange)) continue
      total += 1
      if (places.length < limit) places.push({ journal, place, receivedAt: exchange.call.receivedAt })
    }
    lists.push(places)
  }
  while (lists.length > 1) {
    const merged: Place[][] = []
    for (let index = 0; index < lists.length; index += 2) {
      merged.push(merge(lists[index] ?? [], lists[index + 1] ?? [], limit))
      yield
    }
    lists = merged
  }
  return { places: (lists[0] ?? []).reverse(), total }
}

/** Merges two lists, the newest first. Exchanges of one sandbox keep their order. */
function merge(one: readonly Place[], other: readonly Place[], limit: number): Place[] {
  const merged: Place[] = []
  let [left, right] = [0, 0]
  while (merged.length < limit) {
    const [first, second] = [one[left], other[right]]
    const next = second === undefined || (first && first.receivedAt >= second.receivedAt) ? first : second
    if (next === undefined) break
    if (next === first) left += 1
    else right += 1
    merged.push(next)
  }
  return merged
}

/** Searches worlds. `now`: the time of the door. */
export function findRequests(
  { worlds, now }: { readonly worlds: readonly World[]; readonly now: number },
  filter: Filter,
  limit?: number,
): Generator<undefined, Found> {
  const clocks = new Map(worlds.map(({ sandbox, clock }) => [sandbox, clock]))
  // `since` refers to the clock of each exchange's sandbox.
  const fits = compileFilter(filter, sandbox => {
    const clock = clocks.get(sandbox)
    return clock === undefined ? now : readClock(clock, now)
  })
  const journals = worlds.map(({ journal }) => journal)
  return findIn(journals, fits, limit)
}

/** How many requests journals dropped to make room. */
export function evictedFrom(journals: readonly AnyJournal[]): number {
  return journals.reduce((sum, { evicted }) => sum + evicted, 0)
}

/** The requests that were found and are still kept. */
export function* read(places: Iterable<Place>): Generator<Exchange> {
  for (const { journal, place } of places) {
    const exchange = journal.at(place)
    if (exchange !== undefined) yield exchange
  }
}

/** JSON of the requests that were found, and of the state of the journals. */
export function* writeRequests(
  { places, total }: Found,
  showOf: (exchange: Exchange) => Show,
  journals: readonly AnyJournal[],
  showOne: (exchange: Exchange, show: Show) => object = showExchange,
): Generator<string> {
  let before = '{"requests":['
  for (const exchange of read(places)) {
    yield before + JSON.stringify(showOne(exchange, showOf(exchange)))
    before = ','
  }
  const meta = {
    total,
    kept: journals.reduce((sum, { size }) => sum + size, 0),
    /** Per sandbox. */
    capacity: journals[0]?.capacity ?? 0,
    evicted: evictedFrom(journals),
  }
  yield `${before === ',' ? '' : before}],"meta":${JSON.stringify(meta)}}`
}

/** How to show an exchange. `known`: what holds the keys to mask. `secrets`: undefined shows them. */
export function showOf(
  exchange: Exchange,
  known: { readonly keys: { readonly has: (text: string) => boolean } } | undefined,
  secrets: Secrets | undefined,
): Show {
  if (secrets === undefined) return showAsIs
  return conceal(exchange, secrets, text => known?.keys.has(text) ?? false)
}
