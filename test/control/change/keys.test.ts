import { expect, test } from 'vitest'
import type { Command } from '../../../src/control/scenario/file.ts'
import { createEmulator } from '../../../src/emulator/emulator.ts'
import { changing } from '../../support/changes.ts'
import { describeDoors } from '../../support/doors.ts'
import { expectProblem, readLimits, readRetryAfter } from '../../support/expectations.ts'
import { scenarioOf } from '../../support/scenarios.ts'

describeDoors('keys that are changed from outside', open => {
  test('a key is added and deleted', async () => {
    const { emulator, send } = await open()
    const change = changing(emulator)
    const call = () => send({ key: 'my-app' })
    expectProblem(await call(), 401, 'invalid_api_key')
    change({ do: 'addKey', key: 'my-app', plan: 'pro', used: { minute: 10 } })
    expect(readLimits(await call())).toMatchObject({ limit: 300, remaining: 289 })
    change({ do: 'deleteKey', key: 'my-app' })
    expectProblem(await call(), 401, 'invalid_api_key')
  })

  test('a key is revoked and valid again', async () => {
    const { emulator, send } = await open()
    const change = changing(emulator)
    change({ do: 'changeKey', key: 'demo-free', revoked: true })
    expectProblem(await send(), 401, 'invalid_api_key')
    change({ do: 'changeKey', key: 'demo-free', revoked: false })
    expect((await send()).status).toBe(200)
  })

  test('a key expires at its instant; null removes the expiry', async () => {
    const { emulator, send, advance } = await open()
    const change = changing(emulator)
    change({ do: 'changeKey', key: 'demo-free', expires: '2026-03-02T12:00:30Z' })
    expect((await send()).status).toBe(200)
    advance(30_000)
    expectProblem(await send(), 401, 'invalid_api_key')
    change({ do: 'changeKey', key: 'demo-free', expires: null })
    expect((await send()).status).toBe(200)
  })

  test('a new plan brings its quota, and keeps counts (A05)', async () => {
    const { emulator, send } = await open()
    await send()
    changing(emulator)({ do: 'changeKey', key: 'demo-free', plan: 'pro' })
    expect(readLimits(await send())).toMatchObject({ limit: 300, remaining: 298 })
    changing(emulator)({ do: 'changeKey', key: 'demo-free', plan: 'free', used: { minute: 60 } })
    expectProblem(await send(), 429, 'rate_limit_exceeded')
  })

  test('the result of a change is a copy, without the last refusal: later calls leave it as it is', async () => {
    const { emulator, send } = await open()
    const change = changing(emulator)
    change({ do: 'changeKey', key: 'demo-free', used: { minute: 60 } })
    expectProblem(await send(), 429, 'rate_limit_exceeded')
    const result = change({ do: 'changeKey', key: 'demo-free', limits: { minute: 100 } })
    await send()
    const windows = result.ok ? result.changed.key?.windows : undefined
    expect(windows?.minute.used).toBe(60)
    expect(windows).not.toHaveProperty('lastRefusal')
  })

  test('a key gets its own quota, then that of its plan again', async () => {
    const { emulator, send } = await open()
    const change = changing(emulator)
    change({ do: 'changeKey', key: 'demo-free', limits: { minute: 5 } })
    expect(readLimits(await send())).toMatchObject({ limit: 5, remaining: 4 })
    change({ do: 'changeKey', key: 'demo-free', revoked: false })
    expect(readLimits(await send())).toMatchObject({ limit: 5, remaining: 3 })
    change({ do: 'changeKey', key: 'demo-free', limits: null })
    expect(readLimits(await send())).toMatchObject({ limit: 60, remaining: 57 })
  })

  test('a given count is for the window that is open now', async () => {
    const { emulator, send, advance } = await open()
    await send()
    advance(60_000)
    changing(emulator)({ do: 'changeKey', key: 'demo-free', used: { minute: 58 } })
    const { remaining, reset } = readLimits(await send())
    expect({ remaining, reset }).toEqual({ remaining: 1, reset: Date.UTC(2026, 2, 2, 12, 2) / 1000 })
  })

  test.each([
    [{ minute: 59 }, { minute: 59, day: 59 }],
    [{ minute: 1 }, { minute: 1, day: 4 }],
    [{ day: 3 }, { minute: 3, day: 3 }],
  ])('the calls of a minute count for the day too, %j', async (used, expected) => {
    const keys = { 'demo-free': { used: { minute: 3, day: 4 } } }
    const { emulator } = await open({ scenario: scenarioOf({ keys }) })
    const result = changing(emulator)({ do: 'changeKey', key: 'demo-free', used })
    const windows = result.ok ? result.changed.key?.windows : undefined
    expect(windows).toMatchObject({ minute: { used: expected.minute }, day: { used: expected.day } })
  })

  test('a count of the day below that of the minute is refused, until the minute is over', async () => {
    const { emulator, send, advance } = await open()
    const change = () => changing(emulator)({ do: 'changeKey', key: 'demo-free', used: { day: 1 } })
    await send()
    await send()
    const message =
      'used: the calls of this minute count for the day too: expected day to be at least 2, found 1.'
    expect(change()).toEqual({ ok: false, refusal: { code: 'invalid_command', message } })
    advance(60_000)
    expect(change()).toMatchObject({
      changed: { key: { windows: { minute: { used: 0 }, day: { used: 1 } } } },
    })
  })

  test.each([
    [{}, 300],
    [{ for: '2m' as const }, 120],
  ])('a ban, %j', async (length, seconds) => {
    const { emulator, send, advance } = await open()
    changing(emulator)({ do: 'banKey', key: 'demo-free', ...length })
    const reply = await send()
    expect(expectProblem(reply, 429, 'api_key_banned')).toContain('by hand')
    expect(readRetryAfter(reply)).toBe(seconds)
    advance(seconds * 1000)
    expect((await send()).status).toBe(200)
  })

  test('lifting a ban clears its strikes', async () => {
    const scenario = scenarioOf({ keys: { 'demo-free': { used: { minute: 60 }, strikes: 9 } } })
    const { emulator, send } = await open({ scenario })
    expectProblem(await send(), 429, 'api_key_banned')
    changing(emulator)({ do: 'unbanKey', key: 'demo-free' })
    expectProblem(await send(), 429, 'rate_limit_exceeded')
  })
})

