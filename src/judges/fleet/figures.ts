import type { CallContext } from '../../emulator/gates/call-context.ts'
import type { Decision } from '../../emulator/journal/exchange.ts'
import type { Quota } from '../../service/plans/plan.ts'
import { addSpan, answerKind, answerKinds, type Flight, type FlightSpan } from '../report/flight.ts'

/** What became of the jobs of a fleet. Times are milliseconds. */
export type Figures = Readonly<ReturnType<ReturnType<typeof createFigures>['end']>>

/** Bars of a picture. */
const bins = 240
/** One for each kind of answer, in their order. */
const statuses = [200, 429, 400, 500]

/** What a run knows of a key. `opensAt`, `crowd`: the last reset, and the calls in the second after it. */
function newKey(quota: Quota) {
  const never = Number.NEGATIVE_INFINITY
  const bans = { bans: 0, bannedMs: 0, bannedUntil: never }
  return { quota: { ...quota }, ...bans, opensAt: never, crowd: 0, minuteEnd: never, accepted: 0 }
}

/** Collects the figures of one run, in memory that does not grow with its length. */
export function createFigures(instances: number, startedAt: number, length: number, isCalendar: boolean) {
  const done = new Float64Array(instances)
  const wantedOf = new Float64Array(instances)
  const ages = new Map<number, number>()
  const keys = new Map<string, ReturnType<typeof newKey>>()
  const bars = new Uint32Array(bins * answerKinds.length)
  const spans: FlightSpan[] = []
  let [calls, refused, herd] = [0, 0, 0]

  const stateOf = ({ key }: CallContext) => {
    if (key !== undefined && !keys.has(key.text)) keys.set(key.text, newKey(key.quota))
    return key && keys.get(key.text)
  }
  const addBar = (at: number, status: number) => {
    const bin = Math.min(bins - 1, Math.floor(((at - startedAt) / length) * bins))
    const place = bin * answerKinds.length + answerKinds.indexOf(answerKind(status))
    bars[place] = (bars[place] ?? 0) + 1
  }

  return {
    calls: () => calls,
    isBanned: () => spans.length > 0,
    wanted: (instance: number, count = 1) => {
      wantedOf[instance] = (wantedOf[instance] ?? 0) + count
    },
    done: (instance: number, age: number) => {
      done[instance] = (done[instance] ?? 0) + 1
      // One bucket for each percent.
      const bucket = Math.round(Math.log1p(age) * 100)
      ages.set(bucket, (ages.get(bucket) ?? 0) + 1)
    },
    sent: (context: CallContext, { gate, limit, answer }: Decision, at: number) => {
      calls += 1
      addBar(at, answer.status)
      const state = stateOf(context)
      if (state === undefined) return
      const minuteEnd = limit?.minute.endsAt
      if (minuteEnd !== undefined && minuteEnd !== state.minuteEnd) {
        if (state.minuteEnd > state.opensAt && at >= state.minuteEnd)
          [state.opensAt, state.crowd] = [state.minuteEnd, 0]
        state.minuteEnd = minuteEnd
      }
      const { bannedUntil } = state
      if (bannedUntil > state.opensAt && at >= bannedUntil) [state.opensAt, state.crowd] = [bannedUntil, 0]
      if (at < state.opensAt + 1_000) state.crowd += 1
      if (state.crowd > herd) herd = state.crowd
      const isRefused = gate === 'limit' || gate === 'ban'
      if (!isRefused) {
        if (limit !== undefined) state.accepted += 1
        return
      }
      refused += 1
      const until = context.key?.strikes.bannedUntil
      if (until === undefined || until <= bannedUntil) return
      if (at >= bannedUntil) state.bans += 1
      state.bannedMs += Math.min(until, startedAt + length) - Math.max(at, bannedUntil)
      state.bannedUntil = until
      addSpan(spans, { kind: 'ban', from: Math.max(at, bannedUntil), to: until })
    },
    end: (at: number, isCut: boolean) => {
      const time = at - startedAt
      const windows = (ms: number) =>
        isCalendar ? Math.floor((at - 1) / ms) - Math.floor(startedAt / ms) + 1 : Math.ceil(time / ms)
      const all = [...keys.values()]
      const room = all.map(({ quota: { minute, day } }) =>
        Math.min(minute * windows(60_000), day * windows(86_400_000)),
      )
      const most = sum(room)
      const shares = [...done].map((count, instance) => count / (wantedOf[instance] || 1))
      const squares = sum(shares.map(share => share * share))
      const wanted = sum([...wantedOf])
      const served = sum([...done])
      return {
        /** Calls that the windows of the run have room for. */
        quota: most,
        /** Jobs. */
        wanted,
        /** The share of the jobs that are done, from 0 to 1. */
        served: wanted === 0 ? 1 : served / wanted,
        calls,
        /** Calls that the limit or a ban refused. */
        refused,
        banned: {
          count: sum(all.map(({ bans }) => bans)),
          ms: Math.round(sum(all.map(({ bannedMs }) => bannedMs))),
        },
        /** From the arrival of a job to its response, of the jobs that are done. */
        age: { p50: percentile(0.5, served), p95: percentile(0.95, served), p99: percentile(0.99, served) },
        /** The most calls in the first second after a window or a ban ended. */
        herd,
        /** Jain's index of the shares that instances got done: 1 if all are equal ("A Quantitative Measure of Fairness", DEC-TR-301). */
        fairness: squares === 0 ? 1 : sum(shares) ** 2 / (instances * squares),
        /** The share of the quota that no call used, from 0 to 1. */
        unused: most === 0 ? 0 : Math.max(0, 1 - sum(all.map(({ accepted }) => accepted)) / most),
        /** When the run was cut, since it made too many calls. The figures are those until then. */
        ...(isCut && { cut: Math.round(time) }),
      }
    },
    picture: (title: string): Flight => {
      const calls = [...bars].map((count, place) => {
        const at = startedAt + ((Math.floor(place / answerKinds.length) + 0.5) * length) / bins
        return { at, count, status: statuses[place % answerKinds.length] ?? 0, left: null }
      })
      return { title, calls: calls.filter(({ count }) => count > 0), spans, omitted: 0 }
    },
  }

  function percentile(share: number, served: number): number {
    let left = Math.ceil(served * share)
    for (const [bucket, count] of [...ages].sort(([one], [other]) => one - other)) {
      left -= count
      if (left <= 0) return Math.round(Math.expm1(bucket / 100))
    }
    return 0
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0)
}
