import { type Exchange, isRefused } from '../../emulator/journal/exchange.ts'
import type { Scenario } from '../../emulator/worlds/scenario.ts'
import { remaining, type WindowReading } from '../../service/limits/limiter.ts'
import { planTitle } from '../../service/plans/plan.ts'
import { answerKind, answerKinds, type Flight, type FlightCall } from '../report/flight.ts'
import { advise, pageCallers } from './advise.ts'
import { type PlanChoice, type PlanRun, replayCaller, replayPlan } from './replay-plan.ts'
import { type CallerCalls, dropRepeats, type WantedCall } from './wanted-calls.ts'

export interface ReplayRequest {
  readonly callers: readonly CallerCalls[]
  /** Its limits and bans hold. */
  readonly scenario: Scenario
  readonly plans: readonly PlanChoice[]
  /** `drop`: without the calls that repeat one that was refused when it was recorded. */
  readonly retries: 'keep' | 'drop'
  /** The name of a caller in pictures; undefined: there is only one. */
  readonly showCaller: (caller: CallerCalls) => string | undefined
  /** Called before the replay at a plan, which may take seconds. */
  readonly onPlan?: (plan: string) => void
  /** With pictures. */
  readonly flights: boolean
}

export type PlanResult = ReplayResult['plans'][number]

export type ReplayResult = ReturnType<typeof replay>

/** Larger than any number of calls. */
const unlimited: PlanChoice = { name: 'unlimited', quota: { minute: 2 ** 40, day: 2 ** 40 } }

/** Replays recorded calls at each plan, and tries changes of the client at each plan that refuses some. */
export function replay(request: ReplayRequest) {
  const { scenario, retries, flights, onPlan } = request
  const needed = request.callers.map(({ name, calls }) => ({ name, calls: dropRepeats(calls) }))
  const callers = retries === 'keep' ? request.callers : needed
  const repeats = countCalls(request.callers) - countCalls(needed)
  const paged = pageCallers(callers)
  const plans = request.plans.toSorted(
    ({ quota: one }, { quota: other }) => one.minute - other.minute || one.day - other.day,
  )
  const results = plans.map(plan => {
    onPlan?.(plan.name)
    const run = replayPlan(callers, { scenario, plan })
    const isDoubtful = repeats > 0 && retries === 'keep'
    return {
      plan,
      run,
      /** The same without repeats; undefined if there are none, or they are left out anyway. */
      withoutRepeats: isDoubtful ? replayPlan(needed, { scenario, plan }) : undefined,
      /** Changes of the client that were replayed, for a plan that refuses calls. */
      advice: run.refused === 0 ? [] : advise(callers, paged, { scenario, plan }),
    }
  })
  const calm = results.find(({ run }) => run.refused === 0)?.run
  return {
    callers,
    calls: countCalls(callers),
    /** Calls that repeat a refused one. */
    repeats,
    /** The most calls of one caller in one window, if nothing is refused. */
    demand: (calm ?? replayPlan(callers, { scenario, plan: unlimited })).peak,
    /** The page sizes that larger pages would replace. */
    pageLimits: paged.limits,
    /** From small to large. */
    plans: results,
    flights: flights ? results.flatMap(result => flightOf(result, request)) : [],
  }
}

function flightOf(
  { plan, run: { busiest } }: { readonly plan: PlanChoice; readonly run: PlanRun },
  { scenario, showCaller }: ReplayRequest,
): readonly Flight[] {
  if (busiest === undefined) return []
  const caller = showCaller(busiest)
  const title = `the plan ${planTitle(plan.name)}${caller === undefined ? '' : `, ${caller}`}`
  const { calls } = busiest
  const log = calls.length <= mostCalls ? createList() : createParts(calls)
  const onCall = (call: WantedCall, exchange: Exchange) => log.add(flightCallOf(call, exchange))
  const { spans } = replayCaller(calls, { scenario, plan, onCall })
  return [{ title, calls: log.calls(), spans, omitted: 0 }]
}

function countCalls(callers: readonly CallerCalls[]): number {
  return callers.reduce((sum, { calls }) => sum + calls.length, 0)
}

/** More calls are drawn together: as one for each part of the time and each kind of answer. */
const mostCalls = 1_000
const parts = 400

/** A served call is shown with its recorded status: the replay has none of the service's pets. */
function flightCallOf({ status, wasRefused }: WantedCall, exchange: Exchange): FlightCall {
  const { at, reply, trace } = exchange
  const served = wasRefused || status === 0 ? 200 : status
  const shareOf = (window: WindowReading) => [remaining(window), window.limit] as const
  const left = trace.limit && { minute: shareOf(trace.limit.minute), day: shareOf(trace.limit.day) }
  return { at, status: isRefused(exchange) ? reply.status : served, left: left ?? null }
}

function createList() {
  const list: FlightCall[] = []
  return { add: (call: FlightCall) => void list.push(call), calls: (): readonly FlightCall[] => list }
}

/** The calls of a part become one for each kind of answer, with the least quota that was left. */
function createParts(calls: readonly WantedCall[]) {
  const first = calls[0]?.at ?? 0
  const length = Math.max(1, (calls.at(-1)?.at ?? 0) - first)
  const merged = new Map<number, FlightCall & { readonly count: number }>()
  return {
    add: (call: FlightCall): void => {
      const part = Math.min(parts - 1, Math.floor(((call.at - first) / length) * parts))
      const place = part * answerKinds.length + answerKinds.indexOf(answerKind(call.status))
      const known = merged.get(place)
      const left = known === undefined ? call.left : leastOf(known.left, call.left)
      merged.set(place, { ...(known ?? call), left, count: (known?.count ?? 0) + 1 })
    },
    calls: (): readonly FlightCall[] => [...merged.values()].sort((one, other) => one.at - other.at),
  }
}

function leastOf(one: FlightCall['left'], other: FlightCall['left']): FlightCall['left'] {
  if (one === null || other === null) return one ?? other
  const least = (name: 'minute' | 'day') => (other[name][0] < one[name][0] ? other[name] : one[name])
  return { minute: least('minute'), day: least('day') }
}
