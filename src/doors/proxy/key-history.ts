import { BoundedMap } from '../../base/bounded-map.ts'
import * as limiter from '../../service/limits/limiter.ts'
import { type Quota, shippedPlans } from '../../service/plans/plan.ts'

interface KeyedAnswer {
  readonly key: string
  /** By capitalised name. */
  readonly headers: Readonly<Record<string, string>>
  readonly at: number
  readonly id: number
  readonly isRefusal: boolean
  readonly isBan: boolean
}

interface KeyRecord {
  plan: string | undefined
  strikes: number
  isBanned: boolean
  readonly windows: Record<limiter.WindowName, limiter.Window>
}

const mostKeys = 1_000
/** Two clocks differ. In milliseconds. */
const mostAhead = 5_000

/**
 * Follows keys by their answers. A service's headers describe one window at a time (A06), so this counts the other one
 * itself, from the first call that it sees: earlier use is unknown.
 */
export function createKeyHistory() {
  const records = new BoundedMap<string, KeyRecord>(mostKeys)
  return (answer: KeyedAnswer) => {
    const { key, at, isRefusal, isBan } = answer
    const record: KeyRecord = records.get(key) ?? {
      plan: undefined,
      strikes: 0,
      isBanned: false,
      windows: { minute: limiter.newWindow(0), day: limiter.newWindow(0) },
    }
    records.set(key, record)
    const wasBanned = record.isBanned
    record.strikes = isRefusal ? record.strikes + 1 : 0
    record.isBanned = isRefusal && (isBan || wasBanned)
    for (const name of limiter.windowNames) {
      const window = record.windows[name]
      limiter.rollWindow(window, name, at)
      if (isRefusal) continue
      limiter.openWindow(window, name, at, 'first-call', answer.id)
      window.used += 1
    }
    const reported = readLimitHeaders(answer, record.plan)
    if (reported !== undefined) {
      const { plan, window, used, resetsAt } = reported
      record.plan = plan
      // A Reset in the past, or beyond the window, is wrong, but Remaining may be right.
      const opensAt = resetsAt - limiter.windowLengths[window]
      const isOpen = resetsAt > at && opensAt <= at + mostAhead
      // For a ban, the reset is the ban's end, not the window's.
      if (!isBan) Object.assign(record.windows[window], { used, ...(isOpen && { opensAt }) })
    }
    const quota = plans.find(([name]) => name === record.plan)?.[1]
    const limit: limiter.LimitReading | undefined = quota && {
      accepted: !isRefusal,
      ...limiter.readWindows(record.windows, quota, at),
      reported: reported?.window ?? 'minute',
    }
    return {
      /** Found by the limit in the headers; undefined if no plan has that limit. */
      plan: record.plan,
      limit,
      strikes: record.strikes,
      /** Whether an earlier call was refused for a ban, and none was accepted since. */
      wasBanned,
    }
  }
}

const plans = Object.entries<Quota>(shippedPlans)

/** The window that the three headers describe (specification, "Rate limit headers"), found by its limit. */
function readLimitHeaders({ headers, at }: KeyedAnswer, knownPlan: string | undefined) {
  const [limit, remaining, reset] = ['X-Ratelimit-Limit', 'X-Ratelimit-Remaining', 'X-Ratelimit-Reset'].map(
    name => (/^\d{1,12}$/.test(headers[name] ?? '') ? Number(headers[name]) : undefined),
  )
  if (limit === undefined || remaining === undefined || reset === undefined) return undefined
  const resetsAt = reset * 1_000
  const candidates = plans.flatMap(([plan, quota]) =>
    limiter.windowNames.filter(window => quota[window] === limit).map(window => ({ plan, window })),
  )
  // 1,000 is the day quota of one plan and the minute quota of another. The key's plan decides, then the time to the reset.
  const length: limiter.WindowName = resetsAt - at > limiter.windowLengths.minute + 1_000 ? 'day' : 'minute'
  const found =
    candidates.find(({ plan }) => plan === knownPlan) ??
    candidates.find(({ window }) => window === length) ??
    candidates[0]
  return found && { ...found, used: Math.max(0, limit - remaining), resetsAt }
}
