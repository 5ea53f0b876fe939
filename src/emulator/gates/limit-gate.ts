import { forgive, strike } from '../../service/bans/ban.ts'
import { type Answer, refuse } from '../../service/call/answer.ts'
import type { Key } from '../../service/keys/key.ts'
import { type RateLimit, retryAfter, waitSeconds } from '../../service/limits/limit-headers.ts'
import { type LimitReading, takeCall } from '../../service/limits/limiter.ts'
import { planTitle } from '../../service/plans/plan.ts'
import type { Visit } from '../worlds/call-context.ts'
import { banned } from './ban-gate.ts'
import { tellDate, tellRate } from './rate-limit.ts'

/** A call that was counted against its key, and what it is told if it does not fit (A05 to A10). */
export interface Counted {
  readonly limit: LimitReading
  readonly rate: RateLimit
  readonly refusal: Answer | undefined
}

export function takeQuota(visit: Visit, key: Key): Counted {
  const { limits, bans } = visit.world.scenario.behaviour
  const limit = takeCall(key.windows, key.quota, visit.at, limits, visit.world.nextExchange)
  if (limit.accepted) {
    forgive(key.strikes)
    return { limit, rate: tellRate(visit, limit), refusal: undefined }
  }
  if (bans !== undefined && strike(key.strikes, visit.at, bans)) {
    const { answer, rate } = banned(visit, key, limit, bans)
    return { limit, rate, refusal: answer }
  }
  return {
    limit,
    rate: tellRate(visit, limit),
    refusal: rateLimitExceeded(visit, limit, `the ${planTitle(key.plan)} plan`),
  }
}

/** 429 that names plan, window and wait (A09). RFC 6585, section 4: it must not be stored by a cache. */
export function rateLimitExceeded(visit: Visit, limit: LimitReading, who: string): Answer {
  const { resetsAt } = tellRate(visit, limit)
  const date = tellDate(visit)
  const quota = limit[limit.told].limit
  const allowed = `${quota} request${quota === 1 ? '' : 's'} per ${limit.told}`
  const message = `Rate limit exceeded: ${allowed} (${who}). Retry in ${waitSeconds(resetsAt, date)} s.`
  const form = visit.world.scenario.behaviour.limits.retryAfter
  return refuse('rate_limit_exceeded', message, {
    'Retry-After': retryAfter(resetsAt, date, form),
    'Cache-Control': 'no-store',
  })
}
