import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { createEventRunner } from '../../../src/control/change/run-event.ts'
import { shippedScenarios } from '../../../src/control/scenario/shipped.ts'
import { shippedWalkthroughs } from '../../../src/judges/walkthrough/shipped.ts'
import { openAdminServer } from '../../support/admin-server.ts'

test.for([...shippedWalkthroughs.keys()])(
  'the walkthrough of %s is played step by step, in a sandbox of its own',
  async name => {
    const { ask } = await openAdminServer({}, { runEvent: createEventRunner('server') })
    await ask('/sandboxes/mine', {}, 'PUT')
    const { start, steps, yaml, title } = (await ask(`/scenarios/${name}`)).json
    expect(parse(yaml).title).toBe(shippedScenarios.get(name)?.title)
    expect((await ask('/scenario?sandbox=mine', start, 'PUT')).json).toMatchObject({ name, title })
    let saved = {}
    for (const [index, step] of steps.entries()) {
      const reply = await ask(`/scenarios/${name}/steps/${index + 1}?sandbox=mine`, { saved })
      expect([step.text, reply.status, reply.json]).toEqual([
        step.text,
        200,
        expect.objectContaining({ differences: [], impossible: null, isLast: index === steps.length - 1 }),
      ])
      saved = reply.json.saved
    }
  },
)

test('a step that differs says how, and calls are in the journal', async () => {
  const { ask } = await openAdminServer()
  const played = (await ask('/scenarios/ban/steps/1', {})).json
  expect(played).toMatchObject({ number: 1, calls: 1, outcome: '200', isLast: false })
  expect(played.differences[0]).toMatchObject({ what: 'status', got: '200' })
  expect((await ask('/requests')).json.requests).toMatchObject([{ path: '/v1/pets', key: 'demo-f…' }])
})

test.for([
  ['GET', '/scenarios/bann', 'No shipped scenario is named "bann"; did you mean ban?'],
  ['POST', '/scenarios/bann/steps/1', 'No shipped scenario is named "bann"; did you mean ban?'],
  ['POST', '/scenarios/ban/steps/900', 'The walkthrough of ban has no step 900.'],
] as const)('%s %s: 404', async ([method, path, message]) => {
  const { ask } = await openAdminServer()
  const { status, json } = await ask(path, method === 'POST' ? {} : undefined, method)
  expect([status, json]).toEqual([404, { code: 'not_found', message, status: 404 }])
})

test('the state of a sandbox is a scenario file, in which every text is only text', async () => {
  const { ask, call } = await openAdminServer({ keys: { mine: { plan: 'free' } } })
  const name = '<img src=x onerror=alert(1)>: "#'
  await ask('/pets', { name, categoryId: 1 })
  for (let calls = 0; calls < 3; calls += 1) await call('/v1/pets', 'mine')
  const { headers, text } = await ask('/situation.yaml')
  expect(headers).toMatchObject({
    'content-type': 'application/yaml',
    'content-disposition': 'attachment; filename="situation.yaml"',
  })
  const file = parse(text)
  expect(file.keys.mine.used).toEqual({ minute: 3, day: 3 })
  expect(file.pets.add.at(-1).name).toBe(name)
  await ask('/sandboxes/again', {}, 'PUT')
  expect((await ask('/scenario?sandbox=again', { scenario: file, name: 'again' }, 'PUT')).status).toBe(200)
  const ours = async (sandbox: string) => (await ask(`/keys?sandbox=${sandbox}`)).json
  const withoutWindows = ({ keys }: { keys: { key: string; used: object }[] }) =>
    keys.map(({ key, used }) => [key, used]).sort()
  expect(withoutWindows(await ours('again'))).toEqual(withoutWindows(await ours('default')))
  expect((await ask('/pets?sandbox=again')).json).toEqual((await ask('/pets')).json)
})

