import { forgive, strike } from '../../service/bans/ban.ts'
import { type Answer, refuse } from '../../service/call/answer.ts'
import type { Key } from '../../service/keys/key.ts'
import { waitSeconds } from '../../service/limits/limit-headers.ts'
import { type LimitReading, takeCall, type Windows } from '../../service/limits/limiter.ts'
import { planTitle } from '../../service/plans/plan.ts'
import { banned } from './ban-gate.ts'
import { type CallContext, type Counted, dateOf, rateLimitOf, retryAfterOf } from './call-context.ts'

/** Counts a call against its key (A05 to A10). */
export function takeQuota(context: CallContext, key: Key): Counted {
  const { limits, bans } = context.world.scenario.behaviour
  const limit = takeCall(key.windows, key.quota, context.at, limits, context.world.nextExchange)
  if (limit.accepted) {
    forgive(key.strikes)
    return { limit, rate: rateLimitOf(context, limit), refusal: undefined }
  }
  if (bans !== undefined && strike(key.strikes, context.at, bans)) {
    const { answer, rate } = banned(context, key, limit, bans)
    return { limit, rate, refusal: answer }
  }
  return {
    limit,
    rate: rateLimitOf(context, limit),
    refusal: rateLimitExceeded(context, key.windows, limit, `the ${planTitle(key.plan)} plan`),
  }
}

/** 429 with plan, window and wait (A09). A cache must not store it (RFC 6585, section 4). */
export function rateLimitExceeded(
  context: CallContext,
  windows: Windows,
  limit: LimitReading,
  who: string,
): Answer {
  const { resetsAt } = rateLimitOf(context, limit)
  const quota = limit[limit.reported].limit
  const allowed = `${quota} request${quota === 1 ? '' : 's'} per ${limit.reported}`
  const wait = waitSeconds(resetsAt, dateOf(context))
  const message = `Rate limit exceeded: ${allowed} (${who}). Retry in ${wait} s.`
  const headers = { ...retryAfterOf(context, windows, resetsAt), 'Cache-Control': 'no-store' }
  return refuse('rate_limit_exceeded', message, headers)
}
