import { writeJson } from '../../base/json/write.ts'
import { formatShare } from '../../base/text/quantities.ts'
import { type CheckedCall, pauseMs, quotaOf, retryMs, serviceTime } from './answers.ts'
import type { Answered, CheckRun, Part } from './check-run.ts'
import type { CheckId } from './checks.ts'
import { isSameWindow, longestMinuteMs, seemsShared } from './counts.ts'
import { newPet } from './pets.ts'
import { type CheckRequest, get, post } from './requests.ts'
import { callsToExhaust } from './sender.ts'

const smallest = get('/pets?limit=1')
const unreadable = 'Retry-After is missing or unreadable'
/** A bucket that fills all the time, or a sliding window, has a new request so soon. */
const soonMs = 3_000
/** Two windows: a slow service may not use one up. */
const patienceMs = 130_000
/** Requests that a service may accept over the limit, by rounding, until the run gives up. */
const mostOverdue = 5

/**
 * Uses up the rate limit, and retries as Retry-After says, with no call in between. Then uses it up again, and calls every
 * operation: requests after 429 may lead to a ban, so they come last.
 */
export const exhaust: Part = {
  name: 'exhaustion',
  needs: '--exhaust',
  makes: [
    'limit-enforced',
    'limit-not-early',
    'limit-refused-window',
    'limit-resets',
    'retry-works',
    'retry-too-long',
    'limit-every-operation',
  ],
  act: async run => {
    run.budget.release()
    const refused = await refusalOf(run)
    if (refused === undefined) return
    judgeRefusal(run, refused)
    const isOpen = await retries(run, refused)
    const again = isOpen ? await refusedAgain(run) : refused
    if (again !== undefined) await callAll(run, again)
  },
}

async function refusedAgain(run: CheckRun): Answered {
  const { budget, ledger, options } = run
  if (budget.callsLeft < callsToExhaust(options.plan)) {
    ledger.leaveOpen('limit-every-operation', 'too few calls are left to use up the limit again')
    return undefined
  }
  const again = await refusalOf(run)
  if (again !== undefined) judgeRefusal(run, again)
  return again
}

/** Calls until a call is refused. Undefined if the limit is not enforced, or if a response is missing. */
async function refusalOf(run: CheckRun): Answered {
  const { now, plan } = run.options
  // If nothing is left, wait for the next window to see all of it.
  const before = pauseMs(run.standing, now())
  if (before <= run.budget.timeLeft) await run.budget.wait(before, 'until the rate limit resets')
  const minute = quotaOf(plan)?.minute ?? 0
  const start = now()
  let overdue = 0
  for (let calls = 1; ; calls += 1) {
    const { remaining = 1, reset } = run.standing ?? {}
    const call = await run.callNow(smallest, remaining === 0 ? 'limit-enforced' : undefined)
    if (call === undefined || call.status === 429) return call
    if (call.status >= 400) {
      call.check('limit-enforced', false, `the status is ${call.status}, not 429`)
      return undefined
    }
    if (now() - start > patienceMs) {
      run.ledger.leaveOpen('limit-enforced', 'the service answers too slowly to use up the limit')
      return undefined
    }
    const regained = ((now() - start) * minute) / 60_000
    if (remaining === 0 && run.standing?.reset === reset) overdue += 1
    // Without readable headers, or with those of the day, a new window may have begun once.
    if (overdue <= mostOverdue + regained && calls <= 2 * minute + regained + 1) continue
    const times = overdue > 0 ? `${overdue} times, while 0 remained` : `${calls} times in a row`
    call.check('limit-enforced', false, `the status is ${call.status}, ${times}`)
    return undefined
  }
}

async function callAll(run: CheckRun, refused: CheckedCall): Promise<void> {
  const { ledger, options } = run
  const start = options.now()
  const time = serviceTime(refused.headers, start)
  // Either may say when a request is accepted again.
  const times = [retryMs(refused.headers, time), (run.standing?.reset ?? 0) * 1_000 - time]
  const most = Math.min(...times.filter(ms => ms !== undefined && ms > 0).map(Number))
  for (const request of otherRequests(run)) {
    if (options.now() - start + soonMs > most)
      return ledger.leaveOpen('limit-every-operation', 'the service accepts requests again too soon')
    const call = await run.callNow(request)
    if (call === undefined || request.target === '/store/orders') continue
    if (call.status === 401 || call.status === 403)
      return ledger.leaveOpen('limit-every-operation', `the status is ${call.status}, perhaps for a ban`)
    // A window that slides may have had room for one request just now.
    if (call.status === 429 || (await isOpenAlone(run, request)))
      call.check('limit-every-operation', call.status === 429, `the status is ${call.status}`)
    else ledger.leaveOpen('limit-every-operation', 'the limit may have reset meanwhile')
  }
}

/** Whether an operation is not refused again while lists are. */
async function isOpenAlone(run: CheckRun, request: CheckRequest): Promise<boolean> {
  for (const one of [smallest, request, request, request, smallest]) {
    const call = await run.callNow(one)
    if (call === undefined || (call.status === 429) !== (one === smallest)) return false
  }
  return true
}

function otherRequests(run: CheckRun): readonly CheckRequest[] {
  const { judge, allowsWrites } = run.options
  const [pet] = run.pets
  return judge.operations.flatMap(({ method, path }) => {
    if (method === 'GET' && path !== '/pets' && !path.includes('{')) return [get(path)]
    if (path === '/pets/{petId}' && !run.isAfterRemoval) return [get(`/pets/${String(pet?.id ?? 1)}`)]
    return method === 'POST' && path === '/pets' && allowsWrites ? [post(writeJson(newPet(run, {})))] : []
  })
}

