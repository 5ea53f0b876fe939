import { BoundedMap } from './bounded-map.ts'
import { seconds } from './checks.ts'
import type { Judge, Note } from './observed-call.ts'

const mostWatched = 500

/** So many calls in a row at one pace are polling, and not chance. */
const callsJudged = 11

/** Who repeats a call faster does not poll, it loops: milliseconds of the client's time. */
const leastGap = 500

const minute = 60_000
const day = 86_400_000

/**
 * The same GET again and again at one pace of the client's time, at which the plan would not last for a minute or for a
 * day.
 */
export function judgePolling(note: Note): Judge {
  const instants = new BoundedMap<string, number[]>(mostWatched)
  return ({ exchange, fingerprint }) => {
    const { call, trace } = exchange
    if (call.method !== 'GET' || trace.limit?.accepted !== true || trace.synthetic) return
    const last = [...(instants.get(fingerprint) ?? []), call.receivedAt].slice(-callsJudged)
    instants.set(fingerprint, last)
    const pace = paceOf(last)
    if (pace === undefined) return
    const { minute: ofMinute, day: ofDay } = trace.limit
    const perMinute = Math.floor(minute / pace)
    const perDay = Math.floor(day / pace)
    if (perMinute <= ofMinute.limit && perDay <= ofDay.limit) return
    const told =
      perMinute > ofMinute.limit
        ? `${perMinute} calls a minute, and the plan ${trace.plan} has ${ofMinute.limit}`
        : `${perDay} calls a day, and the plan ${trace.plan} has ${ofDay.limit}`
    const detail = () => `about every ${seconds(pace)}: ${told}`
    note({ id: 'polling-too-fast', exchange, group: fingerprint, detail })
  }
}

/** Milliseconds between calls that come at one pace: no gap is half as long again as the median, or half of it. */
function paceOf(instants: readonly number[]): number | undefined {
  if (instants.length < callsJudged) return undefined
  const gaps = instants.slice(1).map((at, index) => at - (instants[index] ?? at))
  const median = gaps.toSorted((one, other) => one - other)[Math.floor(gaps.length / 2)] ?? 0
  if (median < leastGap) return undefined
  return gaps.every(gap => gap > median / 2 && gap < median * 1.5) ? median : undefined
}
