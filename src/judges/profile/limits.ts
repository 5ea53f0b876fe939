import { parseRetryAfter } from '../../base/time/retry-after.ts'
import type { Line } from '../../emulator/worlds/scenario.ts'
import { windowLengths } from '../../service/limits/limiter.ts'
import { endOf, type Run } from './bans.ts'
import { isAccepted, type Pair, pairsOf, type RateOf } from './rates.ts'
import type { SeenCall } from './seen-call.ts'
import { type Lines, lineOf, type Sighting, see } from './sightings.ts'

type KeyCounts = ReturnType<typeof countsOf>

const minute = windowLengths.minute

/** What the headers of a key's calls say about its windows. */
export function countsOf(calls: readonly SeenCall[], rateOf: RateOf) {
  const isFar = (call: SeenCall) => (rateOf(call).resetsAt ?? 0) - (call.date ?? Number.NaN) > minute + 1_000
  const isOfMinute = (call: SeenCall) => isAccepted(call) && !isFar(call)
  const dayLimits = new Set(calls.filter(isFar).map(call => rateOf(call).limit))
  // The end of a ban is far, too. A day is near its end only after it was far from it.
  const minuteLimits = calls.filter(isOfMinute).map(call => rateOf(call).limit)
  if (!calls.some(call => isAccepted(call) && isFar(call)))
    for (const limit of minuteLimits) dayLimits.delete(limit)
  const countOf = (call: SeenCall) => {
    const { limit, remaining, resetsAt = Number.NEGATIVE_INFINITY } = rateOf(call)
    const { date = Number.POSITIVE_INFINITY } = call
    // An unknown path may count for the address.
    if (!call.isRouted || limit === undefined || remaining === undefined || resetsAt <= date) return undefined
    const window = dayLimits.has(limit) ? ('day' as const) : ('minute' as const)
    return { call, date, limit, remaining, window, resetsAt }
  }
  /** How much the second call took from the quota; undefined: its headers are about another window. */
  const dropOf = ({ one, next }: Pair) => {
    const [before, after] = [countOf(one), countOf(next)]
    const isSame = before && before.limit === after?.limit && before.resetsAt === after.resetsAt
    return isSame ? before.remaining - after.remaining : undefined
  }
  const pairs = pairsOf(calls)
  const accepted = pairs.filter(({ one, next }) => isAccepted(one) && isAccepted(next))
  const drops = pairs.map(dropOf).filter(drop => drop !== undefined)
  const own = accepted.map(dropOf).filter(drop => drop !== undefined)
  const slides = accepted.some(({ one, next }) => {
    const [before, after] = [countOf(one), countOf(next)]
    const isOpen = before && after && after.date < before.resetsAt && before.limit === after.limit
    return isOpen && before.resetsAt !== after.resetsAt
  })
  return {
    calls,
    pairs,
    countOf,
    dropOf,
    /** Whether windows have an end that does not move. */
    isSteady: !slides && pairs.some(pair => pair.one.date !== pair.next.date && dropOf(pair) !== undefined),
    /** Whether nobody else uses the key, as far as its counts show. */
    isAlone:
      !slides &&
      own.length > 1 &&
      own.every(drop => drop === 1) &&
      drops.every(drop => drop === 0 || drop === 1),
  }
}

/** What the limit headers show about windows and counts (A01, A03 to A08). */
export function learnLimits(
  calls: readonly SeenCall[],
  keys: readonly KeyCounts[],
  runs: readonly Run[],
  rateOf: RateOf,
): Lines {
  const alone = keys.filter(({ isAlone }) => isAlone)
  const takenBy = (isAsked: (call: SeenCall) => boolean) =>
    alone.flatMap(({ pairs, dropOf }) =>
      pairs
        .filter(({ next }) => isAsked(next))
        .flatMap(pair => ({ call: pair.next, taken: dropOf(pair) }))
        .filter(({ taken }) => taken !== undefined),
    )
  // Of a 400 that uses no quota, the order of the checks may be the reason.
  const wrong = takenBy(isWrong)
  const unknown = takenBy(({ status, operation }) => status === 404 && operation === 'getPet')
  const invalid = [...unknown, ...wrong.filter(({ taken }) => taken === 1)]
  const counted = invalid.map(({ call, taken }) => ({ call, value: taken === 1 }))
  const countInvalid = lineOf(counted, 2)
  const refused = runs.flatMap(({ limited, banned }) => [...limited, ...banned])
  const steady = keys.filter(({ isSteady }) => isSteady)
  const byCount = wrong.flatMap(({ call, taken }): Sighting[] => {
    const value = taken === 1 ? 'after-limit' : countInvalid?.value === true ? 'before-limit' : undefined
    return value === undefined || wrong.length < 2 ? [] : [{ call, value }]
  })
  return {
    'limits.window': windowLine(steady),
    'limits.headers': lineOf(steady.flatMap(reportedWindows)),
    'limits.countRefused': refusedLine(alone, runs),
    'limits.countInvalid': countInvalid,
    'limits.anonymous': lineOf(anonymousQuotas(calls, rateOf)),
    'limits.retryAfter': lineOf(see(refused, retryAfterForm)),
    'order.validation': lineOf([...byCount, ...whileRefused(keys, rateOf)]),
  }
}

