import { type Exchange, isRefused } from '../../emulator/journal/exchange.ts'
import { type WindowName, windowLengths, windowNames } from '../../service/limits/window.ts'
import type { Quota } from '../../service/plans/plan.ts'

/** What a key used, and what it would have used had nothing been refused. */
export interface Usage {
  calls: number
  refused: number
  plan: string | undefined
  /** The most that was used of each window, of how many. */
  readonly peak: Record<WindowName, { used: number; limit: number }>
  /** The most calls that one window would have had to take: refused ones are in it, their repetitions are not. */
  readonly wanted: Record<WindowName, number>
}

export interface UsageLog {
  readonly usage: Usage
  readonly add: (exchange: Exchange, fingerprint: string) => void
}

const mostRefused = 5_000

export function newUsage(): Usage {
  const peak = () => ({ used: 0, limit: 0 })
  return {
    calls: 0,
    refused: 0,
    plan: undefined,
    peak: { minute: peak(), day: peak() },
    wanted: { minute: 0, day: 0 },
  }
}

export function createUsageLog(): UsageLog {
  const usage = newUsage()
  const windows = {
    minute: { end: Number.NEGATIVE_INFINITY, wanted: 0 },
    day: { end: Number.NEGATIVE_INFINITY, wanted: 0 },
  }
  /** What was refused since the last accepted call. */
  const refused = new Set<string>()

  const isWanted = (exchange: Exchange, fingerprint: string): boolean => {
    if (!isRefused(exchange)) {
      refused.clear()
      return true
    }
    // The same on another connection is another call, which ran in parallel.
    const call = `${fingerprint} ${exchange.call.connection ?? ''}`
    if (refused.has(call)) return false
    if (refused.size < mostRefused) refused.add(call)
    return true
  }

  return {
    usage,
    add: (exchange, fingerprint) => {
      const { at, trace } = exchange
      const { limit } = trace
      usage.calls += 1
      usage.plan = trace.plan ?? usage.plan
      if (isRefused(exchange)) usage.refused += 1
      const counts = isWanted(exchange, fingerprint)
      if (limit === undefined) return
      for (const name of windowNames) {
        const reading = limit[name]
        const window = windows[name]
        const end = reading.endsAt ?? (at < window.end ? window.end : at + windowLengths[name])
        if (end !== window.end) {
          window.end = end
          // What a scenario says was used before this client came.
          window.wanted = limit.accepted ? reading.used - 1 : reading.used
        }
        if (counts) window.wanted += 1
        usage.wanted[name] = Math.max(usage.wanted[name], window.wanted)
        if (reading.used >= usage.peak[name].used)
          usage.peak[name] = { used: reading.used, limit: reading.limit }
      }
    },
  }
}

/** Takes the greater of both: sandboxes are worlds of their own, and so are the windows of a key in them. */
export function mergeUsage(into: Usage, other: Usage): void {
  into.calls += other.calls
  into.refused += other.refused
  into.plan = other.plan ?? into.plan
  for (const name of windowNames) {
    if (other.peak[name].used >= into.peak[name].used) into.peak[name] = { ...other.peak[name] }
    into.wanted[name] = Math.max(into.wanted[name], other.wanted[name])
  }
}

/** The plan with the fewest calls that would have served all of them; undefined: none is large enough. */
export function smallestPlan(
  { wanted }: Pick<Usage, 'wanted'>,
  plans: Iterable<readonly [string, Quota]>,
): string | undefined {
  const fitting = [...plans].filter(([, { minute, day }]) => minute >= wanted.minute && day >= wanted.day)
  return fitting.toSorted(([, one], [, other]) => one.minute - other.minute || one.day - other.day)[0]?.[0]
}
