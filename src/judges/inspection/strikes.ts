import { formatInstant } from '../../base/time/instant.ts'
import type { Exchange } from '../../emulator/journal/exchange.ts'

export interface StrikesView {
  /** Refused calls of the key since its last accepted one, this one included. */
  readonly count: number
  /** How many ban the key; null: bans are off. */
  readonly after: number | null
  readonly bannedUntil: string | null
  /** The id of the request that caused the ban, if the journal still has it. */
  readonly bannedBy: number | null
}

export function showStrikes(exchange: Exchange, earlier: Iterable<Exchange>): StrikesView | null {
  const { strikes: count, banAfter: after = null, bannedUntil, key } = exchange.trace
  if (key === undefined || (count === 0 && bannedUntil === undefined)) return null
  if (bannedUntil === undefined) return { count, after, bannedUntil: null, bannedBy: null }
  // The key's last request, this one included, that caused a ban.
  const banning = [...earlier].findLast(
    ({ id, trace }) =>
      id <= exchange.id && trace.key === key && trace.gate === 'limit' && trace.code === 'api_key_banned',
  )
  return { count, after, bannedUntil: formatInstant(bannedUntil), bannedBy: banning?.id ?? null }
}
