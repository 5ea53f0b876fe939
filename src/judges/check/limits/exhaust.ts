import { writeJson } from '../../../base/json/write.ts'
import { callsToExhaust, quotaOf } from '../calls/call-budget.ts'
import type { CheckedCall } from '../calls/checked-call.ts'
import { pauseMs, serviceTime } from '../calls/pace.ts'
import { type CheckRequest, get, post } from '../calls/request.ts'
import { retryMs } from '../calls/retry-after.ts'
import { newPet } from '../parts/create-pet.ts'
import type { CheckRun } from '../run/check-run.ts'
import type { Part } from '../run/part.ts'
import { judgeRefusal } from './judge-refusal.ts'
import { retries } from './retries.ts'

const smallest = get('/pets?limit=1')
/** A bucket that fills all the time has a new request so soon. */
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
    run.release()
    const refused = await refusalOf(run)
    if (refused === undefined) return
    judgeRefusal(run, refused)
    const isOpen = await retries(run, refused)
    const again = isOpen ? await refusedAgain(run) : refused
    if (again !== undefined) await callAll(run, again)
  },
}

async function refusedAgain(run: CheckRun): Promise<CheckedCall | undefined> {
  const { callsLeft, ledger, options } = run
  if (callsLeft < callsToExhaust(options.plan)) {
    ledger.explain('limit-every-operation', 'too few calls are left to use up the limit again')
    return undefined
  }
  const again = await refusalOf(run)
  if (again !== undefined) judgeRefusal(run, again)
  return again
}

/** Calls until a call is refused. Undefined if the limit is not enforced, or if a response is missing. */
async function refusalOf(run: CheckRun): Promise<CheckedCall | undefined> {
  const { now, wait, plan, maxWaitMs } = run.options
  // If nothing is left, wait for the next window to see all of it.
  const before = pauseMs(run.standing, now())
  if (before > 0 && before <= maxWaitMs) await wait(before)
  const minute = quotaOf(plan)?.minute ?? 0
  const start = now()
  let overdue = 0
  for (let calls = 1; ; calls += 1) {
    const { remaining = 1, reset } = run.standing ?? {}
    const call = await run.callNow(smallest)
    if (call === undefined || call.status === 429) return call
    if (call.status >= 400) {
      call.check('limit-enforced', false, `the status is ${call.status}, not 429`)
      return undefined
    }
    if (now() - start > patienceMs) {
      run.ledger.explain('limit-enforced', 'the service answers too slowly to use up the limit')
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

/** Calls every operation while the limit is exceeded. */
async function callAll(run: CheckRun, refused: CheckedCall): Promise<void> {
  const { ledger, options } = run
  const start = options.now()
  const time = serviceTime(refused.headers, start)
  // Either may say when a request is accepted again.
  const times = [retryMs(refused.headers, time), (run.standing?.reset ?? 0) * 1_000 - time]
  const most = Math.min(...times.filter(ms => ms !== undefined && ms > 0).map(Number))
  for (const request of otherRequests(run)) {
    if (options.now() - start + soonMs > most)
      return ledger.explain('limit-every-operation', 'the service accepts requests again too soon')
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
  for (const [one, isRefused] of [
    [smallest, true],
    [request, false],
    [request, false],
    [request, false],
    [smallest, true],
  ] as const) {
    const call = await run.callNow(one)
    if (call === undefined || (call.status === 429) !== isRefused) return false
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
