import { expect, it } from 'vitest'
import type { Command, ScenarioFile } from '../../src/control/scenario/file.ts'
import type { Emulator } from '../../src/emulator/emulator.ts'
import { changing } from '../support/changes.ts'
import { describeDoors, type OpenDoor } from '../support/doors.ts'
import { scenarioOf } from '../support/scenarios.ts'
import { takeSandboxesSnapshot, takeSnapshot } from '../support/snapshots.ts'

describeDoors('a scenario in the place of another', open => {
  const start: ScenarioFile = { keys: { mine: { plan: 'free' }, other: { plan: 'free' } } }
  const adopt = ({ emulator }: OpenDoor, file: ScenarioFile) =>
    emulator.sandboxes.adopt(scenarioOf(file), Date.now())
  const openUsed = async () => {
    const door = await open({ scenario: scenarioOf(start) })
    await door.send({ key: 'mine' })
    return door
  }

  it.each<[what: string, file: ScenarioFile, target: string, status: number]>([
    ['nothing', {}, '/v1/pets?limit=101', 400],
    ['pageSize', { pageSize: 'clamp' }, '/v1/pets?limit=101', 200],
    ['deprecation', { deprecation: { removedAt: '2026-01-01T00:00:00Z' } }, '/v1/pets/1', 404],
    ['a quota', { plans: { free: { minute: 1 } } }, '/v1/pets', 429],
    ['a key', { keys: { mine: { plan: 'free', revoked: true } } }, '/v1/pets', 401],
    ['rules', { rules: [{ then: { status: 503 } }] }, '/v1/pets', 503],
    ['a key that is gone', { keys: { other: { plan: 'free' } } }, '/v1/pets', 401],
    ['an expiry', { keys: { mine: { plan: 'free', expires: '2026-01-01T00:00:00Z' } } }, '/v1/pets', 401],
    ['pets, which stay', { pets: { count: 0 } }, '/v1/pets/100', 200],
    ['the clock, which stays', { clock: { at: '2031-01-01T00:00:00Z' } }, '/v1/pets/1', 200],
    [
      'what is used, which stays',
      { keys: { mine: { plan: 'free', used: { minute: 60 } } } },
      '/v1/pets',
      200,
    ],
    ['a ban, which does not begin', { keys: { mine: { plan: 'free', banned: '9s' } } }, '/v1/pets', 200],
  ])('changes %s, in a world that was called', async (_what, file, target, status) => {
    const door = await openUsed()
    adopt(door, { ...start, ...file })
    expect((await door.send({ key: 'mine', target })).status).toBe(status)
  })

  it('keeps the pages that were written from being given out under other settings', async () => {
    const door = await openUsed()
    expect((await door.send()).headers.link).toContain('rel="next"')
    adopt(door, { ...start, pagination: 'none' })
    expect((await door.send()).headers.link).toBe(undefined)
  })

  it('keeps the headers of a deprecated operation from being given out with an old date', async () => {
    const door = await openUsed()
    const sunset = async () => (await door.send({ key: 'mine', target: '/v1/pets/1' })).headers.sunset
    expect(await sunset()).toContain('2030')
    adopt(door, { ...start, deprecation: { removedAt: '2031-01-01T00:00:00Z' } })
    expect(await sunset()).toContain('2031')
  })

  it('names the plan of a key in each refusal, also if it was refused under another one', async () => {
    const none = { minute: 1, day: 1 }
    const plans = { one: none, two: none }
    const used = { minute: 1, day: 1 }
    const door = await open({ scenario: scenarioOf({ plans, keys: { mine: { plan: 'one', used } } }) })
    const refusal = async () => (await door.send({ key: 'mine' })).text
    expect([await refusal(), await refusal()].join()).toMatch(/the one plan.*the one plan/)
    adopt(door, { plans, keys: { mine: { plan: 'two', used } } })
    expect(await refusal()).toContain('the two plan')
  })

  it.each<[what: string, file: ScenarioFile, target: string, status: number]>([
    ['pets', { pets: { count: 0 } }, '/v1/pets/100', 404],
    ['the clock', { clock: { at: '2031-01-01T00:00:00Z' } }, '/v1/pets/1', 404],
    ['what is used', { keys: { mine: { plan: 'free', used: { minute: 60 } } } }, '/v1/pets', 429],
  ])('is all that counts in a world that was not called: %s', async (_what, file, target, status) => {
    const door = await open({ scenario: scenarioOf(start) })
    adopt(door, { ...start, ...file })
    expect((await door.send({ key: 'mine', target })).status).toBe(status)
  })

  it('leaves alone what was done by hand and what it does not say anew', async () => {
    const door = await openUsed()
    const { keys } = door.emulator.sandboxes.default
    const [mine, other] = [keys.get('mine'), keys.get('other')]
    if (mine === undefined || other === undefined) throw new Error('the keys are gone')
    mine.plan = 'pro'
    mine.quota = { minute: 300, day: 10_000 }
    keys.delete('other')
    keys.set('hand', { ...other, text: 'hand' })
    adopt(door, { ...start, bans: 'off' })
    expect((await door.send({ key: 'mine' })).headers['x-ratelimit-limit']).toBe('300')
    expect((await door.send({ key: 'other' })).status).toBe(401)
    expect((await door.send({ key: 'hand' })).status).toBe(200)
  })

  it.each<[what: string, command: Command, file: ScenarioFile, quota: [number, number]]>([
    [
      'moved to another plan by hand, when its old plan changes',
      { do: 'changeKey', key: 'mine', plan: 'pro' },
      { plans: { free: { minute: 7 } } },
      [300, 10_000],
    ],
    [
      'put on a plan by hand, when that plan changes',
      { do: 'changeKey', key: 'mine', plan: 'pro' },
      { plans: { pro: { minute: 7 } } },
      [7, 10_000],
    ],
    [
      'added by hand, when its plan changes',
      { do: 'addKey', key: 'hand', plan: 'pro' },
      { plans: { pro: { minute: 7 } } },
      [7, 10_000],
    ],
    [
      'with a quota by hand, when its plan changes',
      { do: 'changeKey', key: 'mine', limits: { minute: 5 } },
      { plans: { free: { minute: 7 } } },
      [5, 1_000],
    ],
    [
      'with a quota by hand, when the file moves it',
      { do: 'changeKey', key: 'mine', limits: { minute: 5 } },
      { keys: { mine: { plan: 'pro' }, other: { plan: 'free' } } },
      [300, 10_000],
    ],
  ])('gives a key %s its quota', async (_what, command, file, [minute, day]) => {
    const door = await openUsed()
    const key = 'key' in command ? command.key : ''
    expect(changing(door.emulator)(command)).toMatchObject({ ok: true })
    adopt(door, { ...start, ...file })
    expect(door.emulator.sandboxes.default.keys.get(key)?.quota).toEqual({ minute, day })
  })

  it('keeps a ban made by hand of a key that started with one', async () => {
    const file: ScenarioFile = { keys: { mine: { plan: 'free', banned: '60s' } } }
    const door = await open({ scenario: scenarioOf(file) })
    changing(door.emulator)({ do: 'banKey', key: 'mine', for: '1h' })
    adopt(door, { ...file, pageSize: 'clamp' })
    door.advance(120_000)
    expect((await door.send({ key: 'mine' })).status).toBe(429)
  })

  it.each([
    ['of one sandbox', ({ sandboxes }: Emulator) => takeSnapshot(sandboxes.default), undefined],
    ['of all', ({ sandboxes }: Emulator) => takeSandboxesSnapshot(sandboxes), '*'],
  ])(
    'reaches a world after a snapshot %s was put back that is older than the file',
    async (_what, take, sandbox) => {
      const door = await openUsed()
      const snapshot = take(door.emulator)
      adopt(door, { ...start, pageSize: 'clamp' })
      const change = changing(door.emulator)
      expect(change({ do: 'loadSnapshot', snapshot }, sandbox)).toMatchObject({ ok: true })
      const status = async () => (await door.send({ key: 'mine', target: '/v1/pets?limit=101' })).status
      expect(await status()).toBe(400)
      adopt(door, { ...start, pageSize: 'clamp', bans: 'off' })
      expect(await status()).toBe(200)
      change({ do: 'reset' })
      adopt(door, { ...start, pageSize: 'reject' })
      expect(await status()).toBe(400)
    },
  )

  it('leaves a sandbox alone that was given a scenario of its own', async () => {
    const door = await openUsed()
    const change = changing(door.emulator)
    expect(change({ do: 'useScenario', scenario: 'outage' }, 'own')).toMatchObject({ ok: true })
    change({ do: 'reset' }, 'own')
    adopt(door, { ...start, pageSize: 'clamp' })
    expect(door.emulator.sandboxes.get('own')?.scenario.name).toBe('outage')
    change({ do: 'useScenario', scenario: start, name: 'mine' }, '*')
    adopt(door, { ...start, pageSize: 'clamp' })
    expect(door.emulator.sandboxes.get('own')?.scenario.behaviour.pageSize).toBe('clamp')
  })

  it('makes no sandbox the most recently used', async () => {
    const door = await openUsed()
    for (const name of ['a', 'b', 'c']) changing(door.emulator)({ do: 'createSandbox', name })
    await door.send({ key: 'mine+a' })
    expect(door.emulator.sandboxes.names()).toEqual(['default', 'b', 'c', 'a'])
    adopt(door, { ...start, pageSize: 'clamp' })
    expect(door.emulator.sandboxes.names()).toEqual(['default', 'b', 'c', 'a'])
  })

  it('keeps what a rule of the same name has counted', async () => {
    const second = (status: number): ScenarioFile => ({
      ...start,
      rules: [{ name: 'the second', when: { after: 1 }, then: { status } }],
    })
    const door = await open({ scenario: scenarioOf(second(503)) })
    expect((await door.send({ key: 'mine' })).status).toBe(200)
    adopt(door, second(500))
    expect((await door.send({ key: 'mine' })).status).toBe(500)
  })

  it('takes a clock that was moved for a world in use', async () => {
    const door = await open({ scenario: scenarioOf(start) })
    door.advance(1)
    adopt(door, { ...start, pets: { count: 0 } })
    expect((await door.send({ target: '/v1/pets/100' })).status).toBe(200)
  })
})
