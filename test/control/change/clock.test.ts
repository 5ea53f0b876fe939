import { expect, test } from 'vitest'
import { readClock } from '../../../src/base/time/clock.ts'
import { formatInstant } from '../../../src/base/time/instant.ts'
import type { Command, ScenarioFile } from '../../../src/control/scenario/file.ts'
import { createEmulator } from '../../../src/emulator/emulator.ts'
import { changing } from '../../support/changes.ts'
import { describeDoors } from '../../support/doors.ts'
import { readLimits, readRetryAfter } from '../../support/expectations.ts'
import { scenarioOf } from '../../support/scenarios.ts'
import { takeSnapshot } from '../../support/snapshots.ts'

const start = Date.UTC(2026, 2, 2, 9)
const running: ScenarioFile = { clock: { at: '2026-03-02T09:00:00Z' } }
const frozen: ScenarioFile = { clock: { at: '2026-03-02T09:00:00Z', frozen: true } }
const fast: ScenarioFile = { clock: { at: '2026-03-02T09:00:00Z', scale: 30 } }

/** The command comes 10 s of wall time after the start, the clock is read 10 s after that. */
test.each<[string, ScenarioFile, Command, string]>([
  ['a running clock is frozen', running, { do: 'freezeClock' }, '09:00:10'],
  ['a fast clock is frozen', fast, { do: 'freezeClock' }, '09:05:00'],
  ['frozen later', running, { do: 'freezeClock', at: '2026-03-02T10:00:00Z' }, '10:00:00'],
  ['a frozen clock is moved, and stands', frozen, { do: 'advanceClock', by: '60s' }, '09:01:00'],
  ['a running clock is moved, and runs', running, { do: 'advanceClock', by: '60s' }, '09:01:20'],
  ['a fast clock is moved, and runs as fast', fast, { do: 'advanceClock', by: '1m' }, '09:11:00'],
  ['to an instant', running, { do: 'advanceClock', to: '2026-03-02T12:00:00Z' }, '12:00:10'],
  ['by nothing', frozen, { do: 'advanceClock', by: '0s' }, '09:00:00'],
  ['a frozen clock is let run', frozen, { do: 'resumeClock' }, '09:00:10'],
  ['a running clock is sped up', running, { do: 'resumeClock', scale: 30 }, '09:05:10'],
  ['a fast clock is slowed down', fast, { do: 'resumeClock' }, '09:05:10'],
  ['a clock is set as the scenario has it', running, { do: 'resetClock' }, '09:00:10'],
])('%s', (_name, file, command, expected) => {
  const emulator = createEmulator({ scenario: scenarioOf(file), startedAt: 0 })
  expect(changing(emulator)(command, undefined, 10_000)).toMatchObject({ ok: true })
  const at = readClock(emulator.sandboxes.default.clock, 20_000)
  expect(formatInstant(at)).toBe(`2026-03-02T${expected}Z`)
})

test.each<[Command, string]>([
  [
    { do: 'freezeClock', at: '2026-03-01' },
    'at: the clock is at 2026-03-02T09:00:00Z; only a reset or a snapshot moves it back.',
  ],
  [
    { do: 'advanceClock', by: '60' as '60s' },
    'by: expected a duration, such as 90s, 15m or 250ms, found "60".',
  ],
  [
    { do: 'advanceClock', to: 'noon' },
    'to: expected an instant, such as 2026-03-02T09:00:00Z, found "noon".',
  ],
])('refused: %j', (command, message) => {
  const emulator = createEmulator({ scenario: scenarioOf(frozen), startedAt: 0 })
  const before = emulator.sandboxes.default.clock
  expect(changing(emulator)(command, undefined, 5)).toEqual({
    ok: false,
    refusal: { code: 'invalid_command', message },
  })
  expect(emulator.sandboxes.default.clock).toBe(before)
})

test('the clock stays within years whose limits and bans have a valid date', () => {
  const emulator = createEmulator({ scenario: scenarioOf(frozen), startedAt: 0 })
  const change = changing(emulator)
  expect(change({ do: 'advanceClock', to: '9899-12-31T23:59:59Z' })).toMatchObject({ ok: true })
  expect(change({ do: 'advanceClock', by: '1s' })).toMatchObject({
    refusal: { message: 'by: the clock cannot move beyond the year 9899.' },
  })
})

test('the clock moves up to the present instant and not before it', () => {
  const emulator = createEmulator({ scenario: scenarioOf(frozen), startedAt: 0 })
  const change = changing(emulator)
  expect(change({ do: 'advanceClock', to: '2026-03-02T09:00:00Z' })).toMatchObject({ ok: true })
  expect(change({ do: 'advanceClock', to: '2026-03-02T08:59:59.999Z' })).toMatchObject({ ok: false })
})

