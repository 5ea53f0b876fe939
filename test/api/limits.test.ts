import { expect, test } from 'vitest'
import { describeDoors, type OpenDoor, type TestReply } from '../support/doors.ts'
import { expectProblem, readLimits, readRetryAfter } from '../support/expectations.ts'
import { noon, scenarioOf } from '../support/scenarios.ts'

const noonSecond = Math.floor(noon / 1_000)

async function sendMany({ send }: OpenDoor, count: number, key = 'demo-free'): Promise<TestReply[]> {
  const replies: TestReply[] = []
  for (let call = 0; call < count; call += 1) replies.push(await send({ key }))
  return replies
}

const statuses = (replies: readonly TestReply[]) => replies.map(reply => reply.status)
const times = (status: number, count: number) => Array.from({ length: count }, () => status)

describeDoors('rate limits', open => {
  test('free plan: calls 1 to 60 answer and count down; the 61st is 429 until the window resets', async () => {
    const door = await open()
    const replies = await sendMany(door, 60)
    expect(statuses(replies)).toEqual(times(200, 60))
    expect(replies.map(reply => readLimits(reply).remaining)).toEqual(
      Array.from({ length: 60 }, (_, call) => 59 - call),
    )
    expect(new Set(replies.map(reply => readLimits(reply).reset))).toEqual(new Set([noonSecond + 60]))

    const refused = await door.send()
    const message = expectProblem(refused, 429, 'rate_limit_exceeded')
    expect(message).toBe('Rate limit exceeded: 60 requests per minute (the Free plan). Retry in 60 s.')
    expect(readLimits(refused)).toEqual({ limit: 60, remaining: 0, reset: noonSecond + 60 })
    expect(refused.headers['cache-control']).toBe('no-store')

    door.advance(readRetryAfter(refused) * 1_000 - 251)
    expect((await door.send()).status).toBe(429)
    door.advance(1)
    expect(readLimits(await door.send())).toEqual({ limit: 60, remaining: 59, reset: noonSecond + 120 })
  })

  test('the wait shrinks with the clock, and is never less than a second', async () => {
    const door = await open({
      scenario: scenarioOf({ keys: { 'demo-free': { plan: 'free', used: { minute: 59 } } } }),
    })
    await door.send()
    const waits: number[] = []
    for (const ms of [0, 749, 1, 30_000, 28_000, 999]) {
      door.advance(ms)
      waits.push(readRetryAfter(await door.send()))
    }
    expect(waits).toEqual([60, 60, 59, 29, 1, 1])
  })

  test('the day: 1 000 calls over many minutes answer, the next is 429 until the day is over', async () => {
    const door = await open()
    for (let minute = 0; minute < 17; minute += 1) {
      const count = minute === 16 ? 40 : 60
      expect(statuses(await sendMany(door, count))).toEqual(times(200, count))
      if (minute < 16) door.advance(60_000)
    }
    const refused = await door.send()
    expect(expectProblem(refused, 429, 'rate_limit_exceeded')).toContain('1000 requests per day')
    expect(readLimits(refused)).toEqual({ limit: 1_000, remaining: 0, reset: noonSecond + 86_400 })
    door.advance(readRetryAfter(refused) * 1_000)
    expect(readLimits(await door.send())).toMatchObject({ limit: 60, remaining: 59 })
  })

  test.each([
    ['demo-free', 60],
    ['demo-pro', 300],
    ['demo-business', 1_000],
    ['demo-enterprise', 5_000],
  ])('%s may make %i calls a minute', async (key, limit) => {
    const { send } = await open()
    expect(readLimits(await send({ key }))).toMatchObject({ limit, remaining: limit - 1 })
  })

  // used before, then what the next call is told; both windows at once, tie: the longer
  test.each([
    [{ minute: 57, day: 412 }, 200, { limit: 60, remaining: 2, reset: noonSecond + 60 }],
    [{ minute: 0, day: 998 }, 200, { limit: 1_000, remaining: 1, reset: noonSecond + 86_400 }],
    [{ minute: 30, day: 970 }, 200, { limit: 1_000, remaining: 29, reset: noonSecond + 86_400 }],
    [{ minute: 31, day: 970 }, 200, { limit: 60, remaining: 28, reset: noonSecond + 60 }],
    [{ minute: 59, day: 999 }, 200, { limit: 1_000, remaining: 0, reset: noonSecond + 86_400 }],
    [{ minute: 60, day: 60 }, 429, { limit: 60, remaining: 0, reset: noonSecond + 60 }],
    [{ minute: 0, day: 1_000 }, 429, { limit: 1_000, remaining: 0, reset: noonSecond + 86_400 }],
    [{ minute: 60, day: 1_000 }, 429, { limit: 1_000, remaining: 0, reset: noonSecond + 86_400 }],
  ])('used before: %j: %i, %j', async (used, status, told) => {
    const { send } = await open({ scenario: scenarioOf({ keys: { 'demo-free': { plan: 'free', used } } }) })
    const reply = await send()
    expect(reply.status).toBe(status)
    expect(readLimits(reply)).toEqual(told)
  })

  test('what was used before belongs to a window that opens at the first counted call', async () => {
    const door = await open({
      scenario: scenarioOf({ keys: { 'demo-free': { plan: 'free', used: { minute: 58 } } } }),
    })
    door.advance(3_600_000)
    expect(readLimits(await door.send())).toEqual({ limit: 60, remaining: 1, reset: noonSecond + 3_660 })
  })

  test.each([
    ['minute', { limit: 60, remaining: 59, reset: noonSecond + 60 }],
    ['day', { limit: 1_000, remaining: 998 - 990, reset: noonSecond + 86_400 }],
  ] as const)(
    'limits.headers: %s tells of that window; a 429 of the exhausted one',
    async (headers, told) => {
      const used = { minute: 0, day: 991 }
      const door = await open({
        scenario: scenarioOf({ limits: { headers }, keys: { 'demo-free': { plan: 'free', used } } }),
      })
      expect(readLimits(await door.send())).toEqual(told)
      await sendMany(door, 8)
      expect(readLimits(await door.send())).toMatchObject({ limit: 1_000, remaining: 0 })
    },
  )

  test('limits.window: calendar resets at the full minute and at midnight UTC', async () => {
    const { send, advance } = await open({ scenario: scenarioOf({ limits: { window: 'calendar' } }) })
    advance(20_000)
    expect(readLimits(await send()).reset).toBe(noonSecond + 60)
    const day = await open({ scenario: scenarioOf({ limits: { window: 'calendar', headers: 'day' } }) })
    expect(readLimits(await day.send()).reset).toBe(Date.UTC(2026, 2, 3) / 1_000)
  })

  test('a refused call uses no quota in either window', async () => {
    const used = { minute: 60, day: 990 }
    const door = await open({
      scenario: scenarioOf({ bans: 'off', keys: { 'demo-free': { plan: 'free', used } } }),
    })
    await sendMany(door, 50)
    door.advance(60_000)
    expect(readLimits(await door.send())).toMatchObject({ limit: 1_000, remaining: 9 })
  })

  test('limits.countRefused: it does', async () => {
    const settings = { bans: 'off', limits: { countRefused: true } } as const
    const used = { minute: 60, day: 990 }
    const door = await open({
      scenario: scenarioOf({ ...settings, keys: { 'demo-free': { plan: 'free', used } } }),
    })
    await sendMany(door, 10)
    door.advance(60_000)
    expect(expectProblem(await door.send(), 429, 'rate_limit_exceeded')).toContain('per day')
  })

  test('limits.retryAfter: http-date names the same instant', async () => {
    const used = { minute: 60 }
    const scenario = scenarioOf({
      limits: { retryAfter: 'http-date' },
      keys: { 'demo-free': { plan: 'free', used } },
    })
    const reply = await (await open({ scenario })).send()
    expect(reply.headers['retry-after']).toBe('Mon, 02 Mar 2026 12:01:00 GMT')
    expect(readLimits(reply).reset).toBe(Date.parse(reply.headers['retry-after'] ?? '') / 1_000)
  })

  test('a clock that runs 30 times as fast: all instants are in the client’s own time', async () => {
    const clock = { at: '2026-03-02T12:00:00Z', scale: 30 }
    const used = { minute: 60 }
    const { send } = await open({
      scenario: scenarioOf({ clock, keys: { 'demo-free': { plan: 'free', used } } }),
    })
    const before = Math.floor(Date.now() / 1_000)
    const reply = await send()
    expect(readRetryAfter(reply)).toBeLessThanOrEqual(3)
    const told = Date.parse(reply.headers.date ?? '') / 1_000
    expect(told).toBeGreaterThanOrEqual(before)
    expect(told).toBeLessThanOrEqual(Math.floor(Date.now() / 1_000))
  })

  test('a change of plan keeps windows and counts, and Remaining is never below 0', async () => {
    const door = await open()
    await sendMany(door, 40, 'demo-pro')
    const key = door.emulator.sandboxes.default.keys.get('demo-pro')
    if (key === undefined) throw new Error('demo-pro must be known')
    Object.assign(key, { plan: 'free', quota: { minute: 30, day: 1_000 } })
    const reply = await door.send({ key: 'demo-pro' })
    expect(expectProblem(reply, 429, 'rate_limit_exceeded')).toContain(
      '30 requests per minute (the Free plan)',
    )
    expect(readLimits(reply)).toEqual({ limit: 30, remaining: 0, reset: noonSecond + 60 })
    Object.assign(key, { plan: 'business', quota: { minute: 1_000, day: 100_000 } })
    expect(readLimits(await door.send({ key: 'demo-pro' }))).toMatchObject({ limit: 1_000, remaining: 959 })
  })

  test('a change of plan keeps a ban', async () => {
    const keys = { 'demo-free': { plan: 'free', banned: '90s' as const } }
    const door = await open({ scenario: scenarioOf({ keys }) })
    const key = door.emulator.sandboxes.default.keys.get('demo-free')
    if (key === undefined) throw new Error('demo-free must be known')
    Object.assign(key, { plan: 'pro', quota: { minute: 300, day: 10_000 } })
    const reply = await door.send()
    expectProblem(reply, 429, 'api_key_banned')
    expect(readLimits(reply).limit).toBe(300)
  })

  test('a plan of the scenario’s own is called by its name, and one request is one request', async () => {
    const plans = { 'my-plan': { minute: 1, day: 9 } }
    const door = await open({ scenario: scenarioOf({ plans, keys: { mine: { plan: 'my-plan' } } }) })
    const [, refused] = await sendMany(door, 2, 'mine')
    expect(JSON.parse(refused?.text ?? '').message).toBe(
      'Rate limit exceeded: 1 request per minute (the my-plan plan). Retry in 60 s.',
    )
  })

  test('a key’s own limits go before its plan’s', async () => {
    const keys = { mine: { plan: 'free', limits: { minute: 2 } } }
    const door = await open({ scenario: scenarioOf({ keys }) })
    expect(statuses(await sendMany(door, 3, 'mine'))).toEqual([200, 200, 429])
  })

  test('whatever a call with a valid key is answered, it counts', async () => {
    const { send } = await open()
    const counted = [
      { target: '/v1/pets?limit=0' },
      { target: '/v1/pets/999' },
      { target: '/v1/nothing' },
      { method: 'DELETE' },
      { method: 'HEAD' },
      { method: 'POST' },
    ]
    for (const [index, request] of counted.entries())
      expect(readLimits(await send(request)).remaining).toBe(59 - index)
  })

  test('200 calls in parallel on 60 left: exactly 60 are accepted', async () => {
    const { send } = await open({ scenario: scenarioOf({ bans: 'off' }) })
    const replies = await Promise.all(Array.from({ length: 200 }, () => send()))
    expect(statuses(replies).toSorted()).toEqual([...times(200, 60), ...times(429, 140)])
    const remaining = replies.filter(reply => reply.status === 200).map(reply => readLimits(reply).remaining)
    expect(new Set(remaining).size).toBe(60)
  })
})
