import { expect, it } from 'vitest'
import type { ScenarioFile } from '../../src/control/scenario/file.ts'
import { describeDoors, type OpenDoor } from '../support/doors.ts'
import { scenarioOf } from '../support/scenarios.ts'

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
