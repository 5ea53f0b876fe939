import { describe, expect, test } from 'vitest'
import type { CheckRun } from '../../../src/judges/conformance/check-run.ts'
import { judgeCounts, judgeEarly, judgeResets } from '../../../src/judges/conformance/counts.ts'
import { exhaust, retries } from '../../../src/judges/conformance/exhaustion.ts'
import {
  type Counted,
  checkedCall,
  type FailedCheck,
  Ledger,
} from '../../../src/judges/conformance/ledger.ts'
import { unanswered } from '../../../src/judges/conformance/other-requests.ts'
import { get } from '../../../src/judges/conformance/requests.ts'
import { type CheckAnswer, reservedCalls, usualCalls } from '../../../src/judges/conformance/sender.ts'
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

interface Seen {
  readonly target?: string
  readonly status?: number
  /** How much less remains than after the response before. */
  readonly falls: number
  /** Who called without the key, since the response before. */
  readonly strangers?: readonly string[]
}

/** What judges say of responses that came so many milliseconds apart, the first with ten calls used. */
function judged(
  seen: readonly Seen[],
  apartMs: number,
  limit: number,
  judge: (history: readonly Counted[], ledger: Ledger) => void,
): readonly FailedCheck[] {
  const ledger = new Ledger()
  let [at, remaining] = [noon, limit - 10]
  const history = [{ falls: 0 }, ...seen].map(
    ({ target = '/pets', status = 200, falls, strangers = [] }: Seen): Counted => {
      at += apartMs
      remaining -= falls
      const call = checkedCall(get(target), { status, headers: {}, text: '[]' }, ledger)
      const standing = { limit, remaining, reset: noon / 1_000 + 60, blockedUntil: undefined }
      return { call, at, standing, strangers, isAfterGap: false }
    },
  )
  judge(history, ledger)
  return ledger.failed
}