test('small steps neither slow down nor speed up a scaled clock', () => {
  const slow: ScenarioFile = { clock: { at: '2026-03-02T09:00:00Z', scale: 0.001 } }
  const emulator = createEmulator({ scenario: scenarioOf(slow), startedAt: 0 })
  const change = changing(emulator)
  for (let now = 0; now < 1_000_000; now += 100) {
    change({ do: 'advanceClock', by: '0s' }, undefined, now)
    change({ do: 'resumeClock', scale: 0.001 }, undefined, now)
  }
  expect(readClock(emulator.sandboxes.default.clock, 1_000_000)).toBe(start + 1_000)
})

test('a clock of the machine far in the future stops the emulator in the year 9899', () => {
  const emulator = createEmulator({ scenario: scenarioOf({ clock: {} }), startedAt: 8.64e15 })
  const change = changing(emulator)
  const clock = () => formatInstant(readClock(emulator.sandboxes.default.clock, 8.64e15))
  expect(clock()).toBe('9899-12-31T23:59:59Z')
  expect(change({ do: 'advanceClock', by: '1s' }, undefined, 8.64e15)).toMatchObject({
    refusal: { message: 'by: the clock cannot move beyond the year 9899.' },
  })
  const snapshot = takeSnapshot(emulator.sandboxes.default)
  expect(change({ do: 'loadSnapshot', snapshot }, undefined, 8.64e15)).toMatchObject({ ok: true })
  expect(clock()).toBe('9899-12-31T23:59:59Z')
})

describeDoors('a clock that is moved', open => {
  test('windows roll without waiting', async () => {
    const scenario = scenarioOf({ keys: { 'demo-free': { used: { minute: 59 } } } })
    const { emulator, send } = await open({ scenario })
    expect((await send()).status).toBe(200)
    expect(readRetryAfter(await send())).toBe(60)
    changing(emulator)({ do: 'advanceClock', by: '60s' })
    expect(readLimits(await send()).remaining).toBe(59)
  })

  test('an operation is removed, and exists again after a reset', async () => {
    const { emulator, send } = await open()
    const change = changing(emulator)
    const status = async () => (await send({ target: '/v1/pets/1' })).status
    expect(await status()).toBe(200)
    change({ do: 'advanceClock', to: '2030-12-05' })
    expect(await status()).toBe(404)
    change({ do: 'resetClock' })
    expect(await status()).toBe(200)
  })

  test('a clock that moves back forgets later windows, strikes and bans', async () => {
    const scenario = scenarioOf({ keys: { 'demo-free': { limits: { minute: 1 } } }, bans: { after: 2 } })
    const { emulator, send } = await open({ scenario })
    const change = changing(emulator)
    change({ do: 'advanceClock', by: '1d' })
    const statuses = []
    for (let call = 0; call < 4; call += 1) statuses.push((await send()).status)
    expect(statuses).toEqual([200, 429, 429, 429])
    await send({ key: null })
    change({ do: 'resetClock' })
    const reply = await send()
    expect(reply.status).toBe(200)
    expect(readLimits(reply).reset).toBe(Math.floor(Date.UTC(2026, 2, 2, 12) / 1000) + 60)
    const anonymous = await send({ key: null })
    expect(readLimits(anonymous)).toMatchObject({ remaining: 59 })
  })

  test('a clock that moves back keeps a window that opens at that instant', async () => {
    const { emulator, send } = await open()
    await send()
    const change = changing(emulator)
    change({ do: 'advanceClock', by: '30s' })
    change({ do: 'resetClock' })
    expect(readLimits(await send()).remaining).toBe(58)
  })

  test('a clock that moves back takes the time of added rules along', async () => {
    const { emulator, send, advance } = await open()
    const change = changing(emulator)
    change({ do: 'advanceClock', by: '1d' })
    change({ do: 'addRule', rule: { ttl: '60s', then: { status: 503 } } })
    advance(20_000)
    change({ do: 'resetClock' })
    expect((await send()).status).toBe(503)
    advance(39_000)
    expect((await send()).status).toBe(503)
    advance(1_000)
    expect((await send()).status).toBe(200)
  })

  test('a reset that does not move the clock back keeps the windows', async () => {
    const { emulator, send } = await open()
    await send()
    changing(emulator)({ do: 'resetClock' })
    expect(readLimits(await send()).remaining).toBe(58)
  })
})

test('each sandbox has its own clock', () => {
  const emulator = createEmulator({ scenario: scenarioOf(frozen), startedAt: 0 })
  const change = changing(emulator)
  change({ do: 'advanceClock', by: '1h' }, 'a')
  change({ do: 'reset' }, 'b')
  const at = (name: string) => emulator.sandboxes.get(name)?.clock.at
  expect([at('default'), at('a'), at('b')]).toEqual([start, start + 3_600_000, start])
  change({ do: 'advanceClock', by: '1m' }, '*')
  expect([at('default'), at('a'), at('b')]).toEqual([start + 60_000, start + 3_660_000, start + 60_000])
})
