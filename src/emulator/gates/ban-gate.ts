import { clientInstant } from '../../base/time/clock.ts'
import { formatInstant } from '../../base/time/instant.ts'
import { type BanSettings, callWhileBanned, rollStrikes } from '../../service/bans/ban.ts'
import { type Answer, refuse } from '../../service/call/answer.ts'
import type { Key } from '../../service/keys/key.ts'
import { invalidTokenChallenge } from '../../service/keys/unauthorized.ts'
import { type RateLimit, rateOf } from '../../service/limits/limit-headers.ts'
import { type LimitReading, refuseCall, sameRefusal, takeForm } from '../../service/limits/limiter.ts'
import { retryAfter, waitSeconds } from '../../service/limits/retry-after.ts'
import type { Decision } from '../journal/exchange.ts'
import type { CallContext } from './call-context.ts'

/** The refusal of a banned key's call; the call uses no quota (A10). */
export function refuseWhileBanned(context: CallContext, key: Key): Decision | undefined {
  const { bans, limits } = context.world.scenario.behaviour
  if (bans === undefined) return undefined
  rollStrikes(key.strikes, context.at)
  if (key.strikes.bannedUntil === undefined) return undefined
  callWhileBanned(key.strikes, context.at, bans)
  const limit = refuseCall(key.windows, key.quota, context.at, limits, context.world.nextExchange)
  return { gate: 'ban', ...banned(context, key, limit, bans), limit, operation: undefined }
}

/** The refusal names the end of both the ban and an exhausted window, so that waiting once is enough (A10). */
export function banned(
  context: CallContext,
  key: Key,
  reading: LimitReading,
  { status }: BanSettings,
): { answer: Answer; rate: RateLimit } {
  const { world, date } = context
  const { limits } = world.scenario.behaviour
  const until = clientInstant(world.clock, key.strikes.bannedUntil ?? context.at)
  const endOf = ({ used, limit, endsAt }: LimitReading['minute']) =>
    used >= limit && endsAt !== undefined ? clientInstant(world.clock, endsAt) : until
  const resetsAt = Math.max(until, endOf(reading.minute), endOf(reading.day))
  const wait = waitSeconds(resetsAt, date)
  const { byHand } = key.strikes
  const form = takeForm(key.windows, limits.retryAfter)
  const answer = sameRefusal(key.windows, ['ban', wait, until, resetsAt, form, byHand, status], () => {
    const cause = byHand ? 'by hand' : 'because it kept calling while rate limited'
    const quota = resetsAt > until ? `; its quota is used up until ${formatInstant(resetsAt)}` : ''
    const message = `The API key is banned until ${formatInstant(until)} ${cause}${quota}. Retry in ${wait} s.`
    const headers: Record<string, string> = { ...retryAfter(resetsAt, date, form) }
    if (status === 429) headers['Cache-Control'] = 'no-store'
    if (status === 401) headers['WWW-Authenticate'] = invalidTokenChallenge('The API key is banned')
    return refuse('api_key_banned', message, headers, status)
  })
  return { answer, rate: rateOf(reading, 'minute', 0, resetsAt, date, limits) }
}
