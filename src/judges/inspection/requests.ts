import { readClock } from '../../base/time/clock.ts'
import type { Exchange } from '../../emulator/journal/exchange.ts'
import type { World } from '../../emulator/worlds/world.ts'
import { concealKeys, type ShowText, showAsIs } from './conceal.ts'
import { compileFilter, type Filter } from './filter.ts'

/** Searches worlds: the matches, the newest first, and the state of the journals. `now` is the time of the door. */
export function findRequests(
  { worlds, now }: { readonly worlds: readonly World[]; readonly now: number },
  filter: Filter,
  limit?: number,
) {
  const clocks = new Map(worlds.map(({ sandbox, clock }) => [sandbox, clock]))
  // `since` refers to the clock of each exchange's sandbox.
  const fits = compileFilter(filter, sandbox => {
    const clock = clocks.get(sandbox)
    return clock === undefined ? now : readClock(clock, now)
  })
  const found = worlds.flatMap(({ journal }) => [...journal].filter(fits)).reverse()
  // The sort is stable: exchanges of one sandbox keep their order within a millisecond.
  if (worlds.length > 1) found.sort((one, other) => other.call.receivedAt - one.call.receivedAt)
  return {
    exchanges: limit === undefined ? found : found.slice(0, limit),
    /** The number of matches, regardless of the limit. */
    total: found.length,
    kept: worlds.reduce((sum, { journal }) => sum + journal.size, 0),
    /** Per sandbox. */
    capacity: worlds[0]?.journal.capacity ?? 0,
    /** The number of older exchanges that newer ones replaced. */
    evicted: worlds.reduce((sum, { journal }) => sum + journal.evicted, 0),
  }
}

/** How to show the texts of an exchange. */
export function textOf(exchange: Exchange, worlds: readonly World[], showsKeys: boolean): ShowText {
  if (showsKeys) return showAsIs
  const keys = worlds.find(({ sandbox }) => sandbox === exchange.sandbox)?.keys
  return concealKeys(exchange, text => keys?.has(text) ?? false)
}
