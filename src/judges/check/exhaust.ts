import type { CheckRun, Part } from './check-run.ts'
import { pauseMs } from './pace.ts'
import { type CheckRequest, get, post } from './request.ts'

const smallest = get('/pets?limit=1')

/** Uses up the rate limit, calls every operation once, and waits until the limit resets. */
export const exhaust: Part = {
  name: 'exhaustion',
  act: async run => {
    run.release()
    if (!(await isExhausted(run))) return
    for (const request of otherRequests(run)) {
      const call = await run.callNow(request)
      call?.check('limit-every-operation', call.status === 429, `the status is ${call.status}`)
    }
    const { maxWaitMs, now, wait } = run.options
    const ms = pauseMs(run.standing, now())
    if (ms === 0 || ms > maxWaitMs) return
    await wait(ms)
    const after = await run.callNow(smallest)
    after?.check('retry-works', after.status !== 429, 'the status is 429 again')
  },
}

/** Calls until a call is refused. False if two calls over the limit are not, or if a response is missing. */
async function isExhausted(run: CheckRun): Promise<boolean> {
  const { now, wait } = run.options
  // If nothing is left, wait for the next window to see all of it.
  const before = pauseMs(run.standing, now())
  if (before > 0) await wait(before)
  for (let overdue = 0; overdue < 2; ) {
    const { remaining, reset } = run.standing ?? { remaining: 0, reset: 0 }
    const call = await run.callNow(smallest)
    if (call === undefined) return false
    if (call.status === 429) {
      call.check('limit-enforced', true, '')
      call.check('limit-not-early', remaining === 0, `${remaining} remained before the call`)
      return true
    }
    if (remaining === 0 && run.standing?.reset === reset) {
      call.check('limit-enforced', false, `the status is ${call.status}, but 0 remained before the call`)
      overdue += 1
    }
  }
  return false
}

function otherRequests({ options: { judge, allowsWrites } }: CheckRun): readonly CheckRequest[] {
  return judge.operations.flatMap(({ method, path }) => {
    if (method === 'GET' && path !== '/pets') return [get(path.replaceAll(/\{[^}]*\}/g, '1'))]
    return method === 'POST' && path === '/pets' && allowsWrites ? [post('{}')] : []
  })
}
