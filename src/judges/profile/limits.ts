import { parseRetryAfter } from '../../base/time/retry-after.ts'
import type { Line } from '../../control/profile/profile.ts'
import { type WindowName, windowLengths } from '../../service/limits/limiter.ts'
import { isAccepted, type Pair, pairsOf } from './rates.ts'
import { endOf, type RateOf, type Run } from './refusals.ts'
import { callsByKey, type SeenCall } from './seen-call.ts'
import { type Lines, lineOf, type Sighting } from './sightings.ts'

/** A call with what its headers say of one window. */
interface Count {
  readonly call: SeenCall
  readonly limit: number
  readonly remaining: number
  readonly window: WindowName
  readonly endsAt: number
}

/** Keys that nobody else used, as far as their counts show, and whose windows do not slide. */
export interface KeyCounts {
  readonly calls: readonly SeenCall[]
  readonly pairs: readonly Pair[]
  readonly isSteady: boolean
  readonly isAlone: boolean
  readonly countOf: (call: SeenCall) => Count | undefined
}

export function countsByKey(calls: readonly SeenCall[], rateOf: RateOf): readonly KeyCounts[] {
  return callsByKey(calls).map(own => countsOf(own, rateOf))
}

function countsOf(calls: readonly SeenCall[], rateOf: RateOf): KeyCounts {
  const dayLimits = new Set(
    calls.filter(call => isFar(rateOf(call).resetsAt, call)).map(call => rateOf(call).limit),
  )
  const countOf = (call: SeenCall): Count | undefined => {
    const { limit, remaining, resetsAt } = rateOf(call)
    if (limit === undefined || remaining === undefined || resetsAt === undefined || call.date === undefined)
      return undefined
    if (resetsAt <= call.date) return undefined
    const window = dayLimits.has(limit) ? 'day' : 'minute'
    return { call, limit, remaining, window, endsAt: resetsAt }
  }
  const pairs = pairsOf(calls)
  const together = pairs.filter(({ one, next }) => {
    const [before, after] = [countOf(one), countOf(next)]
    return before?.limit === after?.limit && before?.endsAt === after?.endsAt && before !== undefined
  })
  const dropOf = ({ one, next }: Pair) => (countOf(one)?.remaining ?? 0) - (countOf(next)?.remaining ?? 0)
  const counted = together.filter(({ one, next }) => isAccepted(one) && isAccepted(next))
  const slides = pairs.some(({ one, next }) => {
    const [before, after] = [countOf(one), countOf(next)]
    if (before === undefined || after === undefined || !isAccepted(one) || !isAccepted(next)) return false
    const isOpen = next.date !== undefined && next.date < before.endsAt
    return isOpen && before.limit === after.limit && before.endsAt !== after.endsAt
  })
  return {
    calls,
    pairs,
    countOf,
    isSteady: !slides && together.some(({ one, next }) => one.date !== next.date),
    isAlone:
      !slides &&
      counted.length > 1 &&
      counted.every(pair => dropOf(pair) === 1) &&
      together.every(pair => dropOf(pair) === 0 || dropOf(pair) === 1),
  }
}

const minute = windowLengths.minute

/** More than a minute away. */
function isFar(instant: number | undefined, { date }: SeenCall): boolean {
  return instant !== undefined && date !== undefined && instant - date > minute + 1_000
}

/** What the limit headers show about windows and counts (A03 to A08). */
export function learnLimits(
  calls: readonly SeenCall[],
  keys: readonly KeyCounts[],
  runs: readonly Run[],
  rateOf: RateOf,
): Lines {
  const steady = keys.filter(({ isSteady }) => isSteady)
  const alone = keys.filter(({ isAlone }) => isAlone)
  const refused = runs.flatMap(({ limited, banned }) => [...limited, ...banned])
  const counts = invalidCounts(alone)
  return {
    'limits.window': windowLine(steady),
    'limits.headers': lineOf(steady.flatMap(reportedWindows)),
    'limits.countRefused': refusedLine(alone, runs),
    'limits.countInvalid': counts,
    'limits.anonymous': lineOf(anonymousSightings(calls, rateOf)),
    'limits.retryAfter': lineOf(refused.flatMap(retryAfterForm)),
    'order.validation': lineOf([...validationByCount(alone, counts), ...validationByRefusal(keys, rateOf)]),
  }
}

