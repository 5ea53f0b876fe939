import { BoundedMap } from '../../base/bounded-map.ts'
import type { Call } from '../../service/call/call.ts'
import { headerValue } from '../../service/call/headers.ts'
import type { OperationId } from '../../service/operations/operations.ts'
import { hashOf } from '../conduct/observed-call.ts'
import { lengthOf, recovery, resetJump } from './compare-rates.ts'
import { isEpochSeconds, type RatedAnswer, type ServiceAnswer } from './service-answer.ts'
import type { Remarks } from './service-tally.ts'

/** What answers showed of one caller. */
interface Caller {
  /** Operations are apart, as a service may count them apart. */
  readonly series: Map<OperationId, Series>
  /** The last pairs of answers, each whose call was sent after the answer before it. */
  pairs: Pair[]
  movesReset: boolean
}

/** The answers to one operation, with one limit. */
interface Series {
  readonly limit: number
  last: RatedAnswer | undefined
  /** When the current Reset was first seen. */
  resetSince: number
  /** When the calls of the last seconds were answered. */
  own: number[]
}

interface Pair {
  readonly at: number
  /** Requests that came back in a way that no old call explains. */
  readonly recovered: number
  readonly isJump: boolean
}

const mostCallers = 1_000
/** A restart, a plan change or a window that rolls makes one odd pair. Three of the last six are a fault. */
const pairsKept = 6
const oddPairs = 3
/** Calls of these last milliseconds are inside every window. */
const recentMs = 10_000
const mostRecent = 100

/** Compares the limit headers of successes of one caller, in bounded memory. */
export function createWindowJudge(remarks: Remarks) {
  const callers = new BoundedMap<number, Caller>(mostCallers)
  return {
    add: (answer: ServiceAnswer): void => {
      const { exchange, operation, rate, status, answeredAt, sentAt } = answer
      const id = idOf(exchange.call)
      if (id === undefined || rate === undefined || status < 200 || status > 299) return
      const caller = callers.get(id) ?? { series: new Map(), pairs: [], movesReset: false }
      callers.set(id, caller)
      const series = seriesOf(caller, operation, rate.limit)
      const { last } = series
      series.own = series.own.filter(at => answeredAt - at <= recentMs).slice(-mostRecent)
      const rated = { ...answer, rate }
      // A restart makes the earlier answers to all operations incomparable.
      const isOdd =
        last !== undefined && sentAt > last.answeredAt && judgePair(caller, series, [last, rated], remarks)
      if (isOdd) for (const other of caller.series.values()) other.last = undefined
      if (last?.rate.reset !== rate.reset) series.resetSince = answeredAt
      series.own.push(answeredAt)
      if (last === undefined || isOdd || answeredAt >= last.answeredAt) series.last = rated
    },
    /** Whether Reset was seen to move for the caller of an answer. */
    movesReset: ({ exchange }: ServiceAnswer): boolean =>
      callers.get(idOf(exchange.call) ?? 0)?.movesReset === true,
  }
}

/** Returns whether the pair is odd: requests came back, or Reset moved. */
function judgePair(
  caller: Caller,
  series: Series,
  [before, answer]: readonly [RatedAnswer, RatedAnswer],
  { fault, doubt }: Remarks,
): boolean {
  const { rate, answeredAt: at, exchange } = answer
  const { limit, remaining, reset } = before.rate
  // Its window is over, or about to be.
  if (!isEpochSeconds(reset) || reset * 1_000 < answer.serviceTime + 2_000) return false
  const back = recovery(before, answer)
  // A call before these may have left a sliding window.
  const isOwnUse = limit - remaining <= series.own.length
  const isFixed = rate.reset === reset && at - series.resetSince >= 2_000
  const isJump = resetJump(before, answer)
  const recovered = isOwnUse || isFixed ? back : 0
  caller.pairs = [...caller.pairs, { at, recovered, isJump }].slice(-pairsKept)
  const { pairs } = caller
  const sum = pairs.reduce((total, pair) => total + pair.recovered, 0)
  // A token bucket, and some sliding windows, give requests back at the rate of the limit.
  const refill = 1 + (limit * (at - (pairs[0]?.at ?? at))) / lengthOf(answer)
  const isFault = recovered > 0 && sum > refill && pairs.filter(pair => pair.recovered > 0).length >= oddPairs
  if (isFault)
    fault('limit-counts-down', exchange, `${remaining} remained before the call, ${rate.remaining} after`)
  else if (back > 0)
    doubt(
      'whether X-RateLimit-Remaining counts down',
      'it did not fall, as in a sliding window or after a restart',
    )
  const isMoved = Math.abs(rate.reset - reset) > 2
  caller.movesReset ||= isMoved
  if (isJump && pairs.filter(pair => pair.isJump).length >= oddPairs)
    fault('limit-reset-steady', exchange, `X-RateLimit-Reset was ${reset}, then ${rate.reset}`)
  else if (isMoved)
    doubt('whether X-RateLimit-Reset is right', 'it moved, as in a sliding window or after a restart')
  return back > 0 || isMoved
}

function seriesOf({ series: all }: Caller, operation: OperationId, limit: number): Series {
  const known = all.get(operation)
  if (known?.limit === limit) return known
  const series: Series = { limit, last: undefined, resetSince: 0, own: [] }
  all.set(operation, series)
  return series
}

/** Undefined for a call that a service need not count: without a key, or repeated by its Idempotency-Key. */
function idOf({ headers }: Call): number | undefined {
  const key = headerValue(headers, 'authorization')
  return typeof key !== 'string' || headerValue(headers, 'idempotency-key') !== undefined
    ? undefined
    : hashOf(key)
}