const isWrong = ({ status, wrong }: SeenCall) => status === 400 && wrong !== undefined

/** A window began at its first call's own second, or with a minute before that call. */
function windowLine(keys: readonly KeyCounts[]): Line | undefined {
  const sightings = keys.flatMap(({ calls, countOf }) => {
    const known = new Set<string>()
    return see(calls.filter(isAccepted), call => {
      const count = countOf(call)
      if (count === undefined || known.has(`${count.limit} ${count.resetsAt}`)) return undefined
      const { limit, remaining, resetsAt, date, window } = count
      known.add(`${limit} ${resetsAt}`)
      const startsAt = resetsAt - windowLengths[window]
      if (remaining !== limit - 1 || date % minute === 0 || date < startsAt) return undefined
      if (startsAt === date) return 'first-call'
      return resetsAt % windowLengths[window] === 0 ? 'calendar' : undefined
    })
  })
  const isOnce = sightings.filter(({ value }) => value === 'calendar').length < 2
  return lineOf(sightings.filter(({ value }) => value !== 'calendar' || !isOnce))
}

/** Only where the other choices would have shown another window (A06). */
function reportedWindows({ calls, pairs, countOf, isAlone }: KeyCounts): readonly Sighting[] {
  const counts = calls.filter(isAccepted).flatMap(call => countOf(call) ?? [])
  const [inMinute, inDay] = (['minute', 'day'] as const).map(name =>
    counts.find(({ window }) => window === name),
  )
  const refused = calls.filter(({ status }) => status === 429).flatMap(call => countOf(call) ?? [])
  if (inMinute && inDay)
    return inMinute.limit === inDay.limit
      ? []
      : [inMinute, inDay].map(({ call }) => ({ call, value: 'tightest' }))
  if (inDay) {
    const most = Math.max(...refused.filter(({ limit }) => limit !== inDay.limit).map(({ limit }) => limit))
    return counts
      .filter(({ remaining }) => most > 0 && remaining > most)
      .map(({ call }) => ({ call, value: 'day' }))
  }
  const last = pairs.filter(({ one, next }) => {
    const [before, after] = [countOf(one), countOf(next)]
    const isByDay = next.status === 429 && after?.window === 'day' && after.limit !== before?.limit
    return isAlone && isAccepted(one) && isByDay && (before?.remaining ?? 0) > 0
  })
  return last.map(({ one }) => ({ call: one, value: 'minute' }))
}

/** A wrong call of a key that is refused. Calls that this service never found wrong show nothing. */
function whileRefused(keys: readonly KeyCounts[], rateOf: RateOf): readonly Sighting[] {
  const nameOf = ({ operation, wrong }: SeenCall) => `${operation} ${wrong?.what}`
  const known = new Set(keys.flatMap(({ calls }) => calls.filter(isWrong).map(nameOf)))
  return keys.flatMap(({ calls }) => {
    let end = 0
    return see(calls, call => {
      const isRefused = (call.date ?? end) < end
      if (isWrong(call)) return isRefused ? 'before-limit' : undefined
      if (isAccepted(call)) end = 0
      if (call.status !== 429) return undefined
      end = endOf(call, rateOf) ?? 0
      return call.wrong && known.has(nameOf(call)) ? 'after-limit' : undefined
    })
  })
}

/** Only where the counts of the day are seen before and after refusals by the minute. */
function refusedLine(keys: readonly KeyCounts[], runs: readonly Run[]): Line | undefined {
  const byKey = new Map(keys.map(key => [key.calls[0]?.key, key]))
  const sightings = runs.flatMap(({ limited, banned, before, after, isSequential }): Sighting[] => {
    const pair = before && after && isSequential && banned.length === 0 && { one: before, next: after }
    const drop = (pair && byKey.get(pair.one.key)?.dropOf(pair)) ?? 0
    return drop === 1 || drop === 1 + limited.length
      ? [{ call: limited[0] as SeenCall, value: drop !== 1 }]
      : []
  })
  return lineOf(sightings, 1, sightings.length > 1 ? 'observed' : 'inferred')
}

function anonymousQuotas(calls: readonly SeenCall[], rateOf: RateOf): readonly Sighting[] {
  const last = new Map<string, ReturnType<RateOf>>()
  return see(calls, call => {
    if (call.key !== null || (call.status !== 401 && call.status !== 429)) return undefined
    const [before, now] = [last.get(call.client), rateOf(call)]
    last.set(call.client, now)
    const isOver = before?.remaining === 0 && now.remaining === 0 && before.limit === now.limit
    if (call.status === 429) return 'enforce'
    return isOver && now.resetsAt !== undefined && before.resetsAt === now.resetsAt ? 'report' : undefined
  })
}

function retryAfterForm({ headers }: SeenCall): string | undefined {
  const { form, ms = 0 } = parseRetryAfter(headers['retry-after'] ?? '', headers.date)
  if (form === 'other' || ms === 0) return undefined
  return form === 'imf-fixdate' ? 'http-date' : form
}