/** A window that began at a call's own second, or with a minute before the call. */
function windowLine(keys: readonly KeyCounts[]): Line | undefined {
  const sightings = keys.flatMap(({ calls, countOf }) => {
    const known = new Set<string>()
    return calls.flatMap((call): Sighting[] => {
      const count = countOf(call)
      if (count === undefined || call.date === undefined) return []
      const { limit, remaining, window, endsAt } = count
      const startsAt = endsAt - windowLengths[window]
      const isRefusal = call.status === 429 && remaining === 0
      const isNew = !known.has(`${limit} ${endsAt}`)
      if (!isNew || !(isAccepted(call) || isRefusal)) return []
      known.add(`${limit} ${endsAt}`)
      if (startsAt % minute !== 0) {
        const opens = isRefusal
          ? calls.some(other => isAccepted(other) && other.date === startsAt)
          : startsAt === call.date && remaining === limit - 1
        return opens ? [{ call, value: 'first-call' }] : []
      }
      const isOff = call.date % minute !== 0 && call.date > startsAt && remaining === limit - 1
      return isOff && endsAt % windowLengths[window] === 0 ? [{ call, value: 'calendar' }] : []
    })
  })
  const isOnce = sightings.filter(({ value }) => value === 'calendar').length < 2
  return lineOf(sightings.filter(({ value }) => value !== 'calendar' || !isOnce))
}

/** Only where the other choices would have shown another window (A06). */
function reportedWindows({ calls, pairs, countOf, isAlone }: KeyCounts): readonly Sighting[] {
  const counts = calls.filter(isAccepted).flatMap(call => countOf(call) ?? [])
  const ofWindow = (name: WindowName) => counts.find(({ window }) => window === name)
  const [inMinute, inDay] = [ofWindow('minute'), ofWindow('day')]
  if (inMinute !== undefined && inDay !== undefined && inMinute.limit !== inDay.limit)
    return [inMinute, inDay].map(({ call }) => ({ call, value: 'tightest' }))
  if (inDay !== undefined) {
    const minuteLimits = calls
      .filter(({ status }) => status === 429)
      .flatMap(call => countOf(call) ?? [])
      .flatMap(({ limit }) => (limit === inDay.limit ? [] : [limit]))
    const most = Math.max(...minuteLimits)
    return counts.flatMap(({ call, remaining }) =>
      minuteLimits.length > 0 && remaining > most ? [{ call, value: 'day' }] : [],
    )
  }
  return pairs.flatMap(({ one, next }): Sighting[] => {
    const [before, after] = [countOf(one), countOf(next)]
    const isRefusedByDay = next.status === 429 && after?.window === 'day' && after.limit !== before?.limit
    return isAlone && isAccepted(one) && isRefusedByDay && (before?.remaining ?? 0) > 0
      ? [{ call: one, value: 'minute' }]
      : []
  })
}

/** How much a call took from the quota: the difference to the call before, in the same window. */
function dropOf({ one, next }: Pair, countOf: KeyCounts['countOf']): number | undefined {
  const [before, after] = [countOf(one), countOf(next)]
  if (before === undefined || after === undefined || before.limit !== after.limit) return undefined
  return before.endsAt === after.endsAt ? before.remaining - after.remaining : undefined
}

function dropsOf(keys: readonly KeyCounts[], isAsked: (call: SeenCall) => boolean) {
  return keys.flatMap(({ pairs, countOf }) =>
    pairs.flatMap(pair => {
      const drop = isAsked(pair.next) && isAccepted(pair.one) ? dropOf(pair, countOf) : undefined
      return drop === undefined ? [] : [{ call: pair.next, drop }]
    }),
  )
}

const isWrong = ({ status, wrong }: SeenCall) => status === 400 && wrong !== undefined

