import { windowLengths } from '../../service/limits/window.ts'
import { BoundedMap } from './bounded-map.ts'
import { seconds } from './checks.ts'
import type { Judge, Note, Portion } from './observed-call.ts'

const mostWatched = 500

/** This many calls in a row at one pace are polling. */
const callsJudged = 11

/** Faster repetitions are a loop: milliseconds of the client's time. */
const leastGap = 500

/** Finds a GET that is repeated at a steady pace for which the plan is too small. */
export function judgePolling(note: Note, portion: Portion): Judge {
  const instants = new BoundedMap<number, number[]>(mostWatched, { portion })
  return ({ exchange, fingerprint }) => {
    const { call, trace } = exchange
    const { limit, plan } = trace
    if (call.method !== 'GET' || limit?.accepted !== true || trace.synthetic) return
    const last = [...(instants.get(fingerprint) ?? []), call.receivedAt].slice(-callsJudged)
    instants.set(fingerprint, last)
    const pace = paceOf(last)
    if (pace === undefined) return
    const exceeded = (['minute', 'day'] as const).find(
      name => Math.floor(windowLengths[name] / pace) > limit[name].limit,
    )
    if (exceeded === undefined) return
    const calls = Math.floor(windowLengths[exceeded] / pace)
    const detail = () =>
      `about every ${seconds(pace)}: ${calls} calls a ${exceeded}, but the plan ${plan} allows ${limit[exceeded].limit}`
    note({ id: 'polling-too-fast', exchange, group: `${fingerprint}`, detail })
  }
}

/** The median gap in milliseconds, if every gap is between half of it and one and a half times as long. */
function paceOf(instants: readonly number[]): number | undefined {
  if (instants.length < callsJudged) return undefined
  const gaps = instants.slice(1).map((at, index) => at - (instants[index] ?? at))
  const median = gaps.toSorted((one, other) => one - other)[Math.floor(gaps.length / 2)] ?? 0
  if (median < leastGap) return undefined
  return gaps.every(gap => gap > median / 2 && gap < median * 1.5) ? median : undefined
}
