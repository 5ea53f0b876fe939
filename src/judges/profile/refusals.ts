import { parseRetryAfter } from '../../base/time/retry-after.ts'
import { isAccepted, type Rate } from './rates.ts'
import { callsByKey, type SeenCall } from './seen-call.ts'

export type RateOf = (call: SeenCall) => Rate

/** Refused calls of a key in a row. */
export interface Run {
  /** Refused by the limit, before a ban. */
  readonly limited: readonly SeenCall[]
  /** Refused by a ban, if one was seen to begin. */
  readonly banned: readonly SeenCall[]
  /** The last accepted call before; undefined: none was seen. */
  readonly before: SeenCall | undefined
  /** The first call after. */
  readonly after: SeenCall | undefined
  /** Whether no ban of the key was seen before. */
  readonly isFirst: boolean
  /** Whether the key made no other calls on the way, and each one after the response to the one before. */
  readonly isSequential: boolean
}

/** When a refusal ends, by the headers. */
export function endOf(call: SeenCall, rateOf: RateOf): number | undefined {
  const { ms } = parseRetryAfter(call.headers['retry-after'] ?? '', call.headers.date)
  const byWait = ms === undefined || call.date === undefined ? undefined : call.date + ms
  return rateOf(call).resetsAt ?? byWait
}

const codeOf = ({ json }: SeenCall) => (typeof json?.code === 'string' ? json.code : undefined)

/** The refusals of all keys. A ban differs from a limit by its status, its code, or its end (A10). */
export function runsOf(calls: readonly SeenCall[], rateOf: RateOf): readonly Run[] {
  return callsByKey(calls).flatMap(own => runsOfKey(own, rateOf))
}

function runsOfKey(calls: readonly SeenCall[], rateOf: RateOf): readonly Run[] {
  const runs: Run[] = []
  let before: SeenCall | undefined
  let refused: SeenCall[] = []
  let isFirst = true
  let isPure = true
  const close = (after: SeenCall | undefined) => {
    if (refused.length > 0) {
      const run = splitRun(refused, before, after, rateOf)
      runs.push({ ...run, isFirst, isSequential: isPure && run.isSequential })
      if (run.banned.length > 0) isFirst = false
    }
    refused = []
    isPure = true
  }
  for (const call of calls) {
    const mayBan = (call.status === 401 || call.status === 403) && 'retry-after' in call.headers
    if (call.status === 429 || (mayBan && (refused.length > 0 || (before && rateOf(before).remaining === 0))))
      refused.push(call)
    // Others may be checked before the limit.
    else if (isAccepted(call)) {
      close(call)
      before = call
    } else isPure = false
  }
  close(undefined)
  return runs
}

function splitRun(
  refused: readonly SeenCall[],
  before: SeenCall | undefined,
  after: SeenCall | undefined,
  rateOf: RateOf,
): Omit<Run, 'isFirst'> {
  const [first] = refused
  const known = before === undefined ? undefined : rateOf(before)
  const isBan = (call: SeenCall, at: number): boolean => {
    if (call.status !== 429 || codeOf(call) === 'api_key_banned') return true
    const last = at === 0 ? known : first && rateOf(first)
    const hasOtherLimit = last?.limit !== rateOf(call).limit
    if (at > 0 && codeOf(call) !== (first && codeOf(first))) return !hasOtherLimit
    const end = at === 0 ? known?.resetsAt : first && endOf(first, rateOf)
    const own = endOf(call, rateOf)
    // The window is still open, and the refusal lasts longer than it.
    return (
      !hasOtherLimit &&
      end !== undefined &&
      own !== undefined &&
      call.date !== undefined &&
      end > call.date &&
      own > end
    )
  }
  const start = refused.findIndex(isBan)
  const all = [...(before ? [before] : []), ...refused]
  return {
    limited: start === -1 ? refused : refused.slice(0, start),
    banned: start === -1 ? [] : refused.slice(start, lastOfBan(refused, start, rateOf)),
    before,
    after,
    isSequential: all.every((call, at) => at === 0 || (all[at - 1]?.answeredAt ?? 0) <= call.sentAt),
  }
}

/** Where a ban ends, which may be before the window does. */
function lastOfBan(refused: readonly SeenCall[], start: number, rateOf: RateOf): number {
  const first = refused[start]
  const end = (first && endOf(first, rateOf)) ?? 0
  const last = refused.findIndex(
    (call, at) =>
      at > start &&
      first &&
      (call.status !== first.status || codeOf(call) !== codeOf(first) || (call.date ?? end) >= end),
  )
  return last === -1 ? refused.length : last
}
