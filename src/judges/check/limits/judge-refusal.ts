import { quotaOf } from '../calls/call-budget.ts'
import type { CheckedCall } from '../calls/checked-call.ts'
import type { Counted } from '../calls/history.ts'
import { serviceTime } from '../calls/pace.ts'
import { retryMs } from '../calls/retry-after.ts'
import type { CheckRun } from '../run/check-run.ts'
import { seemsShared } from './counts.ts'

const minuteMs = 60_000
/** Two clocks differ, and headers are rounded. */
const toleranceMs = 5_000
/** A bucket that fills all the time, or a sliding window, has a new request so soon. */
const soonMs = 3_000

/** Judges the first refusal of a window, by the responses before it. */
export function judgeRefusal(run: CheckRun, call: CheckedCall): void {
  const { history, ledger, options, standing } = run
  const before = history.all.findLast(({ call }) => call.status !== 429)
  const quota = options.plan === 'enterprise' ? undefined : quotaOf(options.plan)
  const time = serviceTime(call.headers, options.now())
  const retry = retryMs(call.headers, time)
  if (before === undefined || before.standing.reset * 1_000 < time) {
    for (const id of ['limit-enforced', 'limit-not-early', 'limit-refused-window', 'retry-too-long'] as const)
      ledger.explain(id, 'a new window began before the refusal')
    return
  }
  const { limit, remaining } = before.standing
  const isMinute = quota === undefined || limit === quota.minute
  const unclear = isMinute ? undefined : 'the headers report the day, and the minute is used up first'

  const accepted = acceptedInWindow(history.all, before)
  const isOver = isMinute && accepted > limit && (retry === undefined || retry > soonMs)
  call.check('limit-enforced', !isOver, `${accepted} requests of ${limit} were accepted before it`)

  // The quota of the day may be used up, although the headers report the minute.
  const isOfDay = retry !== undefined && retry > minuteMs + toleranceMs
  const early = unclear ?? (isOfDay ? 'Retry-After is longer than the minute' : undefined)
  const shared = seemsShared(history.all, quota) ? 'others seem to use the key' : undefined
  if (remaining === 0) call.check('limit-not-early', true, '')
  else if (early === undefined && shared === undefined)
    call.check('limit-not-early', false, `${remaining} remained before the call`)
  else ledger.leaveOpen('limit-not-early', early ?? shared ?? '')

  const told = standing?.remaining ?? 0
  if (remaining > 0) ledger.explain('limit-refused-window', unclear ?? 'requests remained before the refusal')
  else
    call.check(
      'limit-refused-window',
      told === 0,
      `it reports ${told} of ${standing?.limit}, but the response before 0 of ${limit}`,
    )
  judgeLength(run, call, retry, isMinute && remaining === 0)
}

/** A longer Retry-After may be a ban, or the day: then Reset agrees with it. */
function judgeLength(
  { ledger, standing }: CheckRun,
  call: CheckedCall,
  retry: number | undefined,
  isMinute: boolean,
): void {
  if (retry === undefined) {
    ledger.explain('retry-too-long', 'Retry-After is missing or unreadable')
    return
  }
  const isLong = retry > minuteMs + toleranceMs
  const untilReset = (standing?.reset ?? 0) * 1_000 - serviceTime(call.headers, 0)
  const isAlone =
    standing !== undefined && call.headers.date !== undefined && untilReset + toleranceMs < retry
  const detail = `Retry-After is ${call.headers['retry-after']}, and the limit is per minute`
  if (!isLong || (isMinute && isAlone)) call.check('retry-too-long', !isLong, detail)
  else ledger.explain('retry-too-long', 'the refusal may be a ban, or of the day')
}

/** The requests with a success in the window of a response. */
function acceptedInWindow(all: readonly Counted[], { standing: { limit, reset } }: Counted): number {
  const isSame = ({ standing }: Counted) => standing.limit === limit && Math.abs(standing.reset - reset) <= 1
  return all.filter(counted => isSame(counted) && counted.call.status < 400).length
}
