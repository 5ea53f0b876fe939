import { describe, expect, test } from 'vitest'
import { reservedCalls, usualCalls } from '../../../src/judges/check/calls/call-budget.ts'
import { checkedCall } from '../../../src/judges/check/calls/checked-call.ts'
import type { Counted } from '../../../src/judges/check/calls/history.ts'
import { Ledger } from '../../../src/judges/check/calls/ledger.ts'
import { readStanding } from '../../../src/judges/check/calls/pace.ts'
import { get } from '../../../src/judges/check/calls/request.ts'
import { judgeCounts } from '../../../src/judges/check/limits/counts.ts'
import { exhaust } from '../../../src/judges/check/limits/exhaust.ts'
import { retries } from '../../../src/judges/check/limits/retries.ts'
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

test('the first reason for a check that could not be made holds', () => {
  const ledger = new Ledger()
  ledger.explain('retry-works', 'the first reason')
  ledger.explain('retry-works', 'another reason')
  expect(ledger.unmade.get('retry-works')).toBe('the first reason')
})

test('a check has failed if one of its calls failed it', () => {
  const ledger = new Ledger()
  const call = { request: get('/pets'), status: 200 }
  ledger.record('list-answers', call, undefined)
  ledger.record('list-limit', call, '3 animals')
  expect([ledger.isFailed('list-answers'), ledger.isFailed('list-limit')]).toEqual([false, true])
})

test.each<[reset: string, read: number | undefined]>([
  ['1767000000', 1_767_000_000],
  ['1767000000.25', 1_767_000_000.25],
  ['1767000000.x', undefined],
  ['soon', undefined],
])('Reset %s is read as %s', (reset, read) => {
  const headers = { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '9', 'x-ratelimit-reset': reset }
  expect(readStanding({ status: 200, headers, text: '' }, noon)?.reset).toBe(read)
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
    const { run, waits } = runAgainst(({ number }) => (number === 1 ? refusalFor(seconds) : {}))
    run.release()
    const refused = await run.callNow(get('/pets'))
    const isAccepted = refused && (await retries(run, refused))
    return { isAccepted, waits, open: run.ledger.open.get('retry-works') }
  }

  test('of --max-wait is waited for', async () => {
    expect(await retry(60)).toEqual({ isAccepted: true, waits: [61_000], open: undefined })
  })

  test('is not waited for beyond --max-wait, and the report says how long it is', async () => {
    const open = 'Retry-After is 61, longer than --max-wait (60 s)'
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
    const { run, sent } = runAgainst(() => refusalFor(600), { judge: { ...judge, operations } })
    await exhaust.act(run)
    expect(sent).toEqual(['GET /pets?limit=1', 'GET /store/orders', 'POST /pets'])
  })
})