const known = 'known are demo-free, demo-pro, demo-business, demo-enterprise'

test.each<[Command, string, string]>([
  [{ do: 'banKey', key: 'demo-fre' }, 'not_found', 'unknown key "demo-fre"; did you mean demo-free?'],
  [{ do: 'deleteKey', key: 'x' }, 'not_found', `unknown key "x"; ${known}.`],
  [
    { do: 'addKey', key: 'a b', plan: 'free' },
    'invalid_command',
    'key: expected an API key (letters, digits and . _ ~ + / -), found "a b".',
  ],
  [
    { do: 'addKey', key: 'demo-free', plan: 'free' },
    'invalid_command',
    'key: the key "demo-free" already exists.',
  ],
  [
    { do: 'addKey', key: 'x', plan: 'fre' },
    'invalid_command',
    'plan: unknown plan "fre"; did you mean free?',
  ],
  [
    { do: 'changeKey', key: 'demo-free', plan: 'gold' },
    'invalid_command',
    'plan: unknown plan "gold"; known are free, pro, business, enterprise.',
  ],
  [
    { do: 'changeKey', key: 'demo-free', revoked: true, limits: { minute: 0, day: 1.5 } },
    'invalid_command',
    'limits.minute: expected a whole number of calls (1 or more), found 0; limits.day: expected a whole number of calls (1 or more), found 1.5.',
  ],
  [
    { do: 'banKey', key: 'demo-free', for: 'ever' as '1s' },
    'invalid_command',
    'for: expected a duration of at least 1s, such as 90s or 15m, found "ever".',
  ],
  [
    { do: 'addKey', key: 'x', plan: 'free', strikes: 10 },
    'invalid_command',
    'strikes: a key with 10 refused calls is banned (bans.after): expected fewer strikes, or the time left of its ban, such as banned: 90s.',
  ],
  [
    { do: 'addKey', key: 'x', plan: 'free', used: { minute: 59, day: 0 } },
    'invalid_command',
    'used: the calls of this minute count for the day too: expected day to be at least 59, found 0.',
  ],
  [
    { do: 'changeKey', key: 'demo-pro', used: { minute: 10, day: 3 } },
    'invalid_command',
    'used: the calls of this minute count for the day too: expected day to be at least 10, found 3.',
  ],
  [
    { do: 'changeKey', key: 'demo-free', used: { minute: 2 ** 53 - 1 } },
    'invalid_command',
    'used.minute: expected a whole number of calls (0 to 2^52), found 9007199254740991.',
  ],
  [
    { do: 'changeKey', key: 'demo-free', expires: '9999-12-31T23:59:59-23:59' },
    'invalid_command',
    'expires: expected an instant, such as 2026-03-02T09:00:00Z, found "9999-12-31T23:59:59-23:59".',
  ],
  [
    { do: 'addKey', key: 'x', plan: 'free', banned: '500ms' },
    'invalid_command',
    'banned: expected a duration of at least 1s, such as 90s or 15m, found "500ms".',
  ],
])('a refused command changes nothing: %j', (command, code, message) => {
  const emulator = createEmulator({ scenario: scenarioOf({}), startedAt: 0 })
  const before = structuredClone([...emulator.sandboxes.default.keys])
  expect(changing(emulator)(command)).toEqual({ ok: false, refusal: { code, message } })
  expect([...emulator.sandboxes.default.keys]).toEqual(before)
})

test.each<Command>([
  { do: 'banKey', key: 'demo-free' },
  { do: 'addKey', key: 'x', plan: 'free', banned: '90s' },
])('refused where bans are off: %j', command => {
  const emulator = createEmulator({ scenario: scenarioOf({ bans: 'off' }), startedAt: 0 })
  const message = 'bans: this scenario has bans off, so no key can be banned.'
  expect(changing(emulator)(command)).toEqual({ ok: false, refusal: { code: 'invalid_command', message } })
})

test('where bans are off, a key with any number of strikes is added', () => {
  const emulator = createEmulator({ scenario: scenarioOf({ bans: 'off' }), startedAt: 0 })
  expect(changing(emulator)({ do: 'addKey', key: 'x', plan: 'free', strikes: 50 })).toMatchObject({
    ok: true,
    changed: { key: { text: 'x', strikes: { count: 50 } } },
  })
})

test('a command for several sandboxes changes all of them or none', () => {
  const emulator = createEmulator({ scenario: scenarioOf({}), startedAt: 0 })
  const change = changing(emulator)
  change({ do: 'addKey', key: 'mine', plan: 'free' }, 'a')
  expect(change({ do: 'banKey', key: 'mine' }, '*')).toMatchObject({ ok: false })
  expect(emulator.sandboxes.get('a')?.keys.get('mine')?.strikes.bannedUntil).toBeUndefined()
  expect(change({ do: 'banKey', key: 'demo-pro' }, '*')).toMatchObject({
    ok: true,
    changed: { sandboxes: ['default', 'a'], key: { text: 'demo-pro' } },
  })
})
