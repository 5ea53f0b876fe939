import { isRefused } from '../../emulator/journal/exchange.ts'
import { windowLengths, windowNames } from '../../service/limits/limiter.ts'
import type { Quota } from '../../service/plans/plan.ts'
import type { ObservedCall, Portion } from './observed-call.ts'

/** What a key used, and what it would have used without refusals. */
export type Usage = ReturnType<typeof newUsage>

const mostRefused = 5_000

export function newUsage() {
  const none = { used: 0, limit: 0, start: 0 }
  /** The client's peak of each window, with its limit, and what the window had before the client's first call. */
  const peak = { minute: { ...none }, day: { ...none } }
  /** The most calls of one window, with refused calls but without their repetitions. */
  const wanted = { minute: 0, day: 0 }
  return { calls: 0, refused: 0, plan: undefined as string | undefined, peak, wanted }
}

/** `portion`: of the refused calls to remember. */
export function createUsageLog(portion: Portion) {
  const usage = newUsage()
  const before = { end: Number.NEGATIVE_INFINITY, wanted: 0, start: 0 }
  const windows = { minute: { ...before }, day: { ...before } }
  /** The calls refused since the last accepted one. */
  const refused = new Set<number>()

  const isWanted = ({ exchange, fingerprint, standing }: ObservedCall): boolean => {
    if (!isRefused(exchange)) {
      refused.clear()
      return true
    }
    // The same call of another caller is no repetition.
    if (refused.has(fingerprint)) return standing === 'excused' || standing === 'crossed'
    if (refused.size < mostRefused * portion()) refused.add(fingerprint)
    return true
  }

  return {
    usage,
    add: (call: ObservedCall) => {
      const { exchange } = call
      const { at, trace } = exchange
      const { limit } = trace
      usage.calls += 1
      usage.plan = trace.plan ?? usage.plan
      if (isRefused(exchange)) usage.refused += 1
      const counts = isWanted(call)
      if (limit === undefined) return
      for (const name of windowNames) {
        const reading = limit[name]
        const window = windows[name]
        const end = reading.endsAt ?? (at < window.end ? window.end : at + windowLengths[name])
        if (end !== window.end) {
          window.end = end
          window.wanted = 0
          // Calls that the scenario says were made before.
          window.start = limit.accepted ? reading.used - 1 : reading.used
        }
        if (counts) window.wanted += 1
        usage.wanted[name] = Math.max(usage.wanted[name], window.wanted)
        const used = reading.used - window.start
        if (used >= usage.peak[name].used)
          usage.peak[name] = { used, limit: reading.limit, start: window.start }
      }
    },
  }
}

/** Keeps the greater peak, because each sandbox has its own windows. */
export function mergeUsage(into: Usage, other: Usage): Usage {
  into.calls += other.calls
  into.refused += other.refused
  into.plan = other.plan ?? into.plan
  for (const name of windowNames) {
    if (other.peak[name].used >= into.peak[name].used) into.peak[name] = { ...other.peak[name] }
    into.wanted[name] = Math.max(into.wanted[name], other.wanted[name])
  }
  return into
}

/** The smallest plan that would have served every call; undefined: none is large enough. */
export function smallestPlan(
  { wanted }: Usage,
  plans: readonly (readonly [string, Quota])[],
): string | undefined {
  const fitting = plans.filter(([, { minute, day }]) => minute >= wanted.minute && day >= wanted.day)
  return fitting.toSorted(([, one], [, other]) => one.minute - other.minute || one.day - other.day)[0]?.[0]
}
