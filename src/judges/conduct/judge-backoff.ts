import type { Exchange } from '../../emulator/journal/exchange.ts'
import { BoundedMap } from './bounded-map.ts'
import { seconds } from './checks.ts'
import type { Judge, Note } from './observed-call.ts'
import { isInFlight, isOver, toldWait, type Wait } from './wait.ts'

type Instants = Pick<Exchange, 'at'> & { readonly receivedAt: number }

interface Run {
  readonly last: Instants
  readonly wait: Wait | undefined
  /** The last ones: milliseconds between a call and its repetition. */
  readonly gaps: readonly number[]
}

const mostWatched = 500

/** Fewer gaps than these say nothing yet: three retries without a wait are what some clients do by themselves. */
const gapsJudged = 4

/** Shorter gaps are no wait at all, and whether they grow is chance: milliseconds. */
const leastGap = 50

/** After such a pause, a call is made anew, and is no retry: milliseconds. */
const longestGap = 20_000

/** Repetitions of a call that failed, by 429 or 5xx, which come no later each time. Who waits as it is told, does right. */
export function judgeBackoff(note: Note): Judge {
  const runs = new BoundedMap<string, Run>(mostWatched)
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
      const shown = gaps.map(seconds).join(', ')
      note({
        id: 'no-backoff',
        exchange,
        group: fingerprint,
        detail: () => `at first after gaps of ${shown}`,
      })
    }
    if (isFailure) runs.set(fingerprint, { last: instants, wait: toldWait(exchange), gaps })
    else runs.delete(fingerprint)
  }
}

/** By whichever clock moved further: a test may move the emulator's while the client's stands still. */
function gapBetween(one: Instants, other: Instants): number {
  return Math.max(other.receivedAt - one.receivedAt, other.at - one.at)
}

/** The later half against the earlier: a gap with some chance in it may be shorter than the one before. */
function doGrow(gaps: readonly number[]): boolean {
  const [one = 0, two = 0, three = 0, four = 0] = gaps.map(gap => Math.max(gap, leastGap))
  return Math.max(three, four) >= 1.5 * ((one + two) / 2)
}
