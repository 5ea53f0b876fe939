import type { Exchange } from '../../emulator/journal/exchange.ts'
import { BoundedMap } from './bounded-map.ts'
import { seconds } from './checks.ts'
import type { Judge, Note, Portion } from './observed-call.ts'
import { demandedWait, isInFlight, isOver, type Wait } from './wait.ts'

type Instants = Pick<Exchange, 'at'> & { readonly receivedAt: number }

interface Run {
  readonly last: Instants
  readonly wait: Wait | undefined
  /** The last gaps between a call and its repetition, in milliseconds. */
  readonly gaps: readonly number[]
}

const mostWatched = 500

/** Fewer gaps prove nothing: some clients make three retries without a wait. */
const gapsJudged = 4

/** Shorter gaps in milliseconds are no wait at all, and their growth is chance. */
const leastGap = 50

/** After a longer pause in milliseconds, the call is new and not a retry. */
const longestGap = 20_000

/** Flags retries of failed calls whose gaps do not grow. Waiting for Retry-After is fine. */
export function judgeBackoff(note: Note, portion: Portion): Judge {
  const runs = new BoundedMap<number, Run>(mostWatched, { portion })
  return ({ exchange, fingerprint }) => {
    const { call, reply } = exchange
    const instants = { at: exchange.at, receivedAt: call.receivedAt }
    const run = runs.get(fingerprint)
    const isFailure = reply.status === 429 || reply.status >= 500
    if (run?.wait !== undefined && isInFlight(run.wait, call)) return
    const obeys = run?.wait !== undefined && isOver(run.wait, exchange)
    const gap = run === undefined || obeys ? longestGap : gapBetween(run.last, instants)
    const gaps = gap >= longestGap ? [] : [...(run?.gaps ?? []), gap].slice(-gapsJudged)
    if (gaps.length === gapsJudged && !doGrow(gaps)) {
      const detail = () => `the first waits were ${gaps.map(seconds).join(', ')}`
      note({ id: 'no-backoff', exchange, group: `${fingerprint}`, detail })
    }
    if (isFailure) runs.set(fingerprint, { last: instants, wait: demandedWait(exchange), gaps })
    else runs.delete(fingerprint)
  }
}

/** By the clock that moved further: a test may move the emulator's clock while the client's stands still. */
function gapBetween(one: Instants, other: Instants): number {
  return Math.max(other.receivedAt - one.receivedAt, other.at - one.at)
}

/** Compares the later half with the earlier, because a wait with jitter may be shorter than the one before. */
function doGrow(gaps: readonly number[]): boolean {
  const [one = 0, two = 0, three = 0, four = 0] = gaps.map(gap => Math.max(gap, leastGap))
  return Math.max(three, four) >= 1.5 * ((one + two) / 2)
}
