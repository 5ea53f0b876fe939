import { pause } from './pace.ts'
import { type CheckRequest, get, post, type Seen } from './request.ts'
import type { Part, Run } from './run-parts.ts'

const smallest = get('/pets?limit=1')

/** Spends what is left of the window, sees every operation refused once, and waits as long as it is told to. */
export const exhaust: Part = {
  name: 'exhaustion',
  act: async run => {
    run.service.release()
    const refused = await spend(run)
    if (refused === undefined) return
    const { service, ledger, maxWaitMs, now, wait } = run
    for (const request of othersOf(run)) {
      const seen = await service.callNow(request)
      if (seen !== undefined)
        ledger.expect('limit-every-operation', seen, seen.status !== 429 && `the status is ${seen.status}`)
    }
    const ms = pause(service.standing, now())
    if (ms === 0 || ms > maxWaitMs) return
    await wait(ms)
    const after = await service.callNow(smallest)
    if (after !== undefined)
      ledger.expect('retry-works', after, after.status === 429 && 'it is refused again')
  },
}

/** Calls until one is refused; undefined when that is long overdue. */
async function spend({ service, ledger, now, wait }: Run): Promise<Seen | undefined> {
  // What is left may be none by now: then a window begins, so that all of it is seen.
  const before = pause(service.standing, now())
  if (before > 0) await wait(before)
  for (let overdue = 0; overdue < 2; ) {
    const { remaining, reset } = service.standing ?? { remaining: 0, reset: 0 }
    const seen = await service.callNow(smallest)
    if (seen === undefined) return undefined
    const isSameWindow = service.standing?.reset === reset
    if (seen.status === 429) {
      ledger.expect('limit-enforced', seen, undefined)
      ledger.expect('limit-not-early', seen, remaining > 0 && `${remaining} remained before it`)
      return seen
    }
    if (remaining === 0 && isSameWindow) {
      ledger.expect('limit-enforced', seen, `the status is ${seen.status}, and none remained before it`)
      overdue += 1
    }
  }
  return undefined
}

function othersOf({ operations, allowsWrites }: Run): readonly CheckRequest[] {
  return operations.flatMap(({ method, path }) => {
    const target = path.replaceAll(/\{[^}]*\}/g, '1')
    if (method === 'GET' && path !== '/pets') return [get(target)]
    return method === 'POST' && path === '/pets' && allowsWrites ? [post('{}')] : []
  })
}
