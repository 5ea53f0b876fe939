import { type Exchange, isRefused } from '../../emulator/journal/exchange.ts'
import type { Scenario } from '../../emulator/worlds/scenario.ts'
import type { LimitReading } from '../../service/limits/limiter.ts'
import { type WindowName, windowNames } from '../../service/limits/window.ts'
import type { FlightSpan } from '../report/flight.ts'
import { type ClientChange, createCache, createSpacing } from './client-change.ts'
import { openPlan, type PlanChoice } from './plan-world.ts'
import type { WantedCall } from './wanted-call.ts'

/** A call that the plan refuses. */
export interface Refusal {
  /** When the replay made the call. */
  readonly at: number
  readonly call: WantedCall
  readonly status: number
  readonly isBan: boolean
  /** Until when the client must wait. */
  readonly until: number
  readonly limit: LimitReading
}

/** What became of the calls of one caller at a plan. */
export interface CallerRun {
  readonly calls: number
  readonly refused: number
  readonly bans: number
  readonly refusals: readonly Refusal[]
  /** When the caller was blocked, in order and apart from each other. */
  readonly blocked: readonly Interval[]
  readonly peak: Readonly<Record<WindowName, number>>
  /** How long the change of the client holds calls back, at most. */
  readonly longestWaitMs: number
  /** Waits and bans, for the picture. */
  readonly spans: readonly FlightSpan[]
}

export interface Interval {
  readonly from: number
  readonly to: number
}

export interface ReplayOptions {
  readonly scenario: Scenario
  readonly plan: PlanChoice
  readonly change?: ClientChange
  /** Ends the replay at the first refusal: enough to know that something does not suffice. */
  readonly untilRefused?: boolean
  /** Called after each call, with its instant. */
  readonly onCall?: (call: WantedCall, exchange: Exchange) => void
}

const mostRefusals = 5
const mostSpans = 500

/** Makes the calls of one caller, whatever comes of them, on an emulator whose clock shows their instants. */
export function replayCaller(calls: readonly WantedCall[], options: ReplayOptions): CallerRun {
  const { scenario, plan, change = {}, untilRefused = false, onCall } = options
  const [first] = calls
  const tally = createTally()
  let last: Exchange | undefined
  const make = openPlan(scenario, plan, first?.at ?? 0, exchange => {
    last = exchange
  })
  const cache = change.cacheMs === undefined ? undefined : createCache(change.cacheMs)
  const spacing = change.spread && createSpacing(plan.quota)
  for (const call of calls) {
    if (cache?.has(call)) continue
    const at = spacing?.place(call.at) ?? call.at
    make(call, at)
    if (last === undefined) continue
    spacing?.made(at)
    tally.add(call, last)
    onCall?.(call, last)
    if (!isRefused(last)) cache?.served(call, at)
    else if (untilRefused) break
  }
  return tally.run()
}

function createTally() {
  const refusals: Refusal[] = []
  const blocked: Interval[] = []
  const spans: FlightSpan[] = []
  const peak = { minute: 0, day: 0 }
  let [calls, refused, bans, longestWaitMs] = [0, 0, 0, 0]
  let bannedUntil = Number.NEGATIVE_INFINITY
  const addRefusal = (call: WantedCall, exchange: Exchange, limit: LimitReading) => {
    const { at, trace, reply } = exchange
    const isBan = trace.code === 'api_key_banned'
    const until = endOf(exchange, limit)
    refused += 1
    // A ban that calls prolong is still one.
    if (isBan && at >= bannedUntil) bans += 1
    if (isBan) bannedUntil = trace.bannedUntil ?? bannedUntil
    if (refusals.length < mostRefusals) refusals.push({ at, call, status: reply.status, isBan, until, limit })
    extend(blocked, { from: at, to: until })
    const banEnd = isBan ? (trace.bannedUntil ?? until) : at
    if (isBan) addSpan(spans, { kind: 'ban', from: at, to: banEnd })
    if (until > banEnd) addSpan(spans, { kind: 'wait', from: at, to: until })
  }
  return {
    add: (call: WantedCall, exchange: Exchange) => {
      const { at, trace } = exchange
      const { limit } = trace
      calls += 1
      longestWaitMs = Math.max(longestWaitMs, at - call.at)
      if (limit === undefined) return
      for (const name of windowNames) peak[name] = Math.max(peak[name], limit[name].used)
      if (isRefused(exchange)) addRefusal(call, exchange, limit)
    },
    run: (): CallerRun => ({ calls, refused, bans, refusals, blocked, peak, longestWaitMs, spans }),
  }
}

/** The end of the wait that the refusal names: of the ban and of an exhausted window (A08, A10). */
function endOf({ at, trace: { code, bannedUntil } }: Exchange, limit: LimitReading): number {
  if (code !== 'api_key_banned') return limit[limit.reported].endsAt ?? at
  const ends = windowNames.flatMap(name => {
    const { used, limit: most, endsAt } = limit[name]
    return used >= most && endsAt !== undefined ? [endsAt] : []
  })
  return Math.max(bannedUntil ?? at, ...ends)
}

/** Adds an interval that begins no earlier than those before it. */
export function extend(intervals: Interval[], { from, to }: Interval): void {
  const last = intervals.at(-1)
  if (last === undefined || from > last.to) intervals.push({ from, to })
  else if (to > last.to) intervals[intervals.length - 1] = { from: last.from, to }
}

/** Joins it with the last one of its kind, if they overlap. */
function addSpan(spans: FlightSpan[], span: FlightSpan): void {
  const index = spans.findLastIndex(({ kind }) => kind === span.kind)
  const last = spans[index]
  if (last !== undefined && span.from <= last.to) spans[index] = { ...last, to: Math.max(last.to, span.to) }
  else if (spans.length < mostSpans) spans.push(span)
}
