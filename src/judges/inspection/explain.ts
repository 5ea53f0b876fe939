import { formatInstant } from '../../base/time/instant.ts'
import type { Exchange, Gate } from '../../emulator/journal/exchange.ts'
import { clip } from '../../service/call/echo.ts'
import type { Mismatch } from '../../service/call/mismatch.ts'
import type { ShowText } from './conceal.ts'
import { type Ignored, ignoredBy } from './ignored.ts'
import { nearestThing } from './nearest.ts'
import { sentencesOf } from './sentences.ts'

/** Why a call was answered as it was, for people and for programs; null where there is nothing to say. */
export interface Explanation {
  readonly sentences: readonly string[]
  /** The gate that decided (A01). */
  readonly gate: Gate
  /** What was asked, beside the nearest thing that would have worked. */
  readonly mismatches: readonly Mismatch[]
  readonly ignored: readonly Ignored[]
  readonly strikes: StrikesView | null
}

export interface StrikesView {
  /** Refused calls of the key since its last accepted one, this one included. */
  readonly count: number
  /** How many ban; null where nobody is banned. */
  readonly after: number | null
  readonly bannedUntil: string | null
  /** The id of the request that banned, where it is still in the journal. */
  readonly bannedBy: number | null
}

/** Reads what was kept of a call; `earlier` are the exchanges of its sandbox, in which the one that banned is looked for. */
export function explain(exchange: Exchange, earlier: Iterable<Exchange>, text: ShowText): Explanation {
  const mismatches = nearestThing(exchange).map(({ what, asked, expected }) => ({
    what,
    asked: text(clip(asked)),
    expected: text(expected),
  }))
  const ignored = ignoredBy(exchange).map(({ name, ...rest }) => ({ ...rest, name: text(name) }))
  const strikes = showStrikes(exchange, earlier)
  return {
    sentences: sentencesOf(exchange, { mismatches, ignored, strikes }, text),
    gate: exchange.trace.gate,
    mismatches,
    ignored,
    strikes,
  }
}

function showStrikes(exchange: Exchange, earlier: Iterable<Exchange>): StrikesView | null {
  const { strikes: count, banAfter: after, bannedUntil, key } = exchange.trace
  if (key === undefined || (count === 0 && bannedUntil === undefined)) return null
  return {
    count,
    after: after ?? null,
    bannedUntil: bannedUntil === undefined ? null : formatInstant(bannedUntil),
    bannedBy: bannedUntil === undefined ? null : banning(exchange, earlier),
  }
}

/** The last request of the key, this one included, that made a ban. */
function banning({ id, trace: { key } }: Exchange, earlier: Iterable<Exchange>): number | null {
  let found: number | null = null
  for (const { id: other, trace } of earlier) {
    if (other > id) continue
    if (trace.key === key && trace.gate === 'limit' && trace.code === 'api_key_banned') found = other
  }
  return found
}
