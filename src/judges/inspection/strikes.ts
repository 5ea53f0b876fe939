import { formatInstant } from '../../base/time/instant.ts'
import type { Exchange } from '../../emulator/journal/exchange.ts'

export type StrikesView = NonNullable<ReturnType<typeof showStrikes>>

/** `earlier`: the exchanges of its sandbox, the newest first. */
export function showStrikes({ id, trace }: Exchange, earlier: Iterable<Exchange>) {
  const { strikes: count, banAfter: after = null, bannedUntil, bannedByHand, key } = trace
  if (key === undefined || (count === 0 && bannedUntil === undefined)) return null
  const causedBan = (other: Exchange) =>
    other.id <= id &&
    other.trace.key === key &&
    other.trace.gate === 'limit' &&
    other.trace.code === 'api_key_banned'
  const isBanned = bannedUntil !== undefined
  return {
    /** Refused calls of the key since its last accepted one, this one included. */
    count,
    /** How many ban the key; null: bans are off. */
    after,
    bannedUntil: isBanned ? formatInstant(bannedUntil) : null,
    /** The id of the request that caused the ban, if the journal still has it. */
    bannedBy: isBanned && !bannedByHand ? (firstOf(earlier, causedBan)?.id ?? null) : null,
  }
}

function firstOf(exchanges: Iterable<Exchange>, isWanted: (exchange: Exchange) => boolean) {
  for (const exchange of exchanges) if (isWanted(exchange)) return exchange
  return undefined
}
