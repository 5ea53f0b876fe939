import { BoundedMap } from '../../judges/conduct/bounded-map.ts'
import type { LimitReading, WindowReading } from '../../service/limits/limiter.ts'
import {
  newWindow,
  openWindow,
  rollWindow,
  type Window,
  type WindowName,
  windowEnd,
  windowLengths,
} from '../../service/limits/window.ts'
import { type Quota, shippedPlans } from '../../service/plans/plan.ts'

/** How a key stood after a call, as far as the answers tell. */
export interface KeyStanding {
  /** By the limit that the headers name; undefined where no plan has it. */
  readonly plan: string | undefined
  readonly limit: LimitReading | undefined
  /** Refused calls since the last accepted one. */
  readonly strikes: number
  /** Whether a call before this one was refused for a ban, and none was accepted since. */
  readonly wasBanned: boolean
}

export interface KeyedAnswer {
  readonly key: string
  /** By their names with capitals. */
  readonly headers: Readonly<Record<string, string>>
  readonly at: number
  /** Of the exchange. */
  readonly id: number
  readonly isRefusal: boolean
  readonly isBan: boolean
}

interface Known {
  plan: string | undefined
  strikes: number
  isBanned: boolean
  readonly windows: Record<WindowName, Window>
}

const mostKeys = 1_000

/**
 * Follows keys by the answers that they get. A service tells of one window at a time (A06), so the other one is counted
 * here, from the first call that was seen: what was used before is not known.
 */
export function createKeyHistory(): (answer: KeyedAnswer) => KeyStanding {
  const keys = new BoundedMap<string, Known>(mostKeys)
  return answer => {
    const { key, at, id, isRefusal, isBan } = answer
    const known = keys.get(key) ?? newKey()
    keys.set(key, known)
    const wasBanned = known.isBanned
    known.strikes = isRefusal ? known.strikes + 1 : 0
    known.isBanned = isRefusal && (isBan || wasBanned)
    for (const name of ['minute', 'day'] as const) {
      const window = known.windows[name]
      rollWindow(window, name, at)
      if (isRefusal) continue
      openWindow(window, name, at, 'first-call', id)
      window.used += 1
    }
    const told = toldOf(answer, known)
    if (told !== undefined) {
      known.plan = told.plan
      // The end of a ban is no window's.
      if (!isBan && told.resetsAt > at) adopt(known.windows[told.window], told)
    }
    return {
      plan: known.plan,
      limit: readingOf(known, told?.window ?? 'minute', !isRefusal),
      strikes: known.strikes,
      wasBanned,
    }
  }
}

function newKey(): Known {
  return {
    plan: undefined,
    strikes: 0,
    isBanned: false,
    windows: { minute: newWindow(0), day: newWindow(0) },
  }
}

interface Told {
  readonly plan: string
  readonly window: WindowName
  readonly used: number
  readonly resetsAt: number
}

const plans = Object.entries<Quota>(shippedPlans)

/** The window that the three headers tell of (specification, "Rate limit headers"), found by its limit. */
function toldOf({ headers, at }: KeyedAnswer, known: Known): Told | undefined {
  const [limit, remaining, reset] = ['X-Ratelimit-Limit', 'X-Ratelimit-Remaining', 'X-Ratelimit-Reset'].map(
    name => (/^\d{1,12}$/.test(headers[name] ?? '') ? Number(headers[name]) : undefined),
  )
  if (limit === undefined || remaining === undefined || reset === undefined) return undefined
  const resetsAt = reset * 1_000
  const all = plans.flatMap(([plan, quota]) =>
    (['minute', 'day'] as const).filter(window => quota[window] === limit).map(window => ({ plan, window })),
  )
  // 1,000 is the day of one plan and the minute of another: a key keeps its plan, and a minute is soon over.
  const length: WindowName = resetsAt - at > windowLengths.minute + 1_000 ? 'day' : 'minute'
  const found =
    all.find(({ plan }) => plan === known.plan) ?? all.find(({ window }) => window === length) ?? all[0]
  return found && { ...found, used: Math.max(0, limit - remaining), resetsAt }
}

function adopt(window: Window, { window: name, used, resetsAt }: Told): void {
  window.opensAt = resetsAt - windowLengths[name]
  window.used = used
}

function readingOf({ plan, windows }: Known, told: WindowName, accepted: boolean): LimitReading | undefined {
  const quota = plans.find(([name]) => name === plan)?.[1]
  if (quota === undefined) return undefined
  const read = (name: WindowName): WindowReading => ({
    limit: quota[name],
    used: windows[name].used,
    endsAt: windowEnd(windows[name], name),
    openedBy: windows[name].openedBy,
  })
  return { accepted, minute: read('minute'), day: read('day'), told }
}
