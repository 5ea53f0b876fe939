import { readClock } from '../../base/time/clock.ts'
import type { Exchange } from '../../emulator/journal/exchange.ts'
import type { World } from '../../emulator/worlds/world.ts'
import { concealKeys, type ShowText, showAsIs } from './conceal.ts'
import { compileFilter, type Filter } from './filter.ts'

/** Where exchanges are looked for: the worlds of one sandbox or of several, at the door's time `now`. */
export interface SearchScope {
  readonly worlds: readonly World[]
  readonly now: number
}

/** What was found, the newest first, and how much the journals hold and have let go. */
export interface Found {
  readonly exchanges: readonly Exchange[]
  /** How many fit, whatever the limit. */
  readonly total: number
  readonly kept: number
  /** Of each sandbox. */
  readonly capacity: number
  /** How many are no longer there, because newer ones took their place. */
  readonly evicted: number
}

export function findRequests(places: SearchScope, filter: Filter, limit?: number): Found {
  const fits = filterIn(places, filter)
  const { worlds } = places
  const found = worlds.flatMap(({ journal }) => [...journal].filter(fits)).reverse()
  // Within a sandbox they stand in order, also where several came in one millisecond.
  if (worlds.length > 1) found.sort((one, other) => other.call.receivedAt - one.call.receivedAt)
  return {
    exchanges: limit === undefined ? found : found.slice(0, limit),
    total: found.length,
    kept: sum(worlds, ({ journal }) => journal.size),
    capacity: worlds[0]?.journal.capacity ?? 0,
    evicted: sum(worlds, ({ journal }) => journal.evicted),
  }
}

/** A filter whose `since` is meant on the clock of each exchange's own sandbox. */
function filterIn({ worlds, now }: SearchScope, filter: Filter): (exchange: Exchange) => boolean {
  const clocks = new Map(worlds.map(({ sandbox, clock }) => [sandbox, clock]))
  return compileFilter(filter, sandbox => {
    const clock = clocks.get(sandbox)
    return clock === undefined ? now : readClock(clock, now)
  })
}

/** How the texts of an exchange of these worlds are shown. */
export function textOf(
  exchange: Exchange,
  { worlds }: Pick<SearchScope, 'worlds'>,
  showsKeys: boolean,
): ShowText {
  if (showsKeys) return showAsIs
  const keys = worlds.find(({ sandbox }) => sandbox === exchange.sandbox)?.keys
  return concealKeys(exchange, text => keys?.has(text) ?? false)
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0)
}
