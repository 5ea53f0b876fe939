import { describe, expect, test } from 'vitest'
import { judgeCounts } from '../../../src/judges/conformance/counts.ts'
import { exhaust, retries } from '../../../src/judges/conformance/exhaustion.ts'
import { type Counted, checkedCall, Ledger } from '../../../src/judges/conformance/ledger.ts'
import { get } from '../../../src/judges/conformance/requests.ts'
import { reservedCalls, usualCalls } from '../../../src/judges/conformance/sender.ts'
import { noon } from '../../support/scenarios.ts'
import { runAgainst } from './run-against.ts'

test.each<[plan: string, exhausts: boolean, calls: number]>([
  ['free', false, 60],
  ['free', true, 200],
  ['unknown', false, 200],
])('a run against the plan %s (exhausts: %s) makes %i calls', (plan, exhausts, calls) => {
  expect(usualCalls(plan, exhausts)).toBe(calls)
})

test('a run holds back calls to use up the quota twice, or once if it may make few', () => {
  expect([100, 150, 200, 500].map(most => reservedCalls('free', most))).toEqual([70, 90, 140, 140])
})

describe('Remaining that stays the same', () => {
  interface Seen {
    readonly target?: string
    readonly status?: number
    readonly falls: number
  }

  /** The checks that responses fail, which came so many milliseconds apart. */
  function failedBy(seen: readonly Seen[], apartMs: number, minute: number): readonly string[] {
    const ledger = new Ledger()
    let [at, remaining] = [noon, minute - 10]
    const history = [{ falls: 0 }, ...seen].map(
      ({ target = '/pets', status = 200, falls }: Seen): Counted => {
        at += apartMs
        remaining -= falls
        const call = checkedCall(get(target), { status, headers: {}, text: '[]' }, ledger)
        const standing = { limit: minute, remaining, reset: noon / 1_000 + 60, blockedUntil: undefined }
        return { call, at, standing, strangers: [], isAfterGap: false }
      },
    )
    judgeCounts(history, { minute, day: 1_000_000 }, ledger)
    return ledger.failed.map(({ check }) => check)
  }

  const some = (count: number, one: Seen) => Array.from({ length: count }, () => one)
  const still = some(3, { falls: 0 })

  test.each<[what: string, seen: readonly Seen[], apartMs: number, minute: number, failed: string]>([
    ['within a moment, as in a bucket that fills as fast', still, 20, 3_000, 'limit-steady'],
    ['for seconds, while Reset stays, too', still, 2_000, 60, 'limit-counts-down'],
    [
      'at one operation only, so often that it is no coincidence',
      [...still, ...some(20, { target: '/pets/7', falls: 1 })],
      20,
      3_000,
      'limit-counts-down',
    ],
    [
      'at one operation, while errors of another one count',
      [...still, ...some(20, { target: '/pets/7', status: 404, falls: 1 })],
      20,
      3_000,
      'limit-steady',
    ],
    [
      'at one operation, and so seldom that it may be a coincidence',
      [...still, ...some(5, { target: '/pets/7', falls: 1 })],
      20,
      3_000,
      'limit-steady',
    ],
  ])('%s', (_what, seen, apartMs, minute, failed) => {
    expect(failedBy(seen, apartMs, minute)).toEqual([failed])
  })
})

const refusalFor = (seconds: number) => ({ status: 429, headers: { 'retry-after': `${seconds}` } })

describe('the wait of Retry-After', () => {
  async function retry(seconds: number) {
    const { run, waits } = runAgainst(({ number }) => (number === 1 ? refusalFor(seconds) : {}), {
      maxTimeMs: 62_000,
    })
    run.budget.release()
    const refused = await run.callNow(get('/pets'))
    const isAccepted = refused && (await retries(run, refused))
    return { isAccepted, waits, open: run.ledger.open.get('retry-works') }
  }

  test('that fits into --max-time is waited for', async () => {
    expect(await retry(60)).toEqual({ isAccepted: true, waits: [61_000], open: undefined })
  })

  test('is not waited for beyond --max-time, and the report says how long it is', async () => {
    const open = 'Retry-After is 61, longer than what is left of --max-time'
    expect(await retry(61)).toEqual({ isAccepted: false, waits: [], open })
  })
})

describe('using up the limit', () => {
  test('of a service that has none ends soon after twice the quota', async () => {
    const { run, sent } = runAgainst(() => ({}))
    await exhaust.act(run)
    const failed = run.ledger.failed.find(({ check }) => check === 'limit-enforced')
    expect(failed?.detail).toBe('the status is 200, 135 times in a row')
    expect(sent.length).toBe(135)
  })

  test('calls the other operations that the API has, and creates pets only', async () => {
    const operation = (method: string, path: string) => ({ id: path, method, path, statuses: [] })
    const { judge } = runAgainst(() => ({})).run.options
    const operations = [
      operation('GET', '/store/orders'),
      operation('POST', '/pets'),
      operation('POST', '/toys'),
    ]
    const { run, sent } = runAgainst(({ number }) => (number === 1 ? {} : refusalFor(600)), {
      judge: { ...judge, operations },
    })
    await exhaust.act(run)
    expect(sent.slice(1)).toEqual(['GET /pets?limit=1', 'GET /store/orders', 'POST /pets'])
  })
})
