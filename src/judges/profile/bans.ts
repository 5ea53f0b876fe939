import { parseRetryAfter } from '../../base/time/retry-after.ts'
import type { Line } from '../../emulator/worlds/scenario.ts'
import { isAccepted, type RateOf } from './rates.ts'
import { callsByKey, type SeenCall } from './seen-call.ts'
import { type Lines, lineOf, see, summarize } from './sightings.ts'

/** Refused calls of a key in a row: those by the limit, and those by the ban that followed, if one began. */
export interface Run {
  readonly limited: readonly SeenCall[]
  readonly banned: readonly SeenCall[]
  /** The accepted calls before and after. */
  readonly before: SeenCall | undefined
  readonly after: SeenCall | undefined
  /** Whether no ban of the key was seen before. */
  readonly isFirst: boolean
  /** Whether the key made no other calls on the way, and each one after the response to the one before. */
  readonly isSequential: boolean
}

/** When a refusal ends, by its headers. */
export function endOf(call: SeenCall, rateOf: RateOf): number | undefined {
  const { ms } = parseRetryAfter(call.headers['retry-after'] ?? '', call.headers.date)
  return rateOf(call).resetsAt ?? (ms === undefined || call.date === undefined ? undefined : call.date + ms)
}

export const isAlike = (one: SeenCall, other: SeenCall) =>
  one.status === other.status && one.json?.code === other.json?.code

/** The refusals of all keys. A ban differs from a limit by its status, its code, or its end (A10). */
export function runsOf(calls: readonly SeenCall[], rateOf: RateOf): readonly Run[] {
  return callsByKey(calls).flatMap(own => {
    const runs: Run[] = []
    let before: SeenCall | undefined
    let refused: SeenCall[] = []
    let [isPure, isFirst] = [true, true]
    for (const call of [...own, undefined]) {
      const mayBan = call && (call.status === 401 || call.status === 403) && 'retry-after' in call.headers
      if (call?.status === 429 || (mayBan && (refused.length > 0 || (before && !rateOf(before).remaining))))
        refused.push(call)
      else if (call === undefined || isAccepted(call)) {
        if (refused.length > 0) {
          const all = [...(before ? [before] : []), ...refused]
          const isSequential =
            isPure && all.every((one, at) => at === 0 || (all[at - 1]?.answeredAt ?? 0) <= one.sentAt)
          runs.push({ ...splitRun(refused, before, rateOf), before, after: call, isFirst, isSequential })
          isFirst &&= runs.at(-1)?.banned.length === 0
        }
        ;[before, refused, isPure] = [call, [], true]
      } else if (refused.length > 0) isPure = false
      // It may have been checked before the limit.
      else before = call.status === 400 || !call.isRouted ? undefined : call
    }
    return runs
  })
}

function splitRun(refused: readonly SeenCall[], before: SeenCall | undefined, rateOf: RateOf) {
  const [first] = refused
  const start = refused.findIndex((call, at) => {
    if (call.status !== 429 || call.json?.code === 'api_key_banned') return true
    const last = at === 0 ? before : first
    if (last === undefined || rateOf(last).limit !== rateOf(call).limit) return false
    if (at > 0 && !isAlike(call, last)) return true
    // The window is still open, and the refusal lasts longer than it.
    const [end = 0, own = 0] = [endOf(last, rateOf), endOf(call, rateOf)]
    return call.date !== undefined && end > call.date && own > end
  })
  const ban = refused[start]
  if (ban === undefined) return { limited: refused, banned: [] }
  const end = endOf(ban, rateOf) ?? 0
  const stop = refused.findIndex(
    (call, at) => at > start && (!isAlike(call, ban) || (call.date ?? end) >= end),
  )
  return { limited: refused.slice(0, start), banned: refused.slice(start, stop === -1 ? undefined : stop) }
}

/** Status, length, trigger and extension of bans, from traffic that caused them (A10). `alone`: keys that nobody else uses. */
export function learnBans(runs: readonly Run[], alone: ReadonlySet<string | null>, rateOf: RateOf): Lines {
  const bans = runs.flatMap(run => {
    const [call] = run.banned
    const last = run.limited[0] ?? run.before
    const [end, windowEnd] = [call && endOf(call, rateOf), last && endOf(last, rateOf)]
    // The response names the later end of ban and window.
    const ownEnd = end !== undefined && windowEnd !== undefined && end > windowEnd ? end : undefined
    if (call?.date === undefined) return []
    const isExact = run.isSequential && alone.has(call.key)
    return [{ ...run, call, date: call.date, ownEnd, isExact }]
  })
  // Further bans may be longer.
  const lengths = bans.flatMap(({ call, date, ownEnd, isFirst, isExact, limited, before }) => {
    const since = (limited.at(-1) ?? before)?.date
    if (!isFirst || ownEnd === undefined || since === undefined) return []
    return [{ call, least: (ownEnd - date) / 1_000, most: (ownEnd - since) / 1_000, isExact }]
  })
  const exact = lengths
    .filter(({ isExact, least, most }) => isExact || least === most)
    .map(({ call, least }) => ({ call, value: `${least}s` }))
  // Of a key that others use, the ban may have begun after the call before.
  const [bounds] = lengths.map((rough): Line => {
    const [atLeast, atMost] = [`${rough.least}s`, `${rough.most}s`]
    return { atLeast, atMost, state: 'bounded', ...summarize([rough]) }
  })
  // Refusals soon after the first one may not count.
  const triggers = bans.filter(({ isExact, before }) => isExact && before !== undefined)
  const most = Math.min(...triggers.map(({ limited }) => limited.length + 1))
  const extensions = bans.flatMap(({ banned, date: since, ownEnd = 0 }) =>
    see(banned, call => {
      const { date = 0 } = call
      if (ownEnd <= 0 || date <= since) return undefined
      const end = endOf(call, rateOf) ?? 0
      return end === ownEnd ? false : end - date === ownEnd - since ? true : undefined
    }),
  )
  return {
    'bans.status': lineOf(bans.map(({ call }) => ({ call, value: call.status }))),
    'bans.for': lineOf(exact, 1, 'inferred') ?? bounds,
    'bans.after':
      triggers.length > 0 ? { atMost: most, state: 'bounded', ...summarize(triggers) } : undefined,
    'bans.extend': lineOf(extensions),
  }
}
