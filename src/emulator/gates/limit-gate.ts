import { clientInstant } from '../../base/time/clock.ts'
import { forgive, strike } from '../../service/bans/ban.ts'
import { type Answer, refuse } from '../../service/call/answer.ts'
import type { Key } from '../../service/keys/key.ts'
import { type RateLimit, rateOf } from '../../service/limits/limit-headers.ts'
import * as limiter from '../../service/limits/limiter.ts'
import { retryAfter, waitSeconds } from '../../service/limits/retry-after.ts'
import { planTitle } from '../../service/plans/plan.ts'
import { banned } from './ban-gate.ts'
import type { CallContext, Counted } from './call-context.ts'

/** Counts a call against its key (A05 to A10). */
export function takeQuota(context: CallContext, key: Key): Counted {
  const { limits, bans } = context.world.scenario.behaviour
  const limit = limiter.takeCall(key.windows, key.quota, context.at, limits, context.world.nextExchange)
  if (limit.accepted) {
    forgive(key.strikes)
    return { limit, rate: rateLimitOf(context, limit), refusal: undefined }
  }
  if (bans !== undefined && strike(key.strikes, context.at, bans)) {
    const { answer, rate } = banned(context, key, limit, bans)
    return { limit, rate, refusal: answer }
  }
  const rate = rateLimitOf(context, limit)
  return { limit, rate, refusal: rateLimitExceeded(context, key.windows, { limit, rate }, key.plan) }
}

/** The values of the limit headers, in the client's time (A06, A08). */
export function rateLimitOf({ world, at, date }: CallContext, reading: limiter.LimitReading): RateLimit {
  const { reported } = reading
  const window = reading[reported]
  const resetsAt = clientInstant(world.clock, window.endsAt ?? at)
  return rateOf(reading, reported, limiter.remaining(window), resetsAt, date, world.scenario.behaviour.limits)
}

/** 429 with plan, window and wait (A09). `plan`: undefined for calls without a valid key. */
export function rateLimitExceeded(
  context: CallContext,
  windows: limiter.Windows,
  { limit, rate: { resetsAt } }: Omit<Counted, 'refusal'>,
  plan: string | undefined,
): Answer {
  const { reported } = limit
  const quota = limit[reported].limit
  const { date } = context
  const wait = waitSeconds(resetsAt, date)
  const form = limiter.takeForm(windows, context.world.scenario.behaviour.limits.retryAfter)
  return limiter.sameRefusal(windows, [wait, resetsAt, form, quota, reported, plan], () => {
    const allowed = `${quota} request${quota === 1 ? '' : 's'} per ${reported}`
    const caller = plan === undefined ? 'calls without a valid API key' : `the ${planTitle(plan)} plan`
    const message = `Rate limit exceeded: ${allowed} (${caller}). Retry in ${wait} s.`
    // A cache must not store it (RFC 6585, section 4).
    const headers = { ...retryAfter(resetsAt, date, form), 'Cache-Control': 'no-store' }
    return refuse('rate_limit_exceeded', message, headers)
  })
}
