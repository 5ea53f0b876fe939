import { expect, test } from 'vitest'
import type { ScenarioFile } from '../../src/control/scenario/file.ts'
import { describeDoors, type OpenDoor } from '../support/doors.ts'
import { expectProblem, readLimits, readRetryAfter } from '../support/expectations.ts'
import { noon, scenarioOf } from '../support/scenarios.ts'

const noonSecond = Math.floor(noon / 1_000)
const exhausted = (file: ScenarioFile = {}) =>
  scenarioOf({ keys: { 'demo-free': { plan: 'free', used: { minute: 60 } } }, ...file })

async function codes({ send }: OpenDoor, count: number): Promise<string[]> {
  const seen: string[] = []
  for (let call = 0; call < count; call += 1) seen.push(JSON.parse((await send()).text).code ?? 'accepted')
  return seen
}

const times = (code: string, count: number) => Array.from({ length: count }, () => code)

describeDoors('bans', open => {
  test('the 10th refused call is itself banned, for 300 s from that instant', async () => {
    const door = await open({ scenario: exhausted() })
    expect(await codes(door, 9)).toEqual(times('rate_limit_exceeded', 9))
    door.advance(20_000)
    const reply = await door.send()
    expect(expectProblem(reply, 429, 'api_key_banned')).toContain('banned until 2026-03-02T12:05:20Z')
    expect(readLimits(reply)).toEqual({ limit: 60, remaining: 0, reset: noonSecond + 320 })
    expect(readRetryAfter(reply)).toBe(300)
    expect(reply.headers['cache-control']).toBe('no-store')
  })

  test('calls during a ban neither extend it nor use quota; at its end strikes are 0', async () => {
    const door = await open({ scenario: exhausted() })
    await codes(door, 10)
    door.advance(299_000)
    expect(await codes(door, 40)).toEqual(times('api_key_banned', 40))
    expect(readRetryAfter(await door.send())).toBe(1)
    door.advance(749)
    expect(await codes(door, 1)).toEqual(['api_key_banned'])
    door.advance(1)
    expect(readLimits(await door.send())).toMatchObject({ limit: 60, remaining: 59 })
    expect(await codes(door, 59)).toEqual(times('accepted', 59))
    expect(await codes(door, 9)).toEqual(times('rate_limit_exceeded', 9))
  })

  test('at its end strikes are 0, even if no call was accepted since', async () => {
    const keys = { 'demo-free': { plan: 'free', used: { day: 1_000 } } }
    const door = await open({ scenario: scenarioOf({ keys, bans: { after: 2, for: '60s' } }) })
    expect(await codes(door, 2)).toEqual(['rate_limit_exceeded', 'api_key_banned'])
    door.advance(60_000)
    expect(await codes(door, 2)).toEqual(['rate_limit_exceeded', 'api_key_banned'])
  })

  test('an accepted call wipes the strikes', async () => {
    const door = await open({ scenario: exhausted() })
    await codes(door, 9)
    door.advance(60_000)
    expect(await codes(door, 60)).toEqual(times('accepted', 60))
    expect(await codes(door, 10)).toEqual([...times('rate_limit_exceeded', 9), 'api_key_banned'])
  })

  test('every call with a banned key is answered with the ban', async () => {
    const door = await open({ scenario: exhausted() })
    await codes(door, 10)
    for (const request of [
      { target: '/v1/nothing' },
      { method: 'PATCH' },
      { method: 'POST' },
      { target: '/v1/pets?limit=0' },
    ]) {
      expectProblem(await door.send(request), 429, 'api_key_banned')
    }
    expect((await door.send({ key: 'demo-pro' })).status).toBe(200)
  })

  test('Retry-After waits for an exhausted day as well', async () => {
    const keys = { 'demo-free': { plan: 'free', used: { day: 1_000 } } }
    const door = await open({ scenario: scenarioOf({ keys }) })
    await codes(door, 9)
    const reply = await door.send()
    expectProblem(reply, 429, 'api_key_banned')
    expect(readLimits(reply)).toEqual({ limit: 60, remaining: 0, reset: noonSecond + 86_400 })
    expect(readRetryAfter(reply)).toBe(86_400)
  })

  // used before, and how long a key is told to wait that is banned for 90 s more
  test.each([
    [{ minute: 59, day: 999 }, 90],
    [{ minute: 60 }, 90],
    [{ minute: 0, day: 1_000 }, 86_400],
    [{ minute: 60, day: 1_000 }, 86_400],
  ])(
    'a key that a scenario bans, with %j used: after the %i s that it is told, it is accepted',
    async (used, wait) => {
      const keys = { 'demo-free': { plan: 'free', used, banned: '90s' as const } }
      const door = await open({ scenario: scenarioOf({ keys }) })
      const reply = await door.send()
      expectProblem(reply, 429, 'api_key_banned')
      expect(readRetryAfter(reply)).toBe(wait)
      door.advance(wait * 1_000)
      expect((await door.send()).status).toBe(200)
    },
  )

  test('a key that a scenario bans', async () => {
    const keys = { 'demo-free': { plan: 'free', banned: '90s' as const } }
    const door = await open({ scenario: scenarioOf({ keys }) })
    expect(readRetryAfter(await door.send())).toBe(90)
    door.advance(89_750)
    expect((await door.send()).status).toBe(200)
  })

  test('bans: off', async () => {
    const door = await open({ scenario: exhausted({ bans: 'off' }) })
    expect(await codes(door, 30)).toEqual(times('rate_limit_exceeded', 30))
  })

  test('bans.after and bans.for', async () => {
    const door = await open({ scenario: exhausted({ bans: { after: 2, for: '2m' } }) })
    expect(await codes(door, 2)).toEqual(['rate_limit_exceeded', 'api_key_banned'])
    expect(readRetryAfter(await door.send())).toBe(120)
  })

  test('bans.grace: refusals this soon after the first are not held against the key', async () => {
    const door = await open({ scenario: exhausted({ bans: { after: 3, grace: '5s' } }) })
    expect(await codes(door, 20)).toEqual(times('rate_limit_exceeded', 20))
    door.advance(5_000)
    expect(await codes(door, 2)).toEqual(['rate_limit_exceeded', 'api_key_banned'])
  })

  test('bans.extend: a call during a ban starts it anew', async () => {
    const door = await open({ scenario: exhausted({ bans: { after: 1, for: '100s', extend: true } }) })
    await door.send()
    door.advance(60_000)
    expect(readRetryAfter(await door.send())).toBe(100)
  })

  test('bans.extend never makes a ban shorter', async () => {
    const keys = { 'demo-free': { plan: 'free', banned: '2h' as const } }
    const door = await open({ scenario: scenarioOf({ keys, bans: { for: '60s', extend: true } }) })
    door.advance(60_000)
    expect(readRetryAfter(await door.send())).toBe(7_140)
  })

  test('bans.extend: a shorter ban has the usual length from the next call on', async () => {
    const keys = { 'demo-free': { plan: 'free', banned: '10s' as const } }
    const door = await open({ scenario: scenarioOf({ keys, bans: { for: '300s', extend: true } }) })
    expect(readRetryAfter(await door.send())).toBe(300)
  })

  test('bans.grace begins anew with the first refusal after an accepted call', async () => {
    const door = await open({ scenario: exhausted({ bans: { after: 2, grace: '5s' } }) })
    expect(await codes(door, 1)).toEqual(['rate_limit_exceeded'])
    door.advance(60_000)
    expect(await codes(door, 60)).toEqual(times('accepted', 60))
    expect(await codes(door, 9)).toEqual(times('rate_limit_exceeded', 9))
  })

  test('bans.extend together with bans.escalate: the same ban anew, not the next one', async () => {
    const bans = { after: 1, for: '100s' as const, extend: true, escalate: { factor: 3, max: '1h' as const } }
    const door = await open({ scenario: exhausted({ bans }) })
    await door.send()
    door.advance(60_000)
    expect(readRetryAfter(await door.send())).toBe(100)
  })

  test('bans.escalate: the ban that a scenario starts with is the first', async () => {
    const bans = { after: 1, for: '100s' as const, escalate: { factor: 3, max: '1h' as const } }
    const keys = { 'demo-free': { plan: 'free', used: { day: 1_000 }, banned: '10s' as const } }
    const door = await open({ scenario: scenarioOf({ bans, keys }) })
    door.advance(10_000)
    expect(expectProblem(await door.send(), 429, 'api_key_banned')).toContain('until 2026-03-02T12:05:10Z')
  })

  test('bans.escalate: each ban is longer, up to the maximum', async () => {
    const bans = { after: 1, for: '60s' as const, escalate: { factor: 3, max: '5m' as const } }
    const door = await open({
      scenario: scenarioOf({
        bans,
        plans: { tiny: { minute: 1, day: 1_000 } },
        keys: { 'demo-free': { plan: 'tiny' } },
      }),
    })
    const waits: number[] = []
    for (let round = 0; round < 4; round += 1) {
      await door.send()
      waits.push(readRetryAfter(await door.send()))
      door.advance(600_000)
    }
    expect(waits).toEqual([60, 180, 300, 300])
  })

  test.each([
    [401, 'Bearer realm="pet-api", error="invalid_token", error_description="The API key is banned"'],
    [403, undefined],
  ] as const)('bans.status: %i', async (status, challenge) => {
    const door = await open({ scenario: exhausted({ bans: { after: 1, status } }) })
    const reply = await door.send()
    expectProblem(reply, status, 'api_key_banned')
    expect(reply.headers['www-authenticate']).toBe(challenge)
    expect(readRetryAfter(reply)).toBe(300)
  })

  test('a burst of 75 parallel calls on the free plan is banned, as the specification warns', async () => {
    const door = await open()
    const replies = await Promise.all(Array.from({ length: 75 }, () => door.send()))
    const banned = replies.filter(reply => reply.text.includes('api_key_banned'))
    expect([replies.filter(reply => reply.status === 200).length, banned.length]).toEqual([60, 6])
  })
})