describe('Remaining that stays the same', () => {
  /** The checks that fail. The limit is that of the minute, unless it is the one of this day. */
  function failedBy(
    seen: readonly Seen[],
    apartMs: number,
    limit: number,
    day = 1_000_000,
  ): readonly string[] {
    const quota = { minute: limit === day ? 60 : limit, day }
    const failed = judged(seen, apartMs, limit, (history, ledger) => judgeCounts(history, quota, ledger))
    return failed.map(({ check }) => check)
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

  test('for a moment: a bucket of the day does not fill as fast as one of the minute', () => {
    expect(failedBy(still, 1_000, 1_000)).toEqual(['limit-steady'])
    expect(failedBy(still, 1_000, 1_000, 1_000)).toEqual(['limit-counts-down'])
  })

  test('after calls without the key names all of these', () => {
    const seen = [{ falls: 0, strangers: ['without a key', 'with a wrong key'] }]
    const failed = judged(seen, 1_000, 60, (history, ledger) => judgeCounts(history, undefined, ledger))
    expect(failed.map(({ check, detail }) => `${check}: ${detail}`)).toEqual([
      'limit-steady: 50 remained before the call, 50 after it, with a call without a key and one with a wrong key in between',
    ])
  })
})

describe('a refusal while calls remain', () => {
  const [accepted, refused] = [{ falls: 1 }, { status: 429, falls: 49 }]
  const regained = { falls: -49 }

  test.each<[what: string, seen: readonly Seen[], failed: readonly string[]]>([
    ['is too early', [accepted, refused], ['limit-not-early']],
    [
      'after another refusal may be a ban, or of the day, which the headers do not announce',
      [accepted, refused, regained, refused],
      ['limit-not-early', 'limit-announced'],
    ],
  ])('%s', (_what, seen, checks) => {
    const quota = { minute: 60, day: 1_000 }
    const failed = judged(seen, 1_000, 60, (history, ledger) => judgeEarly(history, quota, ledger))
    expect(failed.map(({ check, detail }) => `${check}: ${detail}`)).toEqual(
      checks.map(check => `${check}: 49 remained before the call`),
    )
  })
})

describe('Reset that is never after Date', () => {
  /** The outcome of accepted responses, each of which uses one of 60 calls. Instants are seconds after noon. */
  function outcomeOf(
    times: readonly number[],
    { reset = 0, date = 0, used = 5, falls = 1, others = 0 } = {},
  ): string {
    const ledger = new Ledger()
    const history = times.map((seconds, index): Counted => {
      const at = noon + seconds * 1_000
      const headers = { date: new Date(at + date * 1_000).toUTCString() }
      const call = checkedCall(get('/pets'), { status: 200, headers, text: '[]' }, ledger)
      const second = Math.floor(at / 1_000) + reset
      const standing = {
        limit: 60,
        remaining: 60 - used - falls * index - (index > 6 ? others : 0),
        reset: second,
        blockedUntil: undefined,
      }
      return { call, at, standing, strangers: [], isAfterGap: false }
    })
    judgeResets(history, { minute: 60, day: 1_000 }, ledger)
    return ledger.isFailed('limit-reset-ahead') ? 'failed' : ledger.open.size > 0 ? 'open' : 'passed'
  }

  const every = (seconds: number, count: number) => Array.from({ length: count }, (_, at) => at * seconds)

  test.each<[what: string, times: readonly number[], as: Parameters<typeof outcomeOf>[1], outcome: string]>([
    ['for longer than two clocks explain', every(0.5, 14), {}, 'failed'],
    ['by the service, and by a gateway whose clock is ahead', every(0.5, 14), { date: 2 }, 'failed'],
    ['for a moment, as at the end of a window', every(0.1, 13), {}, 'open'],
    ['in few responses', [...every(0.1, 8), 7, 7.1], {}, 'open'],
    ['of a slow service', every(0.6, 13), {}, 'open'],
    ['in a bucket that is almost full', every(0.5, 14), { used: 1, falls: 0 }, 'open'],
    ['by a Date that is ahead, only', every(0.5, 14), { date: 5, reset: 2 }, 'open'],
    ['with a key that others use', every(0.5, 14), { others: 3 }, 'open'],
    ['in two responses', every(6, 2), {}, 'passed'],
    ['but is after it by rounding', every(0.5, 14), { reset: 1 }, 'passed'],
  ])('%s', (_what, times, as, outcome) => {
    expect(outcomeOf(times, as)).toBe(outcome)
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
    expect(await retry(60)).toEqual({
      isAccepted: true,
      waits: ['61000 ms until Retry-After is over'],
      open: undefined,
    })
  })

  test('is not waited for beyond --max-time, and the report says how long it is', async () => {
    const open = 'Retry-After is 61, longer than what is left of --max-time'
    expect(await retry(61)).toEqual({ isAccepted: false, waits: [], open })
  })
})

describe('using up the limit', () => {
  test('says nothing about the refusal if a new window began before it', async () => {
    const headers = (reset: number) => ({
      'x-ratelimit-limit': '60',
      'x-ratelimit-remaining': '7',
      'x-ratelimit-reset': `${noon / 1_000 + reset}`,
    })
    const { run } = runAgainst(({ number }) =>
      number < 20 ? { headers: headers(1) } : { status: 429, headers: headers(61) },
    )
    await exhaust.act(run)
    for (const id of ['limit-enforced', 'limit-refused-window', 'retry-too-long'] as const)
      expect(run.ledger.unmade.get(id)).toBe('a new window began before the refusal')
  })

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

describe('a service that counts calls that it answers with 500', () => {
  const [lists, pet, orders] = [get('/pets'), get('/pets/7'), get('/store/orders')]
  /** A run of which the service answers some calls with 500, and the first one with 429. */
  function runOf(isFailing: (target: string, number: number) => boolean) {
    return runAgainst(({ target, number }) => {
      if (number === 1) return refusalFor(1)
      const headers = {
        'x-ratelimit-limit': '60',
        'x-ratelimit-remaining': `${61 - number}`,
        'x-ratelimit-reset': `${noon / 1_000 + 60}`,
      }
      return { headers, status: isFailing(target, number) ? 500 : 200 }
    }).run
  }

  test.each<[what: string, act: (run: CheckRun) => Promise<unknown>]>([
    ['an animal', run => run.call(pet)],
    [
      'an animal, again at the end',
      async run => {
        await run.call(pet)
        for (let calls = 0; calls < 3; calls += 1) await run.call(lists)
        await unanswered.act(run)
      },
    ],
    ['orders, which nobody describes', run => run.call(orders, 'orders-answer')],
  ])('is not said to have other callers: %s', async (_what, act) => {
    const run = runOf(target => target !== lists.target)
    run.budget.release()
    await run.callNow(lists)
    for (let calls = 0; calls < 3; calls += 1) await run.call(lists)
    await act(run)
    for (let calls = 0; calls < 3; calls += 1) await run.call(lists)
    judgeCounts(run.history.all, { minute: 60, day: 1_000 }, run.ledger)
    expect(run.ledger.open.get('limit-counts-once')).toBeUndefined()
    expect(run.ledger.checked.get('limit-counts-once')).toBe(1)
    expect(run.ledger.isFailed('limit-counts-once')).toBe(false)
  })

  test.each([
    ['is', false, 1],
    ['is not', true, undefined],
  ])(
    '%s judged by what remains after the first request of a window (repeated: %s)',
    async (_, fails, made) => {
      const run = runOf((_target, number) => fails && number === 2)
      run.budget.release()
      const refused = await run.callNow(lists)
      expect(refused && (await retries(run, refused))).toBe(true)
      expect(run.ledger.checked.get('limit-whole')).toBe(made)
      expect(run.ledger.isFailed('limit-whole')).toBe(false)
    },
  )
})

describe('an operation that others do not resemble', () => {
  const orders = get('/store/orders')

  test('is called no more when it answers 429, also after Retry-After', async () => {
    const { run, sent } = runAgainst(({ target }) => (target === orders.target ? refusalFor(1) : {}))
    run.budget.release()
    await run.call(get('/pets'))
    await run.call(orders)
    await run.ask(orders, ['orders-answer'])
    expect(sent).toEqual(['GET /pets', 'GET /store/orders', 'GET /store/orders'])
    expect(run.ledger.open.get('orders-answer')).toBe('GET /store/orders answers 429, also after Retry-After')
  })

  test.each<[what: string, answer: CheckAnswer, got: string, detail: string]>([
    ['5xx', { status: 503, headers: {}, text: '' }, '503', 'the status is 503'],
    ['no answer', { fails: 'hang' }, 'no answer (hang)', 'no answer (hang)'],
  ])('is named when one of its requests gets %s at the end, too', async (_, answer, got, detail) => {
    const { send } = runAgainst(() => ({})).run.options
    const { run, waits } = runAgainst(() => ({}), {
      send: async (request, ms) => (request.target === '/pets/7' ? answer : send(request, ms)),
    })
    run.budget.release()
    await run.call(get('/pets/8'))
    await run.ask(get('/pets/7'), ['get-same'])
    await unanswered.act(run)
    expect(waits).toEqual([1_000, 2_000].map(ms => `${ms} ms to repeat GET /v1/pets/7 after ${got}`))
    expect(run.ledger.open.get('get-same')).toBe(`GET /v1/pets/7 got ${got} each time`)
    expect(run.sender.availability.about).toBe(
      `4 of 5 calls (80.0 %) got ${got}. GET /v1/pets/7 got ${got} each time.`,
    )
    expect(run.ledger.failed).toContainEqual(
      expect.objectContaining({ check: 'availability', detail, count: 4 }),
    )
    expect(run.ledger.checked.get('availability')).toBe(5)
  })

  test('is named with what it got when it is called no more', async () => {
    const { run } = runAgainst(({ number }) => ({ status: number % 2 === 0 ? 502 : 500 }))
    run.budget.release()
    await run.ask(get('/pets/7'), ['get-same'])
    await run.ask(get('/pets/8'), ['get-answers'])
    expect([...run.ledger.open.values()]).toEqual([
      'GET /v1/pets/7 got 500 or 502 each time',
      'GET /pets/{petId} got 500 or 502 each time',
    ])
  })
})
