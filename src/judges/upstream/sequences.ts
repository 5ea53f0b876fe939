import { BoundedMap } from '../../base/bounded-map.ts'
import { hashOf } from '../../base/hash.ts'
import type { Exchange } from '../../emulator/journal/exchange.ts'
import type { Call } from '../../service/call/call.ts'
import { headerValue } from '../../service/call/headers.ts'
import { nextLink } from '../../service/call/link.ts'
import { readTarget } from '../../service/call/target.ts'
import { windowLengths } from '../../service/limits/limiter.ts'
import { type OperationId, roleOf } from '../../service/operations/operations.ts'
import { isEpochSeconds, type Standing } from '../conformance/answers.ts'
import type { Remarks, ServiceAnswer } from './answer.ts'

interface Caller {
  /** Operations are apart, as a service may count them apart. */
  readonly series: Map<OperationId, Series>
  /** The last pairs of answers, each whose call was sent after the answer before it. */
  pairs: {
    readonly at: number
    /** Requests that came back in a way that no old call explains. */
    readonly recovered: number
    readonly isJump: boolean
  }[]
  movesReset: boolean
}

/** What is kept of an answer: the rest may be long. */
interface RatedAnswer extends Pick<ServiceAnswer, 'sentAt' | 'answeredAt' | 'serviceTime'> {
  readonly rate: Standing
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
      const { exchange, operation, rate, status, answeredAt, sentAt, serviceTime } = answer
      const id = idOf(exchange.call)
      if (id === undefined || rate === undefined || status < 200 || status > 299) return
      const caller = callers.get(id) ?? { series: new Map(), pairs: [], movesReset: false }
      callers.set(id, caller)
      const series = seriesOf(caller, operation, rate.limit)
      const { last } = series
      series.own = series.own.filter(at => answeredAt - at <= recentMs).slice(-mostRecent)
      const rated = { rate, answeredAt, sentAt, serviceTime }
      // A restart makes the earlier answers to all operations incomparable.
      const isPair = last !== undefined && sentAt > last.answeredAt
      const isOdd = isPair && judgePair(caller, series, [last, rated], exchange, remarks)
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
  exchange: Exchange,
  { fault, doubt }: Remarks,
): boolean {
  const { rate, answeredAt: at } = answer
  const { limit, remaining, reset } = before.rate
  // Its window is over, or about to be.
  if (!isEpochSeconds(reset) || reset * 1_000 < answer.serviceTime + 2_000) return false
  // How many requests came back between the calls. Each call uses one.
  const back = Math.max(0, rate.remaining - remaining + 1)
  // A call before these may have left a sliding window.
  const isOwnUse = limit - remaining <= series.own.length
  const isFixed = rate.reset === reset && at - series.resetSince >= 2_000
  const isJump = resetJump(before, answer)
  const recovered = isOwnUse || isFixed ? back : 0
  caller.pairs = [...caller.pairs, { at, recovered, isJump }].slice(-pairsKept)
  const { pairs } = caller
  const sum = pairs.reduce((total, pair) => total + pair.recovered, 0)
  // A token bucket, and some sliding windows, give requests back at the rate of the limit.
  const refill = 1 + (limit * (at - (pairs[0]?.at ?? at))) / windowOf(answer)
  const isFault = recovered > 0 && sum > refill && pairs.filter(pair => pair.recovered > 0).length >= oddPairs
  if (isFault)
    fault('limit-counts-down', exchange, `${remaining} remained before the call, ${rate.remaining} after`)
  else if (back > 0)
    doubt('limit-counts-down', 'the number did not fall, as in a sliding window or after a restart')
  const isMoved = Math.abs(rate.reset - reset) > 2
  caller.movesReset ||= isMoved
  if (isJump && pairs.filter(pair => pair.isJump).length >= oddPairs)
    fault('limit-reset-steady', exchange, `X-RateLimit-Reset was ${reset}, then ${rate.reset}`)
  else if (isMoved)
    doubt('limit-reset-steady', 'X-RateLimit-Reset moved, as in a sliding window or after a restart')
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

/** The length of the window that an answer describes, in milliseconds: a minute, or a day if its end is further away. */
function windowOf({ rate, serviceTime }: RatedAnswer): number {
  const { minute, day } = windowLengths
  return rate.reset * 1_000 - serviceTime > minute + 5_000 ? day : minute
}

/** Whether Reset jumped back, or ahead by more than the time passed and what a token bucket needs. */
function resetJump(one: RatedAnswer, other: RatedAnswer): boolean {
  // Two limits with one number are two windows.
  if (windowOf(one) !== windowOf(other)) return false
  const moved = (other.rate.reset - one.rate.reset) * 1_000
  const passed = Math.max(other.answeredAt - one.sentAt, other.serviceTime - one.serviceTime)
  const used = Math.max(0, one.rate.remaining - other.rate.remaining)
  const spare = 3_000
  return moved < -spare || moved > passed + (used * windowOf(one)) / Math.max(1, one.rate.limit) + spare
}

/** A walk through the pages of a list by its links. Targets and bodies are hashes. */
interface Walk {
  /** The body of each page by its target. */
  readonly pages: BoundedMap<number, number>
  /** Pages to which a later page led back, and when. */
  readonly ledBack: BoundedMap<number, number>
}

const mostWalks = 200
const mostPages = 200

/**
 * Finds links that lead a walk round: back to a page that the walk had, which then has the same animals again. Asking
 * for a page twice is no walk round, and neither is one cursor for all pages if each has other animals.
 */
export function createWalkJudge({ fault }: Remarks) {
  /** By the target that comes next. */
  const walks = new BoundedMap<number, Walk>(mostWalks)
  return (answer: ServiceAnswer): void => {
    const { exchange, operation, status, headers, sentAt, answeredAt } = answer
    const { call, reply, cut } = exchange
    if (roleOf(operation) !== 'list' || status !== 200 || cut.reply !== undefined) return
    const { body = '', fault: broken } = reply
    if (broken !== undefined || /^\s*(?:\[\s*\]\s*)?$/.test(body)) return
    const key = headerValue(call.headers, 'authorization')
    const caller = typeof key === 'string' ? key : ''
    const page = hashOf(caller, call.target)
    const content = hashOf(body)
    const walk: Walk = walks.get(page) ?? {
      pages: new BoundedMap(mostPages),
      ledBack: new BoundedMap(mostPages),
    }
    const ledBackAt = walk.ledBack.get(page)
    if (ledBackAt !== undefined && sentAt >= ledBackAt && walk.pages.get(page) === content) {
      fault('page-continues', exchange, 'the links led back to this page, with the same animals')
      walk.ledBack.delete(page)
    }
    walk.pages.set(page, content)
    const target = nextTarget(headers.link, call.target)
    if (target === undefined) return
    const next = hashOf(caller, target)
    if (walk.pages.has(next)) walk.ledBack.set(next, answeredAt)
    walks.set(next, walk)
  }
}

/** Path and query of the link `rel="next"`, which may be relative to the target of the call. */
function nextTarget(link: string | undefined, target: string): string | undefined {
  const next = nextLink(link)
  if (next === undefined) return undefined
  const base = `http://service.invalid${readTarget(target).path}`
  if (!URL.canParse(next, base)) return undefined
  const { pathname, search } = new URL(next, base)
  return pathname + search
}
