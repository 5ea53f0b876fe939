import { secondsApart } from '../../../base/time/apart.ts'
import type { CheckedCall } from '../calls/checked-call.ts'
import { serviceTime } from '../calls/pace.ts'
import { hasKey } from '../calls/request.ts'
import { retryAfterOf } from '../calls/retry-after.ts'

/** Checks a 429 by itself. */
export function checkRefusal(call: CheckedCall, { now }: { readonly now: number }): void {
  const { headers, check, request } = call
  const caching = headers['cache-control'] ?? 'missing'
  check('retry-not-stored', /\bno-store\b/.test(caching), `Cache-Control is ${caching}`)
  const remaining = headers['x-ratelimit-remaining']
  if (remaining !== undefined) check('limit-remaining-zero', remaining === '0', `${remaining} remain`)
  const time = serviceTime(headers, now)
  const retry = retryAfterOf(headers, time)
  if (retry === undefined) return
  const isReadable = 'ms' in retry
  const reset = Number(headers['x-ratelimit-reset'])
  const untilReset = reset * 1_000 - time
  // Nobody waits for 50 minutes where Reset is 3 s ahead.
  const isMilliseconds =
    isReadable && retry.ms >= 1_000_000 && untilReset > 0 && Math.abs(retry.ms / 1_000 - untilReset) <= 2_000
  const guess = isMilliseconds ? ', which looks like milliseconds' : ''
  const wrong = isReadable ? `Retry-After is ${headers['retry-after']}${guess}` : retry.wrong
  check('retry-format', isReadable && !isMilliseconds, wrong)
  if (!isReadable) return
  const seconds = Math.round(retry.ms / 1_000)
  check('retry-ahead', seconds >= 1, `Retry-After is ${headers['retry-after']}, ${seconds} s ahead`)
  if (!Number.isFinite(reset) || !hasKey(request)) return
  const apart = Math.round((retry.ms - untilReset) / 1_000)
  check('retry-agrees', Math.abs(apart) <= 1, `Retry-After ends ${secondsApart(apart)} X-RateLimit-Reset`)
}
