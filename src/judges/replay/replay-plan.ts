import { shippedFixtures } from '../../control/fixtures/fixtures.ts'
import type { ScenarioFile } from '../../control/scenario/file.ts'
import { settle, settleKey } from '../../control/scenario/settle/settle.ts'
import { createEmulator } from '../../emulator/emulator.ts'
import { type Exchange, isRefused, type Observer } from '../../emulator/journal/exchange.ts'
import type { Scenario } from '../../emulator/worlds/scenario.ts'
import { type LimitReading, type WindowName, windowNames } from '../../service/limits/limiter.ts'
import type { Quota } from '../../service/plans/plan.ts'
import { refusedUntil } from '../conduct/wait.ts'
import { addSpan, type FlightSpan } from '../report/flight.ts'
import { type ClientChange, createCache, createSpacing } from './client-change.ts'
import type { CallerCalls, WantedCall } from './wanted-calls.ts'

/** A plan to replay at. */
export interface PlanChoice {
  readonly name: string
  readonly quota: Quota
}

const key = 'replay'

/**
 * What a replay takes from a scenario: its plans, limits and bans. It has no pets, since no answer but a refusal matters,
 * and no rules and events: what they inject is not the plan's.
 */
export function replayScenario(name: string, { plans, limits, bans }: ScenarioFile): Scenario {
  const taken = { ...(plans && { plans }), ...(limits && { limits }), ...(bans && { bans }) }
  return settle(name, { ...taken, pets: { count: 0 } }, shippedFixtures)
}

/** An emulator for one caller with a fresh key of a plan, whose clock runs with the calls. */
function openPlan(scenario: Scenario, { name, quota }: PlanChoice, startedAt: number, observe: Observer) {
  const start = settleKey({ plan: name }, new Map([[name, quota]]))
  const defects: unknown[] = []
  const emulator = createEmulator({
    scenario: { ...scenario, key, clock: { at: startedAt, scale: 1 }, keys: new Map([[key, start]]) },
    startedAt,
    journal: { entries: 0, bytes: 0 },
    onError: error => defects.push(error),
  })
  emulator.observe(observe)
  const headers = ['Host', '127.0.0.1', 'Authorization', `Bearer ${key}`]
  return ({ method, target }: WantedCall, at: number): void => {
    const call = { method, target, headers, body: undefined, scheme: 'http', client: '127.0.0.1' } as const
    emulator.handle({ ...call, receivedAt: at })
    // A defect of pet-mock: throw it with its stack.
    if (defects.length > 0) throw defects[0]
  }
}

/** A call that the plan refuses. */
export interface Refusal {
  /** When the replay made the call. */
  readonly at: number
  readonly call: WantedCall
  readonly status: number
  /** What refused it. */
  readonly by: 'ban' | WindowName
  readonly waitMs: number
}

/** What became of the calls of one caller at a plan. */
type CallerRun = ReturnType<typeof replayCaller>

type Interval = Pick<FlightSpan, 'from' | 'to'>

interface ReplayOptions {
  readonly scenario: Scenario
  readonly plan: PlanChoice
  readonly change?: ClientChange
  /** Ends the replay at the first refusal: enough to know that something does not suffice. */
  readonly untilRefused?: boolean
  /** Called after each call, with its instant. */
  readonly onCall?: (call: WantedCall, exchange: Exchange) => void
}

export const mostRefusals = 5

/** Makes the calls of one caller, whatever comes of them, on an emulator whose clock shows their instants. */
export function replayCaller(calls: readonly WantedCall[], options: ReplayOptions) {
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
  /** The first ones, in the order of time. */
  const refusals: Refusal[] = []
  /** When the caller was blocked, in order and apart from each other. */
  const blocked: Interval[] = []
  /** Waits and bans, for the picture. */
  const spans: FlightSpan[] = []
  /** The most calls of one caller in one window. */
  const peak = { minute: 0, day: 0 }
  // `longestWaitMs`: how long the change of the client holds calls back, at most.
  let [calls, refused, bans, longestWaitMs] = [0, 0, 0, 0]
  let bannedUntil = Number.NEGATIVE_INFINITY
  const addRefusal = (call: WantedCall, exchange: Exchange, limit: LimitReading) => {
    const { at, trace, reply } = exchange
    const isBan = trace.code === 'api_key_banned'
    const until = refusedUntil(exchange) ?? at
    refused += 1
    // A ban that calls prolong is still one.
    if (isBan && at >= bannedUntil) bans += 1
    if (isBan) bannedUntil = trace.bannedUntil ?? bannedUntil
    const by = isBan ? 'ban' : limit.reported
    if (refusals.length < mostRefusals)
      refusals.push({ at, call, status: reply.status, by, waitMs: until - at })
    addSpan<Interval>(blocked, { from: at, to: until }, Number.POSITIVE_INFINITY)
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
    run: () => ({ calls, refused, bans, refusals, blocked, peak, longestWaitMs, spans }),
  }
}

export type PlanRun = ReturnType<typeof replayPlan>

/** What becomes of all calls at a plan. Each caller has a key of its own. */
export function replayPlan(callers: readonly CallerCalls[], options: Omit<ReplayOptions, 'onCall'>) {
  const runs: { readonly caller: CallerCalls; readonly run: CallerRun }[] = []
  for (const caller of callers) {
    const run = replayCaller(caller.calls, options)
    runs.push({ caller, run })
    if (options.untilRefused && run.refused > 0) break
  }
  const sum = (count: (run: CallerRun) => number) => runs.reduce((all, { run }) => all + count(run), 0)
  const most = (size: (run: CallerRun) => number) =>
    runs.reduce((largest, { run }) => Math.max(largest, size(run)), 0)
  const [busiest] = runs.toSorted(
    (one, other) => other.run.refused - one.run.refused || other.run.calls - one.run.calls,
  )
  return {
    calls: sum(({ calls }) => calls),
    refused: sum(({ refused }) => refused),
    bans: sum(({ bans }) => bans),
    refusals: runs.flatMap(({ run }) => run.refusals).sort((one, other) => one.at - other.at),
    /** How long at least one caller was blocked, by waits and bans. */
    blockedMs: lengthOf(runs.flatMap(({ run }) => run.blocked)),
    peak: { minute: most(({ peak }) => peak.minute), day: most(({ peak }) => peak.day) },
    longestWaitMs: most(run => run.longestWaitMs),
    /** The caller with the most refused calls, or with the most calls. */
    busiest: busiest?.caller,
  }
}

function lengthOf(intervals: readonly Interval[]): number {
  const union: Interval[] = []
  for (const interval of intervals.toSorted((one, other) => one.from - other.from))
    addSpan(union, interval, Number.POSITIVE_INFINITY)
  return union.reduce((sum, { from, to }) => sum + to - from, 0)
}
