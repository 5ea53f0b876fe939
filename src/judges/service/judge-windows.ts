import { headerValue } from '../../service/call/headers.ts'
import { BoundedMap } from '../conduct/bounded-map.ts'
import { hashOf } from '../conduct/observed-call.ts'
import { lengthOf, recovery, resetJump } from './compare-rates.ts'
import { isEpochSeconds, type RatedAnswer, type ServiceAnswer } from './service-answer.ts'
import type { Remarks } from './service-tally.ts'

/** What answers showed of one limit, last answer last. Operations are apart, as a service may count them apart. */
interface Series {
  limit: number
  last: RatedAnswer | undefined
  /** When the current Reset was first seen. */
  resetSince: number
  /** When the calls of the last seconds were answered. */
  own: number[]
  /** The last pairs of answers, each whose call was sent after the answer before it. */
  pairs: Pair[]
  movesReset: boolean
}

interface Pair {
  readonly at: number
  /** Requests that came back in a way that no old call explains. */
  readonly recovered: number
  readonly isJump: boolean
}

const mostSeries = 1_000
/** A restart, a plan change or a window that rolls makes one odd pair. Three of the last six are a fault. */
const pairsKept = 6
const oddPairs = 3
/** Calls of these last milliseconds are inside every window. */
const recentMs = 10_000
const mostRecent = 100

/** Compares the limit headers of successes of one caller, in bounded memory. */
export function createWindowJudge({ fault, doubt }: Remarks) {
  const all = new BoundedMap<number, Series>(mostSeries)

  const judgePair = (series: Series, before: RatedAnswer, answer: RatedAnswer) => {
    const { rate, answeredAt: at, exchange } = answer
    // Its window is over, or about to be.
    if (!isEpochSeconds(before.rate.reset) || before.rate.reset * 1_000 < answer.serviceTime + 2_000) return
    const back = recovery(before, answer)
    // A call before these may have left a sliding window.
    const isOwnUse = before.rate.limit - before.rate.remaining <= series.own.length
    const isFixed = rate.reset === before.rate.reset && at - series.resetSince >= 2_000
    const isJump = resetJump(before, answer)
    series.pairs = [...series.pairs, { at, recovered: isOwnUse || isFixed ? back : 0, isJump }].slice(
      -pairsKept,
    )
    const odd = series.pairs.filter(({ recovered }) => recovered > 0)
    const sum = odd.reduce((total, { recovered }) => total + recovered, 0)
    // A token bucket, and some sliding windows, give requests back at the rate of the limit.
    const refill = 1 + (rate.limit * (at - (series.pairs[0]?.at ?? at))) / lengthOf(answer)
    if (back > 0) {
      if (odd.length >= oddPairs && sum > refill && odd.at(-1)?.at === at)
        fault(
          'limit-counts-down',
          exchange,
          `${before.rate.remaining} remained before the call, ${rate.remaining} after`,
        )
      else
        doubt(
          'whether X-RateLimit-Remaining counts down',
          'it did not fall, as in a sliding window or after a restart',
        )
    }
    if (Math.abs(rate.reset - before.rate.reset) <= 2) return
    series.movesReset = true
    if (isJump && series.pairs.filter(pair => pair.isJump).length >= oddPairs)
      fault('limit-reset-steady', exchange, `X-RateLimit-Reset was ${before.rate.reset}, then ${rate.reset}`)
    else doubt('whether X-RateLimit-Reset is right', 'it moved, as in a sliding window or after a restart')
  }

  return {
    add: (answer: ServiceAnswer): void => {
      const { rate, status, answeredAt } = answer
      if (rate === undefined || status < 200 || status > 299 || !isPlain(answer)) return
      const series = seriesOf(all, answer)
      if (series.limit !== rate.limit) Object.assign(series, newSeries(rate.limit))
      const { last } = series
      series.own = series.own.filter(at => answeredAt - at <= recentMs).slice(-mostRecent)
      const rated = { ...answer, rate }
      if (last !== undefined && answer.sentAt > last.answeredAt) judgePair(series, last, rated)
      if (last === undefined || last.rate.reset !== rate.reset) series.resetSince = answeredAt
      series.own.push(answeredAt)
      if (last === undefined || answeredAt >= last.answeredAt) series.last = rated
    },
    /** Whether Reset was seen to move in the series of an answer. */
    movesReset: (answer: ServiceAnswer): boolean => all.get(idOf(answer))?.movesReset === true,
  }
}

/** Services need not count a repetition of a POST. */
function isPlain({ exchange: { call } }: ServiceAnswer): boolean {
  return headerValue(call.headers, 'idempotency-key') === undefined && idOfCaller(call.headers) !== undefined
}

function seriesOf(all: BoundedMap<number, Series>, answer: ServiceAnswer): Series {
  const id = idOf(answer)
  const series = all.get(id) ?? newSeries(0)
  all.set(id, series)
  return series
}

function newSeries(limit: number): Series {
  return { limit, last: undefined, resetSince: 0, own: [], pairs: [], movesReset: false }
}

function idOf({ exchange, operation }: ServiceAnswer): number {
  return hashOf(operation, idOfCaller(exchange.call.headers) ?? '')
}

function idOfCaller(headers: readonly string[]): string | undefined {
  const value = headerValue(headers, 'authorization')
  return typeof value === 'string' ? value : undefined
}
