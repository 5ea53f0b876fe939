import { describe, expect, it, onTestFinished } from 'vitest'
import { PetMockError } from '../../../src/library/client/pet-mock-error.ts'
import type { ScenarioChoice } from '../../../src/library/testing/pet-mock.ts'
import { type OpenPetMock, ways } from '../../support/pet-mocks.ts'

const noon = '2026-03-02T12:00:00Z'
const scenario = { clock: { at: noon, frozen: true }, pets: { count: 3 } }

describe.each(ways)('%s', (_name, way) => {
  async function open(choice: ScenarioChoice = scenario): Promise<OpenPetMock> {
    const opened = await way(choice)
    onTestFinished(opened.close)
    return opened
  }

  it('moves the clock, and with it the windows', async () => {
    const { mock, list } = await open({ ...scenario, keys: { 'demo-free': { used: { minute: 59 } } } })
    expect([(await list()).status, (await list()).status]).toEqual([200, 429])
    expect(await mock.clock.advance('60s')).toEqual({ at: '2026-03-02T12:01:00Z', frozen: true, scale: 0 })
    expect((await list()).headers.get('x-ratelimit-remaining')).toBe('59')
    expect(await mock.clock.now()).toEqual(new Date('2026-03-02T12:01:00Z'))
    const removal = new Date('2030-12-05T00:00:00Z')
    expect((await mock.clock.advance({ to: removal })).at).toBe('2030-12-05T00:00:00Z')
    expect(await mock.clock.resume({ scale: 30 })).toMatchObject({ frozen: false, scale: 30 })
    expect(await mock.clock.freeze({ at: '2031-01-01T00:00:00Z' })).toMatchObject({ frozen: true })
    expect((await mock.clock.reset()).at).toBe(noon)
  })

  it('lists, gets, adds, changes and deletes pets, of any id', async () => {
    const { mock } = await open({ ...scenario, pets: { count: 2, firstId: 9_007_199_254_740_993n } })
    const rex = { name: 'Rex', categoryId: 9_223_372_036_854_775_807n }
    expect(await mock.pets.add(rex)).toEqual({ id: 9_007_199_254_740_995n, ...rex })
    expect((await mock.pets.list()).map(({ id }) => id)).toEqual([
      9_007_199_254_740_993n,
      9_007_199_254_740_994n,
      9_007_199_254_740_995n,
    ])
    const sold = { id: 9_007_199_254_740_995n, ...rex, status: 'sold' } as const
    expect(await mock.pets.change(9_007_199_254_740_995n, { status: 'sold' })).toEqual(sold)
    expect(await mock.pets.list({ status: 'sold' })).toContainEqual(sold)
    expect(await mock.pets.get(9_007_199_254_740_995n)).toEqual(sold)
    expect(await mock.pets.delete(9_007_199_254_740_995n)).toEqual(sold)
    expect([await mock.pets.get(9_007_199_254_740_995n), await mock.pets.get(5)]).toEqual([
      undefined,
      undefined,
    ])
    expect(await mock.pets.list({ after: 9_007_199_254_740_993n, limit: 7 })).toHaveLength(1)
  })

  it('keeps own ids and extra members of pets through a change and a snapshot', async () => {
    const { mock } = await open()
    const taken = JSON.parse(JSON.stringify(await mock.snapshot.save()))
    const own = {
      id: '9007199254740993',
      name: 'Rex',
      categoryId: 1,
      extra: '{"breed":"Beagle","no":9007199254740995}',
    }
    const list = [...(taken.pets.startsFrom === 'nothing' ? taken.pets.list : []), own]
    await mock.snapshot.load({ ...taken, pets: { ...taken.pets, list } })
    const rex = {
      id: 9_007_199_254_740_993n,
      name: 'Rex',
      categoryId: 1,
      extra: { breed: 'Beagle', no: '9007199254740995' },
    }
    expect((await mock.pets.list()).at(-1)).toEqual(rex)
    expect(await mock.pets.change(rex.id, { name: 'Roy' })).toEqual({ ...rex, name: 'Roy' })
    expect((await mock.pets.add({ name: 'Max', categoryId: 1 })).id).toBe(4)
    const again = await mock.snapshot.save()
    expect((await mock.pets.delete(rex.id)).extra).toEqual(rex.extra)
    await mock.snapshot.load(again)
    expect(await mock.pets.get(rex.id)).toEqual({ ...rex, name: 'Roy' })
  })

  it('gets a pet by a number or a bigint, and none beyond int64', async () => {
    const { mock } = await open()
    expect(await mock.pets.get(2n)).toEqual(await mock.pets.get(2))
    expect((await mock.pets.get(2n))?.id).toBe(2)
    for (const id of [-(2n ** 63n), 2n ** 63n - 1n, 2n ** 63n, 1.5, Number.NaN, 1e300])
      expect([id, await mock.pets.get(id)]).toEqual([id, undefined])
  })

  it('bans, changes and adds keys, by the names that the mock gives', async () => {
    const { mock, list } = await open()
    const { key } = mock
    expect(await mock.keys.ban(key, { for: '90s' })).toMatchObject({ bannedUntil: '2026-03-02T12:01:30Z' })
    expect(await (await list()).json()).toMatchObject({ code: 'api_key_banned' })
    await mock.keys.unban(key)
    expect((await mock.keys.change(key, { plan: 'pro', used: { minute: 5 } })).remaining.minute).toBe(295)
    expect((await list()).headers.get('x-ratelimit-remaining')).toBe('294')
    expect(await mock.keys.get(key)).toMatchObject({ key: 'demo-free', plan: 'pro', used: { minute: 6 } })
    await mock.keys.add('my-app', { plan: 'free', expires: new Date('2026-04-01T00:00:00Z') })
    expect((await mock.keys.list()).at(-1)).toMatchObject({
      key: 'my-app',
      expires: '2026-04-01T00:00:00Z',
    })
    await mock.keys.delete('my-app')
    expect(await mock.keys.get('my-app')).toBeUndefined()
  })

  it('lists the calls, and explains their answers', async () => {
    const { mock, list } = await open()
    expect(await mock.requests.list()).toEqual([])
    const waiting = mock.requests.wait({ operation: 'listPets', status: '2xx' }, { count: 2 })
    await list()
    await list()
    expect(await waiting).toHaveLength(2)
    await list('nobody+worker-3')
    expect(await mock.requests.count({ refused: true })).toBe(0)
    expect(await mock.requests.count()).toBeGreaterThanOrEqual(2)
    const [found] = await mock.requests.find(
      { operation: 'listPets', status: 200 },
      { limit: 1, keys: 'shown' },
    )
    expect(found).toMatchObject({ method: 'GET', path: '/v1/pets', key: mock.key })
    const { explanation } = await mock.requests.explain(found?.id ?? 0)
    expect(explanation.sentences[0]).toBe('GET /v1/pets returned 200.')
    await mock.requests.clear()
    expect(await mock.requests.count()).toBe(0)
  })

  it('adds and removes rules', async () => {
    const { mock, list } = await open()
    const outage = { name: 'outage', match: { key: 'demo-*' }, then: { status: 503 }, times: 1 }
    expect(await mock.rules.add(outage)).toMatchObject({ name: 'outage', rule: outage, added: true })
    expect([(await list()).status, (await list()).status]).toEqual([503, 200])
    expect(await mock.rules.list()).toMatchObject([{ name: 'outage', acted: 1, retired: true }])
    await mock.rules.delete('outage')
    expect(await mock.rules.list()).toEqual([])
  })

  it('starts anew, from this scenario or another', async () => {
    const { mock, list } = await open()
    await mock.pets.delete(1)
    await list()
    await mock.reset()
    expect([(await mock.pets.list()).length, await mock.requests.count()]).toEqual([3, 0])
    expect(await mock.scenario.use('ban')).toMatchObject({ name: 'ban', key: 'demo-free' })
    expect((await list()).status).toBe(429)
    const empty = { ...scenario, title: 'Nobody here', pets: { count: 0 } }
    expect(await mock.scenario.use(empty)).toMatchObject({ title: 'Nobody here' })
    expect(await mock.pets.list()).toEqual([])
    expect(await mock.scenario.get()).toMatchObject({ title: 'Nobody here' })
  })

  it('takes a snapshot, which JSON carries, and puts it back', async () => {
    const { mock, list } = await open()
    await list()
    const snapshot = JSON.parse(JSON.stringify(await mock.snapshot.save()))
    await mock.pets.delete(1)
    await mock.clock.advance('1h')
    await mock.snapshot.load(snapshot)
    expect(await mock.pets.list()).toHaveLength(3)
    expect((await list()).headers.get('x-ratelimit-remaining')).toBe('58')
  })

  it.each<
    [
      what: string,
      act: (mock: OpenPetMock['mock']) => Promise<unknown>,
      code: string,
      message: string | RegExp,
    ]
  >([
    [
      'a duration',
      mock => mock.clock.advance('60' as '60s'),
      'invalid_command',
      /by: expected a duration.*found "60"/,
    ],
    ['an id', mock => mock.pets.delete(77), 'not_found', 'There is no pet with the id 77.'],
    [
      'an id to delete that is not exact',
      mock => mock.pets.delete(2 ** 53),
      'invalid_command',
      'id: a number beyond 2^53 is not exact. Use a bigint: 9007199254740992n.',
    ],
    [
      'an id to get that is not exact',
      mock => mock.pets.get(-(2 ** 53)),
      'invalid_command',
      'id: a number beyond 2^53 is not exact. Use a bigint: -9007199254740992n.',
    ],
    [
      'a category that is not exact',
      mock => mock.pets.add({ name: 'Rex', categoryId: 2 ** 60 }),
      'invalid_command',
      'categoryId: a number beyond 2^53 is not exact. Use a bigint: 1152921504606846976n.',
    ],
    [
      'a place that is not exact',
      mock => mock.pets.list({ after: 2 ** 53 }),
      'invalid_command',
      'after: a number beyond 2^53 is not exact. Use a bigint: 9007199254740992n.',
    ],
    ['a key', mock => mock.keys.ban('demo-fre'), 'not_found', /did you mean demo-free\?/],
    [
      'a field of a query',
      mock => mock.pets.list({ stats: 'sold' } as object),
      'invalid_parameter',
      /did you mean status\?/,
    ],
    ['a limit', mock => mock.pets.list({ limit: 'x' as never }), 'invalid_command', /limit/],
    ['a field of a listing', mock => mock.requests.list({ limt: 1 } as object), 'invalid_command', /limit/],
    [
      'a field beside a filter',
      mock => mock.requests.find({}, { limt: 1 } as object),
      'invalid_command',
      /did you mean limit\?/,
    ],
    [
      'a field of a wait',
      mock => mock.requests.wait({}, { timout: '1s' } as object),
      'invalid_command',
      /did you mean timeout\?/,
    ],
    [
      'a rule',
      mock => mock.rules.delete('outage'),
      'not_found',
      'There is no rule "outage"; there are no rules.',
    ],
    [
      'a field of a rule',
      mock => mock.rules.add({ then: { status: 99 } }),
      'invalid_command',
      /then\.status: expected/,
    ],
    ['a request', mock => mock.requests.explain(5), 'not_found', /There is no request 5/],
    [
      'what does not come',
      mock => mock.requests.wait({ status: 429 }, { count: 2, timeout: '1ms' }),
      'timed_out',
      /Waited 1ms for 2 requests matching \{"status":429\}, and found none\./,
    ],
    ['a sandbox', async mock => mock.sandbox('a b'), 'invalid_parameter', /sandbox: .*found "a b"\.$/],
  ])('tells what is wrong with %s', async (_what, act, code, message) => {
    const { mock } = await open()
    const error = await act(mock).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(PetMockError)
    expect(error).toMatchObject({ name: 'PetMockError', code })
    if (typeof message === 'string') expect((error as Error).message).toBe(message)
    else expect((error as Error).message).toMatch(message)
  })
})

describe.each(ways.slice(0, 3))('sandboxes, %s', (_name, way) => {
  it('are worlds of their own, reached by their keys', async () => {
    const { mock, list, close } = await way(scenario)
    onTestFinished(close)
    const [one, other] = [mock.sandbox('one'), mock.sandbox('other')]
    expect([one.key, one.url]).toEqual(['demo-free+one', mock.url])
    await one.pets.delete(1)
    await list(one.key)
    expect([await one.requests.count(), await other.requests.count(), await mock.requests.count()]).toEqual([
      1, 0, 0,
    ])
    expect([(await one.pets.list()).length, (await other.pets.list()).length]).toEqual([2, 3])
    await one.delete()
    await one.delete()
    expect(await one.pets.list()).toHaveLength(3)
    await other.reset()
    expect((await list()).status).toBe(200)
  })
})
