import { type Exchange, isRefused } from '../../emulator/journal/exchange.ts'
import type { Scenario } from '../../emulator/worlds/scenario.ts'
import { remaining, type WindowReading } from '../../service/limits/limiter.ts'
import { type AnswerKind, answerKind, answerKinds, type Flight, type FlightCall } from '../report/flight.ts'
import { type PlanChoice, replayCaller } from './replay-plan.ts'
import type { CallerCalls, WantedCall } from './wanted-calls.ts'

/** More calls are drawn together: as one for each part of the time and each kind of answer. */
const mostCalls = 1_000
const parts = 400

/** The picture of one caller's replay at a plan. */
export function drawReplay(
  title: string,
  { calls }: CallerCalls,
  options: { readonly scenario: Scenario; readonly plan: PlanChoice },
): Flight {
  const log = calls.length <= mostCalls ? createList() : createParts(calls)
  const { spans } = replayCaller(calls, {
    ...options,
    onCall: (call, exchange) => log.add(flightCallOf(call, exchange)),
  })
  return { title, calls: log.calls(), spans, omitted: 0 }
}

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
      const place = part * answerKinds.length + indexOf(answerKind(call.status))
      const known = merged.get(place)
      const left = known === undefined ? call.left : leastOf(known.left, call.left)
      merged.set(place, { ...(known ?? call), left, count: (known?.count ?? 0) + 1 })
    },
    calls: (): readonly FlightCall[] => [...merged.values()].sort((one, other) => one.at - other.at),
  }
}

function indexOf(kind: AnswerKind): number {
  return answerKinds.indexOf(kind)
}

function leastOf(one: FlightCall['left'], other: FlightCall['left']): FlightCall['left'] {
  if (one === null || other === null) return one ?? other
  const least = (name: 'minute' | 'day') => (other[name][0] < one[name][0] ? other[name] : one[name])
  return { minute: least('minute'), day: least('day') }
}
