import { readRetryAfter } from '../../base/time/retry-after.ts'
import { failedCheck } from '../contract/contract-report.ts'
import type { Judge } from '../contract/judge.ts'
import { reasonOf } from '../report/unjudged.ts'
import { quotaOf } from './call-budget.ts'
import { type CheckedCall, petOf, show } from './checked-call.ts'
import { limitHeaders, type Standing, serviceTime } from './pace.ts'
import { hasKey } from './request.ts'

interface ResponseContext {
  readonly judge: Judge
  readonly plan: string
  /** This machine's time, in epoch milliseconds. */
  readonly now: number
  /** The rate limit of the key before this call. */
  readonly before: Standing | undefined
}

const day = 86_400
/** Two clocks differ, and Date is rounded down to a second. */
const tolerance = 5

/** Makes the checks that hold for every response. Resolves with the id of the operation if it documents the status. */
export async function checkEveryResponse(
  call: CheckedCall,
  context: ResponseContext,
): Promise<string | undefined> {
  const { request, status } = call
  const operation = request.method === 'HEAD' ? undefined : await checkContract(call, context.judge)
  const inBody = request.method === 'HEAD' || status < 400 ? undefined : petOf(call)?.status
  if (inBody !== undefined)
    call.check('error-status', inBody === status, `the Error has ${show(inBody)}, the response ${status}`)
  if (status === 401) checkChallenge(call)
  if (hasKey(request)) call.check('auth-accepted', status !== 401, 'the status is 401')
  if (checkLimitHeaders(call)) checkLimits(call, context)
  if (status === 429) checkRefusal(call, context)
  return operation
}

const contractParts = ['contract-status', 'contract-media-type', 'contract-header', 'contract-body'] as const

async function checkContract(call: CheckedCall, { judge }: Judge): Promise<string | undefined> {
  const { request, status, headers, text } = call
  const sent = Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  const judgement = await judge({
    method: request.method,
    target: request.target,
    requestHeaders: { authorization: 'Bearer key', ...Object.fromEntries(sent) },
    requestBody: request.body,
    status,
    headers,
    body: text === '' ? undefined : text,
  }).catch(reasonOf)
  if (typeof judgement === 'string') {
    call.check('contract-body', false, judgement)
    return undefined
  }
  const { breaches, operation, isDocumented } = judgement
  if (operation === undefined && status < 400) return undefined
  for (const part of contractParts) {
    const found = breaches.filter(breach => failedCheck(breach) === part).map(({ message }) => message)
    call.check(part, found.length === 0, found.join('; '))
  }
  return isDocumented ? operation : undefined
}

function checkChallenge(call: CheckedCall): void {
  const challenge = call.headers['www-authenticate']
  call.check('auth-challenge', challenge !== undefined, 'WWW-Authenticate is missing')
  if (challenge !== undefined)
    call.check('auth-scheme', /\bbearer\b/i.test(challenge), `WWW-Authenticate is ${challenge}`)
}

/** Whether all three headers are readable. */
function checkLimitHeaders({ headers, check }: CheckedCall): boolean {
  const missing = limitHeaders.filter(name => headers[name] === undefined)
  const odd = limitHeaders.filter(name => !/^(?:0|[1-9]\d{0,18})$/.test(headers[name] ?? '0'))
  check('limit-headers', missing.length === 0, `without ${missing.join(' and ')}`)
  check('limit-integers', odd.length === 0, odd.map(name => `${name}: ${headers[name]}`).join(', '))
  return missing.length + odd.length === 0
}

function checkLimits(call: CheckedCall, { plan, now, before }: ResponseContext): void {
  const { request, status, headers, check } = call
  const [limit = 0, remaining = 0, reset = 0] = limitHeaders.map(name => Number(headers[name]))
  check('limit-remaining-range', remaining <= limit, `${remaining} of ${limit} remain`)
  const isSeconds = reset >= 1e9 && reset < 1e11
  const guess = reset >= 1e11 ? 'which looks like milliseconds' : 'which looks like the seconds left'
  check('limit-reset-seconds', isSeconds, `X-RateLimit-Reset is ${reset}, ${guess}`)
  if (isSeconds && status !== 429) {
    const ahead = reset - Math.floor(serviceTime(headers, now) / 1_000)
    const isAhead = ahead >= -tolerance && ahead <= day + tolerance
    check('limit-reset-ahead', isAhead, `X-RateLimit-Reset is ${ahead} s after Date`)
  }
  if (!hasKey(request) || status === 401) return
  // The quotas of Enterprise are custom.
  const quota = plan === 'enterprise' ? undefined : quotaOf(plan)
  if (quota !== undefined) {
    const isOfPlan = limit === quota.minute || limit === quota.day
    check('limit-of-plan', isOfPlan, `${limit}, but ${plan} has ${quota.minute} and ${quota.day}`)
  }
  if (status === 429 || before?.limit !== limit || before.reset !== reset) return
  const id = status < 400 ? 'limit-counts-down' : 'limit-counts-errors'
  check(id, remaining < before.remaining, `${before.remaining} remained before the call, ${remaining} after`)
}

function checkRefusal({ headers, check }: CheckedCall, { now }: ResponseContext): void {
  const caching = headers['cache-control'] ?? 'missing'
  check('retry-not-stored', /\bno-store\b/.test(caching), `Cache-Control is ${caching}`)
  const remaining = headers['x-ratelimit-remaining']
  if (remaining !== undefined) check('limit-remaining-zero', remaining === '0', `${remaining} remain`)
  const [waitMs, reset] = [
    readRetryAfter(headers['retry-after'], headers.date),
    Number(headers['x-ratelimit-reset']),
  ]
  if (waitMs === undefined || !Number.isFinite(reset)) return
  const apart = Math.round((serviceTime(headers, now) + waitMs) / 1_000 - reset)
  check('retry-agrees', Math.abs(apart) <= 1, `Retry-After ends ${apart} s after X-RateLimit-Reset`)
}