/** Which calls use no quota: of a 400, the order of the checks may be the reason. */
function invalidCounts(keys: readonly KeyCounts[]): Line | undefined {
  const missing = dropsOf(keys, ({ status, operation }) => status === 404 && operation === 'getPet')
  const wrong = dropsOf(keys, isWrong).filter(({ drop }) => drop === 1)
  const sightings = [...missing, ...wrong].map(({ call, drop }) => ({ call, value: drop === 1 }))
  return sightings.length < 2 ? undefined : lineOf(sightings)
}

function validationByCount(keys: readonly KeyCounts[], counts: Line | undefined): readonly Sighting[] {
  const drops = dropsOf(keys, isWrong)
  if (drops.length < 2) return []
  return drops.flatMap(({ call, drop }): Sighting[] => {
    if (drop === 1) return [{ call, value: 'after-limit' }]
    return counts?.value === true ? [{ call, value: 'before-limit' }] : []
  })
}

/** A wrong call of a key that is refused. It must be wrong for this service, too. */
function validationByRefusal(keys: readonly KeyCounts[], rateOf: RateOf): readonly Sighting[] {
  const nameOf = ({ operation, wrong }: SeenCall) => `${operation} ${wrong?.what}`
  const known = new Set(keys.flatMap(({ calls }) => calls.filter(isWrong).map(nameOf)))
  return keys.flatMap(({ calls }) => {
    let end = 0
    return calls.flatMap((call, at): Sighting[] => {
      const isOpen = (calls[at - 1]?.answeredAt ?? 0) <= call.sentAt && call.date !== undefined
      const wasRefused = isOpen && (call.date ?? 0) < end
      if (isAccepted(call)) end = 0
      if (call.status === 429) end = endOf(call, rateOf) ?? 0
      if (isWrong(call) && wasRefused) return [{ call, value: 'before-limit' }]
      const isRefused = call.status === 429 && call.wrong !== undefined && known.has(nameOf(call))
      return isRefused ? [{ call, value: 'after-limit' }] : []
    })
  })
}

/** Only where the counts of the day are seen before and after refusals by the minute. */
function refusedLine(keys: readonly KeyCounts[], runs: readonly Run[]): Line | undefined {
  const byKey = new Map(keys.map(key => [key.calls[0]?.key, key]))
  const sightings = runs.flatMap(({ limited, banned, before, after, isSequential }): Sighting[] => {
    const key = byKey.get(before?.key)
    if (!key || !before || !after || banned.length > 0 || !isSequential) return []
    const drop = dropOf({ one: before, next: after }, key.countOf)
    if (drop !== 1 && drop !== 1 + limited.length) return []
    return [{ call: after, value: drop !== 1 }]
  })
  return lineOf(sightings, sightings.length > 1 ? 'observed' : 'inferred')
}

function anonymousSightings(calls: readonly SeenCall[], rateOf: RateOf): readonly Sighting[] {
  const own = calls.filter(({ key, status }) => key === null && (status === 401 || status === 429))
  return own.flatMap((call, at): Sighting[] => {
    if (call.status === 429) return [{ call, value: 'enforce' }]
    const before = own.slice(0, at).findLast(({ client }) => client === call.client)
    const [last, now] = [before && rateOf(before), rateOf(call)]
    const isOver = last?.remaining === 0 && now.remaining === 0 && last.limit === now.limit
    return isOver && now.resetsAt !== undefined && last.resetsAt === now.resetsAt
      ? [{ call, value: 'report' }]
      : []
  })
}

const forms = {
  seconds: 'seconds',
  'imf-fixdate': 'http-date',
  'rfc850-date': 'rfc850-date',
  'asctime-date': 'asctime-date',
} as const

function retryAfterForm(call: SeenCall): readonly Sighting[] {
  const { form, ms } = parseRetryAfter(call.headers['retry-after'] ?? '', call.headers.date)
  return form === 'other' || ms === undefined || ms === 0 ? [] : [{ call, value: forms[form] }]
}
