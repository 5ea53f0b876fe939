import { shippedPlans } from '../../service/plans/plan.ts'
import type { Judge } from '../contract/judge.ts'
import type { RuleId } from './checks.ts'
import type { Ledger } from './ledger.ts'
import { type Standing, timeOf, waitOf } from './pace.ts'
import { petOf, type Seen, showsKey } from './request.ts'

export interface Surroundings {
  readonly judge: Judge
  readonly ledger: Ledger
  readonly plan: string
  /** This machine's time, in milliseconds since the epoch. */
  readonly now: number
  /** Where the key stood before this call. */
  readonly before: Standing | undefined
}

const day = 86_400
/** Clocks of two machines, and the second to which a Date is floored. */
const tolerance = 5

/** Checks what must hold of every reply, whatever was asked. Resolves with the operation of the contract. */
export async function checkEveryReply(seen: Seen, around: Surroundings): Promise<string | undefined> {
  const operation = await checkContract(seen, around)
  const { ledger } = around
  if (seen.request.method !== 'HEAD' && seen.status >= 400) checkError(seen, ledger)
  if (seen.status === 401) checkChallenge(seen, ledger)
  if (showsKey(seen.request)) ledger.expect('auth-accepted', seen, seen.status === 401 && 'the status is 401')
  if (checkLimitHeaders(seen, ledger)) checkLimits(seen, around)
  if (seen.status === 429) checkRefusal(seen, around)
  return operation
}

const contractRules: Readonly<Record<string, RuleId>> = {
  status: 'contract-status',
  'media type': 'contract-media-type',
  header: 'contract-header',
  body: 'contract-body',
}

async function checkContract(seen: Seen, { judge, ledger }: Surroundings): Promise<string | undefined> {
  const { request, status, headers, text } = seen
  if (request.method === 'HEAD') return undefined
  const { breaches, operation, isDocumented } = await judge.judge({
    method: request.method,
    target: request.target,
    requestHeaders: { authorization: 'Bearer key', ...lowered(request.headers) },
    requestBody: request.body,
    status,
    headers,
    body: text === '' ? undefined : text,
  })
  if (operation === undefined && status < 400) return undefined
  for (const [part, rule] of Object.entries(contractRules)) {
    const found = breaches.filter(breach => breach.side === 'response' && breach.part === part)
    ledger.expect(rule, seen, found.length > 0 && found.map(({ message }) => message).join('; '))
  }
  return isDocumented ? operation : undefined
}

function lowered(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

function checkError(seen: Seen, ledger: Ledger): void {
  const status = petOf(seen)?.status
  if (status === undefined) return
  ledger.expect(
    'error-status',
    seen,
    status !== seen.status && `the Error says ${String(status)}, the response ${seen.status}`,
  )
}

function checkChallenge(seen: Seen, ledger: Ledger): void {
  const challenge = seen.headers['www-authenticate']
  ledger.expect('auth-challenge', seen, challenge === undefined && 'there is no WWW-Authenticate')
  if (challenge !== undefined)
    ledger.expect('auth-scheme', seen, !/\bbearer\b/i.test(challenge) && `WWW-Authenticate is ${challenge}`)
}

const names = ['limit', 'remaining', 'reset'].map(name => `x-ratelimit-${name}`)

/** Whether all three can be read. */
function checkLimitHeaders(seen: Seen, ledger: Ledger): boolean {
  const missing = names.filter(name => seen.headers[name] === undefined)
  ledger.expect('limit-headers', seen, missing.length > 0 && `without ${missing.join(' and ')}`)
  const odd = names.filter(name => !/^(?:0|[1-9]\d{0,18})$/.test(seen.headers[name] ?? '0'))
  ledger.expect(
    'limit-integers',
    seen,
    odd.length > 0 && odd.map(name => `${name}: ${seen.headers[name]}`).join(', '),
  )
  return missing.length + odd.length === 0
}

function checkLimits(seen: Seen, { ledger, plan, now, before }: Surroundings): void {
  const [limit = 0, remaining = 0, reset = 0] = names.map(name => Number(seen.headers[name]))
  ledger.expect('limit-remaining-range', seen, remaining > limit && `${remaining} of ${limit} remain`)
  const isSeconds = reset >= 1e9 && reset < 1e11
  ledger.expect('limit-reset-seconds', seen, !isSeconds && `X-RateLimit-Reset is ${reset}, ${guess(reset)}`)
  if (isSeconds && seen.status !== 429) {
    const ahead = reset - Math.floor(timeOf(seen.headers, now) / 1_000)
    const isAhead = ahead >= -tolerance && ahead <= day + tolerance
    ledger.expect('limit-reset-ahead', seen, !isAhead && `X-RateLimit-Reset is ${ahead} s ahead of Date`)
  }
  if (!showsKey(seen.request)) return
  const quotas = quotasOf(plan)
  if (quotas !== undefined && seen.status !== 401)
    ledger.expect(
      'limit-of-plan',
      seen,
      !quotas.includes(limit) && `${limit}, and the plan ${plan} has ${quotas.join(' and ')}`,
    )
  if (before === undefined || seen.status === 429 || seen.status === 401) return
  if (before.limit !== limit || before.reset !== reset) return
  const rule = seen.status < 400 ? 'limit-counts-down' : 'limit-counts-errors'
  ledger.expect(
    rule,
    seen,
    remaining >= before.remaining && `${remaining} remain, and ${before.remaining} did before this call`,
  )
}

function guess(reset: number): string {
  if (reset >= 1e11) return 'as if in milliseconds'
  return 'as if it were the seconds that are left'
}

function checkRefusal(seen: Seen, { ledger, now }: Surroundings): void {
  const { headers } = seen
  ledger.expect(
    'retry-not-stored',
    seen,
    !/\bno-store\b/.test(headers['cache-control'] ?? '') &&
      `Cache-Control is ${headers['cache-control'] ?? 'missing'}`,
  )
  const remaining = headers['x-ratelimit-remaining']
  if (remaining !== undefined)
    ledger.expect('limit-remaining-zero', seen, remaining !== '0' && `${remaining} remain`)
  const [waitMs, reset] = [waitOf(headers), Number(headers['x-ratelimit-reset'])]
  if (waitMs === undefined || !Number.isFinite(reset)) return
  const apart = Math.round((timeOf(headers, now) + waitMs) / 1_000 - reset)
  ledger.expect(
    'retry-agrees',
    seen,
    Math.abs(apart) > 1 && `Date and Retry-After come to ${apart} s after X-RateLimit-Reset`,
  )
}

/** Both quotas of a plan; Enterprise has custom ones, which nobody but its customer knows. */
function quotasOf(plan: string): readonly number[] | undefined {
  if (plan === 'enterprise' || !Object.hasOwn(shippedPlans, plan)) return undefined
  const { minute, day } = shippedPlans[plan as keyof typeof shippedPlans]
  return [minute, day]
}
