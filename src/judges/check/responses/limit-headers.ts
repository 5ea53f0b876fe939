import { secondsApart } from '../../../base/time/apart.ts'
import { quotaOf } from '../calls/call-budget.ts'
import type { CheckedCall } from '../calls/checked-call.ts'
import { limitHeaders, serviceTime } from '../calls/pace.ts'
import { hasKey } from '../calls/request.ts'

interface LimitContext {
  readonly plan: string
  readonly now: number
  readonly isElsewhere: boolean
}

const minute = 60
/** A day on which the clocks are put back. */
const day = 25 * 3_600
/** Two clocks differ, and Date is rounded down to a second. In seconds. */
const tolerance = 5
/** Without Date, this machine's clock stands in for the service's. */
const toleranceWithoutDate = 300

/** Checks the rate limit headers of a response, each by itself. `counts.ts` compares those of several responses. */
export function checkLimitHeaders(call: CheckedCall, context: LimitContext): void {
  const { headers, check } = call
  const missing = limitHeaders.filter(name => headers[name] === undefined)
  const id = context.isElsewhere ? 'limit-headers-elsewhere' : 'limit-headers'
  check(id, missing.length === 0, `without ${missing.join(' and ')}`)
  // A caller without a key has no plan: only the presence is specified.
  if (missing.length > 0 || !hasKey(call.request)) return
  const [limit = '', remaining = '', reset = ''] = limitHeaders.map(name => headers[name])
  const odd = [`x-ratelimit-limit: ${limit}`, `x-ratelimit-remaining: ${remaining}`].filter(
    line => !/: (?:0|[1-9]\d{0,18})$/.test(line),
  )
  check('limit-integers', odd.length === 0, odd.join(', '))
  if (odd.length === 0) checkNumbers(call, Number(limit), Number(remaining), context)
  checkReset(call, reset, Number(limit), context)
}

function checkNumbers(
  { status, check }: CheckedCall,
  limit: number,
  remaining: number,
  { plan }: LimitContext,
): void {
  check('limit-remaining-range', remaining <= limit, `${remaining} of ${limit} remain`)
  // The quotas of Enterprise are custom.
  const quota = plan === 'enterprise' || status === 401 ? undefined : quotaOf(plan)
  if (quota === undefined) return
  const isOfPlan = limit === quota.minute || limit === quota.day
  check(
    'limit-of-plan',
    isOfPlan,
    `${limit}, but ${plan} has ${quota.minute} and ${quota.day}: is --plan right?`,
  )
}

function checkReset(
  { status, headers, check }: CheckedCall,
  text: string,
  limit: number,
  { plan, now }: LimitContext,
): void {
  const reset = /^\d{1,18}(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  const isSeconds = reset >= 1e9 && reset < 1e11
  const guess = Number.isNaN(reset)
    ? 'which is no number'
    : reset >= 1e11
      ? 'which looks like milliseconds'
      : 'which looks like the seconds left'
  check('limit-reset-seconds', isSeconds, `X-RateLimit-Reset is ${text}, ${guess}`)
  if (!isSeconds || status === 429) return
  const ahead = reset - Math.floor(serviceTime(headers, now) / 1_000)
  const quota = quotaOf(plan)
  const isMinute = plan !== 'enterprise' && quota?.minute === limit && status < 400
  const spare = Number.isNaN(Date.parse(headers.date ?? '')) ? toleranceWithoutDate : tolerance
  const isAhead = ahead >= -spare && ahead <= (isMinute ? minute : day) + spare
  const window = isMinute ? ', and the limit is per minute' : ''
  check('limit-reset-ahead', isAhead, `X-RateLimit-Reset is ${secondsApart(ahead)} Date${window}`)
}
