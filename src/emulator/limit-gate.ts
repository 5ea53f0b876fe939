import { forgive, strike } from '../bans/ban.ts'
import { type Answer, refuse } from '../call/answer.ts'
import type { Key } from '../keys/key.ts'
import { type RateLimit, retryAfter, waitSeconds } from '../limits/limit-headers.ts'
import { type LimitReading, takeCall } from '../limits/limiter.ts'
import { banned } from './ban-gate.ts'
import { tellDate, tellRate } from './rate.ts'
import type { Visit } from './visit.ts'

/** Counts a call against its key; `refusal` is what a call that does not fit is told (A05 to A10). */
export function takeQuota(
  visit: Visit,
  key: Key,
): { limit: LimitReading; rate: RateLimit; refusal: Answer | undefined } {
  const { limits, bans } = visit.world.scenario.behaviour
  const limit = takeCall(key.windows, key.quota, visit.at, limits, visit.world.nextExchange)
  if (limit.accepted) {
    forgive(key.strikes)
    return { limit, rate: tellRate(visit, limit), refusal: undefined }
  }
  if (bans !== undefined && strike(key.strikes, visit.at, bans)) {
    const { answer, rate } = banned(visit, key, limit)
    return { limit, rate, refusal: answer }
  }
  return {
    limit,
    rate: tellRate(visit, limit),
    refusal: rateLimitExceeded(visit, limit, `the ${title(key.plan)} plan`),
  }
}

/** 429 that names plan, window and wait (A09). RFC 6585, section 4: it must not be stored by a cache. */
export function rateLimitExceeded(visit: Visit, limit: LimitReading, who: string): Answer {
  const { resetsAt } = tellRate(visit, limit)
  const date = tellDate(visit)
  const message = `Rate limit exceeded: ${limit[limit.told].limit} requests per ${limit.told} (${who}). Retry in ${waitSeconds(resetsAt, date)} s.`
  const form = visit.world.scenario.behaviour.limits.retryAfter
  return refuse('rate_limit_exceeded', message, {
    'Retry-After': retryAfter(resetsAt, date, form),
    'Cache-Control': 'no-store',
  })
}

function title(plan: string): string {
  return plan.charAt(0).toUpperCase() + plan.slice(1)
}
