import type { Scenario } from '../../emulator/worlds/scenario.ts'
import type { WindowName } from '../../service/limits/limiter.ts'
import type { Flight } from '../report/flight.ts'
import { advise, pageCallers, type TriedChange } from './advise.ts'
import { drawReplay } from './replay-flight.ts'
import { type PlanChoice, type PlanRun, replayPlan } from './replay-plan.ts'
import { type CallerCalls, dropRepeats } from './wanted-calls.ts'

export interface ReplayRequest {
  readonly callers: readonly CallerCalls[]
  /** Its limits and bans hold. */
  readonly scenario: Scenario
  readonly plans: readonly PlanChoice[]
  /** `drop`: without the calls that repeat one that was refused when it was recorded. */
  readonly retries: 'keep' | 'drop'
  /** The name of a caller in pictures; undefined: there is only one. */
  readonly showCaller: (caller: CallerCalls) => string | undefined
  readonly planTitle: (plan: string) => string
  /** Called before the replay at a plan, which may take seconds. */
  readonly onPlan?: (plan: string) => void
  /** With pictures. */
  readonly flights: boolean
}

export interface PlanResult {
  readonly plan: PlanChoice
  readonly run: PlanRun
  /** The same without repeats; undefined if there are none, or they are left out anyway. */
  readonly withoutRepeats: PlanRun | undefined
  /** Changes of the client that were replayed, for a plan that refuses calls. */
  readonly advice: readonly TriedChange[]
}

export interface ReplayResult {
  readonly callers: readonly CallerCalls[]
  readonly calls: number
  /** Calls that repeat a refused one. */
  readonly repeats: number
  /** The most calls of one caller in one window, if nothing is refused. */
  readonly demand: Readonly<Record<WindowName, number>>
  /** The page sizes that larger pages would replace. */
  readonly pageLimits: readonly number[]
  /** From small to large. */
  readonly plans: readonly PlanResult[]
  readonly flights: readonly Flight[]
}

/** Larger than any number of calls. */
const unlimited: PlanChoice = { name: 'unlimited', quota: { minute: 2 ** 40, day: 2 ** 40 } }

/** Replays recorded calls at each plan, and tries changes of the client at each plan that refuses some. */
export function replay(request: ReplayRequest): ReplayResult {
  const { scenario, retries, flights, onPlan } = request
  const needed = request.callers.map(({ name, calls }) => ({ name, calls: dropRepeats(calls) }))
  const callers = retries === 'keep' ? request.callers : needed
  const repeats = countCalls(request.callers) - countCalls(needed)
  const paged = pageCallers(callers)
  const results = sortPlans(request.plans).map((plan): PlanResult => {
    onPlan?.(plan.name)
    const run = replayPlan(callers, { scenario, plan })
    const isDoubtful = repeats > 0 && retries === 'keep'
    return {
      plan,
      run,
      withoutRepeats: isDoubtful ? replayPlan(needed, { scenario, plan }) : undefined,
      advice: run.refused === 0 ? [] : advise(callers, paged, { scenario, plan }),
    }
  })
  return {
    callers,
    calls: countCalls(callers),
    repeats,
    demand: demandOf(callers, scenario, results),
    pageLimits: paged.limits,
    plans: results,
    flights: flights ? results.flatMap(result => flightOf(result, request)) : [],
  }
}

function flightOf(
  { plan, run: { busiest } }: PlanResult,
  { scenario, showCaller, planTitle }: ReplayRequest,
): readonly Flight[] {
  if (busiest === undefined) return []
  const caller = showCaller(busiest)
  const title = `the plan ${planTitle(plan.name)}${caller === undefined ? '' : `, ${caller}`}`
  return [drawReplay(title, busiest, { scenario, plan })]
}

function demandOf(
  callers: readonly CallerCalls[],
  scenario: Scenario,
  results: readonly PlanResult[],
): ReplayResult['demand'] {
  const calm = results.find(({ run }) => run.refused === 0)
  return (calm?.run ?? replayPlan(callers, { scenario, plan: unlimited })).peak
}

function countCalls(callers: readonly CallerCalls[]): number {
  return callers.reduce((sum, { calls }) => sum + calls.length, 0)
}

function sortPlans(plans: readonly PlanChoice[]): readonly PlanChoice[] {
  return plans.toSorted(
    ({ quota: one }, { quota: other }) => one.minute - other.minute || one.day - other.day,
  )
}
