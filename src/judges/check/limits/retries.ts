import { quotaOf } from '../calls/call-budget.ts'
import type { CheckedCall } from '../calls/checked-call.ts'
import type { CheckId } from '../calls/checks.ts'
import { serviceTime } from '../calls/pace.ts'
import { get } from '../calls/request.ts'
import { retryMs } from '../calls/retry-after.ts'
import type { CheckRun } from '../run/check-run.ts'
import { seemsShared } from './counts.ts'

const smallest = get('/pets?limit=1')
/** Retry-After and Reset may be rounded down. */
const roundingMs = 1_000

/** Retries a refused call as a polite client does. Resolves with whether the service accepts requests again. */
export async function retries(run: CheckRun, refused: CheckedCall): Promise<boolean> {
  const { ledger, options, standing } = run
  const { now, wait, maxWaitMs } = options
  const start = now()
  const time = serviceTime(refused.headers, start)
  const retry = retryMs(refused.headers, time)
  const reset = standing?.remaining === 0 ? standing.reset * 1_000 - time : undefined
  const isReset = reset !== undefined && reset > 0 && reset <= maxWaitMs
  const isRetry = retry !== undefined && retry <= maxWaitMs
  if (!isRetry) ledger.leaveOpen('retry-works', whyNot(retry, refused, maxWaitMs))

  // Reset comes first, or alone.
  if (isReset && (!isRetry || reset + 3 * roundingMs < retry)) {
    await wait(reset + roundingMs)
    if (await isAccepted(run, 'limit-resets', 'X-RateLimit-Reset')) {
      ledger.leaveOpen('retry-works', 'the service accepted a request before Retry-After was over')
      return true
    }
  }
  if (!isRetry) {
    ledger.explain('limit-resets', 'Reset is too far ahead, or not ahead at all')
    return false
  }
  await wait(Math.max(0, retry - (now() - start)) + roundingMs)
  const isFine = await isAccepted(run, 'retry-works', 'Retry-After')
  if (isFine && isReset && Math.abs(reset - retry) <= 2 * roundingMs) refused.check('limit-resets', true, '')
  ledger.explain('limit-resets', 'Retry-After and X-RateLimit-Reset name different instants')
  return isFine
}

async function isAccepted(run: CheckRun, id: CheckId, header: string): Promise<boolean> {
  const { ledger, history, options } = run
  const call = await run.callNow(smallest)
  if (call === undefined) return false
  const isShared = seemsShared(history.all, quotaOf(options.plan))
  if (isRefused(call) && isShared) ledger.leaveOpen(id, 'others seem to use the key')
  else call.check(id, !isRefused(call), `the status is ${call.status}, although ${header} is over`)
  const { limit, remaining } = run.standing ?? {}
  if (limit === quotaOf(options.plan)?.minute && !isRefused(call))
    call.check(
      'limit-whole',
      remaining === (limit ?? 0) - 1,
      `${remaining} of ${limit} remain after the first request`,
    )
  return !isRefused(call)
}

/** A ban may have another status than 429. */
function isRefused({ status }: CheckedCall): boolean {
  return [401, 403, 429].includes(status)
}

function whyNot(retry: number | undefined, { headers }: CheckedCall, maxWaitMs: number): string {
  if (retry === undefined) return 'Retry-After is missing or unreadable'
  return `Retry-After is ${headers['retry-after']}, longer than --max-wait (${maxWaitMs / 1_000} s)`
}