/** Two clocks differ, and headers are rounded. */
const toleranceMs = 5_000

/** Judges the first refusal of a window, by the responses before it. */
function judgeRefusal(run: CheckRun, call: CheckedCall): void {
  const { history, ledger, options, standing } = run
  const before = history.all.findLast(({ call }) => call.status !== 429)
  const quota = options.plan === 'enterprise' ? undefined : quotaOf(options.plan)
  const time = serviceTime(call.headers, options.now())
  const retry = retryMs(call.headers, time)
  if (before === undefined || before.standing.reset * 1_000 < time) {
    for (const id of ['limit-enforced', 'limit-refused-window', 'retry-too-long'] as const)
      ledger.explain(id, 'a new window began before the refusal')
    return
  }
  const { limit, remaining } = before.standing
  const isMinute = quota === undefined || limit === quota.minute
  const unclear = isMinute ? undefined : 'the headers report the day, and the minute is used up first'

  const inWindow = history.all.filter(one => isSameWindow(one, before))
  const accepted = inWindow.filter(({ call }) => call.status < 400).length
  const isOver = isMinute && accepted > limit && (retry === undefined || retry > soonMs)
  call.check('limit-enforced', !isOver, `${accepted} requests of ${limit} were accepted before it`)

  const told = standing?.remaining ?? 0
  const detail = `it reports ${told} of ${standing?.limit}, but the response before 0 of ${limit}`
  if (remaining > 0) ledger.explain('limit-refused-window', unclear ?? 'requests remained before the refusal')
  else call.check('limit-refused-window', told === 0, detail)

  // A longer Retry-After may be a ban, or the day: then Reset agrees with it.
  if (retry === undefined) {
    ledger.explain('retry-too-long', unreadable)
    return
  }
  const isLong = retry > longestMinuteMs
  const untilReset = (standing?.reset ?? 0) * 1_000 - serviceTime(call.headers, 0)
  const isAlone =
    standing !== undefined && call.headers.date !== undefined && untilReset + toleranceMs < retry
  const length = `Retry-After is ${call.headers['retry-after']}, and the limit is per minute`
  if (!isLong || (isMinute && remaining === 0 && isAlone)) call.check('retry-too-long', !isLong, length)
  else ledger.explain('retry-too-long', 'the refusal may be a ban, or of the day')
}

/** Retry-After and Reset may be rounded down. */
const roundingMs = 1_000

/** Retries a refused call as a polite client does. Resolves with whether the service accepts requests again. */
export async function retries(run: CheckRun, refused: CheckedCall): Promise<boolean> {
  const { ledger, options, standing } = run
  const { now } = options
  const start = now()
  const time = serviceTime(refused.headers, start)
  const retry = retryMs(refused.headers, time)
  const reset = standing?.remaining === 0 ? standing.reset * 1_000 - time : undefined
  const mostMs = run.budget.timeLeft - roundingMs
  const isReset = reset !== undefined && reset > 0 && reset <= mostMs
  const isRetry = retry !== undefined && retry <= mostMs
  const told = `Retry-After is ${refused.headers['retry-after']}, longer than what is left of --max-time`
  if (!isRetry) ledger.leaveOpen('retry-works', retry === undefined ? unreadable : told)

  // Reset comes first, or alone.
  if (isReset && (!isRetry || reset + 3 * roundingMs < retry)) {
    await run.budget.wait(reset + roundingMs, 'until X-RateLimit-Reset')
    if (await isAccepted(run, 'limit-resets', 'X-RateLimit-Reset')) {
      ledger.leaveOpen('retry-works', 'the service accepted a request before Retry-After was over')
      return true
    }
  }
  if (!isRetry) {
    ledger.explain('limit-resets', 'Reset is too far ahead, or not ahead at all')
    return false
  }
  await run.budget.wait(Math.max(0, retry - (now() - start)) + roundingMs, 'until Retry-After is over')
  const isFine = await isAccepted(run, 'retry-works', 'Retry-After')
  if (isFine && isReset && Math.abs(reset - retry) <= 2 * roundingMs) refused.check('limit-resets', true, '')
  ledger.explain('limit-resets', 'Retry-After and X-RateLimit-Reset name different instants')
  return isFine
}

async function isAccepted(run: CheckRun, id: CheckId, header: string): Promise<boolean> {
  const { ledger, history, options, budget } = run
  const { calls } = budget
  const call = await run.callNow(smallest)
  if (call === undefined) return false
  const isShared = seemsShared(history.all, quotaOf(options.plan))
  // A ban may have another status than 429.
  const isRefused = [401, 403, 429].includes(call.status)
  if (isRefused && isShared) ledger.leaveOpen(id, 'others seem to use the key')
  else call.check(id, !isRefused, `the status is ${call.status}, although ${header} is over`)
  // If it was repeated, the calls before may count, too.
  if (isRefused || budget.calls > calls + 1) return !isRefused
  const { limit, remaining } = run.standing ?? {}
  if (limit !== undefined && limit === quotaOf(options.plan)?.minute) {
    const detail = `${formatShare(remaining ?? 0, limit)} remain after the first request`
    call.check('limit-whole', remaining === limit - 1, detail)
  }
  return true
}