test('the clock says what lies ahead of it, and how far it is from real time', async () => {
  const { ask, call } = await openAdminServer()
  expect((await ask('/clock/moments')).json).toEqual({
    aheadMs: expect.any(Number),
    reset: null,
    midnight: '2026-03-03T00:00:00Z',
    removal: '2030-12-05T00:00:00Z',
  })
  await call('/v1/pets')
  expect((await ask('/clock/moments')).json.reset).toBe('2026-03-02T12:01:00Z')
  await ask('/clock/advance', { to: '2031-01-01T00:00:00Z' })
  const { aheadMs, ...moments } = (await ask('/clock/moments')).json
  const { at } = (await ask('/clock')).json
  expect(moments).toEqual({ reset: null, midnight: '2031-01-02T00:00:00Z', removal: null })
  expect(Math.abs(Date.parse(at) - Date.now() - aheadMs)).toBeLessThan(5_000)
})

test('plans are listed, and keys say how many strikes ban them', async () => {
  const { ask } = await openAdminServer({ plans: { gold: { minute: 1, day: 2 } }, bans: { after: 4 } })
  const { plans } = (await ask('/plans')).json
  expect(plans[0]).toEqual({ name: 'free', limits: { minute: 60, day: 1000 } })
  expect(plans.at(-1)).toEqual({ name: 'gold', limits: { minute: 1, day: 2 } })
  expect((await ask('/keys')).json.keys[0].banAfter).toBe(4)
  const without = await openAdminServer({ bans: 'off' })
  expect((await without.ask('/keys')).json.keys[0].banAfter).toBeNull()
})

test('pets are found by a part of their name, page by page', async () => {
  const { ask } = await openAdminServer({ pets: { count: 3_000 } })
  for (const name of ['Xerxes', 'axeL', 'Max']) await ask('/pets', { name, categoryId: 1 })
  await ask('/pets', { name: '<img src=x onerror=alert(1)>', categoryId: 1, status: 'sold' })
  const names = async (query: string) => {
    const { pets, more, total } = (await ask(`/pets?${query}`)).json
    return [pets.map(({ name }: { name: string }) => name), more, total]
  }
  expect(await names('name=XE')).toEqual([['Xerxes', 'axeL'], false, 3_004])
  expect(await names('name=xe&limit=1')).toEqual([['Xerxes'], true, 3_004])
  expect(await names('name=xe&limit=1&after=3001')).toEqual([['axeL'], false, 3_004])
  expect(await names('name=%3Cimg&status=sold')).toEqual([['<img src=x onerror=alert(1)>'], false, 3_004])
  expect(await names('name=nobody')).toEqual([[], false, 3_004])
})

test('a rule that is off acts on no call and counts none, also in a snapshot, and goes on where it was', async () => {
  const rules = [
    { name: 'twice', when: { first: 2 }, then: { status: 503 } },
    { name: 'late', then: { delay: '1ms' as const } },
  ]
  const { ask, call } = await openAdminServer({ rules })
  expect((await call('/v1/pets')).status).toBe(503)
  const off = await ask('/rules/twice', { on: false }, 'PATCH')
  expect([off.status, off.json]).toMatchObject([200, { name: 'twice', on: false, acted: 1 }])
  expect((await call('/v1/pets')).status).toBe(200)
  await ask('/snapshot', (await ask('/snapshot')).json, 'PUT')
  expect((await call('/v1/pets')).status).toBe(200)
  expect((await ask('/situation.yaml')).text).toMatch(/name: twice, .* on: false/)
  await ask('/rules/twice', { on: true }, 'PATCH')
  expect([(await call('/v1/pets')).status, (await call('/v1/pets')).status]).toEqual([503, 200])
  const listed = (await ask('/rules')).json.rules
  expect(listed.map(({ name, on }: { name: string; on: boolean }) => [name, on])).toEqual([
    ['twice', true],
    ['late', true],
  ])
  expect((await ask('/rules/twise', { on: true }, 'PATCH')).json.message).toBe(
    'There is no rule "twise"; did you mean twice?',
  )
  expect((await ask('/rules/twice', {}, 'PATCH')).json.code).toBe('invalid_command')
})
