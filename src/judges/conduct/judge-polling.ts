import { BoundedMap } from '../../base/bounded-map.ts'
import { hashOf } from '../../base/hash.ts'
import { windowLengths } from '../../service/limits/limiter.ts'
import { seconds } from './checks.ts'
import type { Judge, Note, Portion } from './observed-call.ts'

/** The last calls of one sequence, and how long their replies took: milliseconds of the client's time. */
interface Poll {
  readonly calls: { readonly at: number; readonly tookMs: number }[]
  /** The hops of its sequence at the first of them. */
  hops: number
}

const mostWatched = 500

/** This many calls in a row at one pace are polling. */
const callsJudged = 11

/** Calls of short processes in turn are polling only if there are more: each may be another test. */
const callsOfProcesses = 25

/** A loop pauses for less between a reply and its next call: milliseconds. */
const leastPause = 150

/** A faster pace is kept more evenly, or it is a loop over some work: milliseconds. */
const slowPace = 500

/** Finds a GET that is repeated at a steady pace for which the plan is too small. */
export function judgePolling(note: Note, portion: Portion): Judge {
  const polls = new BoundedMap<number, Poll>(mostWatched, { portion })
  return ({ exchange, fingerprint, link: { sequence }, delivery }) => {
    const { call, trace } = exchange
    const { limit, plan } = trace
    if (call.method !== 'GET' || limit?.accepted !== true || trace.synthetic) return
    const name = hashOf(`${sequence.id} ${fingerprint}`)
    const poll = polls.get(name) ?? { calls: [], hops: sequence.hops }
    polls.set(name, poll)
    if (poll.calls.length === 0) poll.hops = sequence.hops
    const tookMs = Number.isFinite(delivery.at) ? delivery.at - call.receivedAt : 0
    if (poll.calls.push({ at: call.receivedAt, tookMs }) > callsOfProcesses) poll.calls.shift()
    const enough = sequence.hops > poll.hops + 2 ? callsOfProcesses : callsJudged
    const pace = paceOf(poll, enough)
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

/** The median gap in milliseconds, if every gap is about as long. */
function paceOf({ calls }: Poll, enough: number): number | undefined {
  if (calls.length < enough) return undefined
  const last = calls.slice(-enough)
  const gaps = last.slice(1).map(({ at }, index) => at - (last[index]?.at ?? at))
  const median = gaps.toSorted((one, other) => one - other)[Math.floor(gaps.length / 2)] ?? 0
  const delay = Math.max(...last.map(({ tookMs }) => tookMs))
  if (median - delay < leastPause) return undefined
  const spread = median < slowPace ? 0.25 : 0.5
  return gaps.every(gap => gap > median * (1 - spread) && gap < median * (1 + spread)) ? median : undefined
}
