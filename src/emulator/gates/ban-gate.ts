import { tellInstant } from '../../base/time/clock.ts'
import { formatInstant } from '../../base/time/instant.ts'
import { callWhileBanned, isBanned } from '../../service/bans/ban.ts'
import type { BanSettings } from '../../service/bans/settings.ts'
import { type Answer, refuse } from '../../service/call/answer.ts'
import type { Key } from '../../service/keys/key.ts'
import { invalidTokenChallenge } from '../../service/keys/unauthorized.ts'
import { type RateLimit, retryAfter, waitSeconds } from '../../service/limits/limit-headers.ts'
import { type LimitReading, refuseCall } from '../../service/limits/limiter.ts'
import type { Visit } from '../worlds/call-context.ts'
import type { Verdict } from './decision.ts'
import { tellDate } from './rate-limit.ts'

/** The refusal of a banned key's call; the call uses no quota (A10). */
export function refuseWhileBanned(visit: Visit, key: Key): Verdict | undefined {
  const { bans, limits } = visit.world.scenario.behaviour
  if (bans === undefined || !isBanned(key.strikes, visit.at)) return undefined
  callWhileBanned(key.strikes, visit.at, bans)
  const limit = refuseCall(key.windows, key.quota, visit.at, limits, visit.world.nextExchange)
  return { gate: 'ban', ...banned(visit, key, limit, bans), limit, operation: undefined }
}

/** What a banned key is told: when both the ban and an exhausted window are over, so that waiting once is enough (A10). */
export function banned(
  visit: Visit,
  key: Key,
  { minute, day }: LimitReading,
  { status }: BanSettings,
): { answer: Answer; rate: RateLimit } {
  const { retryAfter: form } = visit.world.scenario.behaviour.limits
  const ends = [minute, day].flatMap(({ used, limit, endsAt }) =>
    used >= limit && endsAt !== undefined ? [endsAt] : [],
  )
  const clock = visit.world.clock
  const until = tellInstant(clock, key.strikes.bannedUntil ?? visit.at)
  const resetsAt = Math.max(until, ...ends.map(end => tellInstant(clock, end)))
  const wait = waitSeconds(resetsAt, tellDate(visit))
  const quota = resetsAt > until ? `, and its quota used up until ${formatInstant(resetsAt)}` : ''
  const message = `The API key is banned until ${formatInstant(until)}, for calling on while rate limited${quota}. Retry in ${wait} s.`
  const headers: Record<string, string> = {
    'Retry-After': retryAfter(resetsAt, tellDate(visit), form),
  }
  if (status === 429) headers['Cache-Control'] = 'no-store'
  if (status === 401) headers['WWW-Authenticate'] = invalidTokenChallenge('The API key is banned')
  const rate = { limit: key.quota.minute, remaining: 0, resetsAt }
  return { answer: refuse('api_key_banned', message, headers, status), rate }
}
