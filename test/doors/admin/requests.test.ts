import { expect, test } from 'vitest'
import { type AdminReply, type AdminServer, openAdminServer, times } from '../../support/admin-server.ts'
import { changing } from '../../support/changes.ts'

const rule = { name: 'outage', match: { path: '/v1/store/orders' }, then: { status: 503 } } as const

/** Nine requests of all kinds, with the ids 1 to 8 in the default sandbox, and 1 in w1. */
async function openWithRequests(): Promise<AdminServer> {
  const server = await openAdminServer({
    keys: { tight: { plan: 'free', used: { minute: 60 } } },
    rules: [rule],
  })
  const { call } = server
  await call('/v1/pets?limit=2')
  await call('/v1/pets', 'demo-pro', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"name":"Rex","categoryId":9007199254740993}',
  })
  server.emulator.sandboxes.default.clock = {
    ...server.emulator.sandboxes.default.clock,
    at: Date.UTC(2026, 2, 2, 12, 10),
  }
  await call('/v1/pets/5')
  await call('/v1/pets/999', 'demo-pro')
  await call('/v1/pets', 'tight')
  await call('/v1/store/orders')
  await call('/v1/pets', 'nobody')
  await call('/v1/pets', 'demo-free', { method: 'HEAD' })
  await call('/v1/pets', 'demo-free+w1')
  return server
}

const ids = (json: { requests: { id: number }[] }) => json.requests.map(({ id }) => id)

test('by each field of a filter, in a query and in a body alike, the newest last', async () => {
  const { ask } = await openWithRequests()
  const rows: readonly (readonly [object, readonly number[]])[] = [
    [{}, [1, 2, 3, 4, 5, 6, 7, 8]],
    [{ limit: 3 }, [6, 7, 8]],
    [{ before: 4 }, [1, 2, 3]],
    [{ after: 2, before: 5 }, [3, 4]],
    [{ operation: 'createPet' }, [2]],
    [{ operation: 'listPets' }, [1, 5, 7, 8]],
    [{ method: 'POST' }, [2]],
    [{ method: 'GET', operation: 'listPets' }, [1, 5, 7, 8]],
    [{ method: 'HEAD' }, [8]],
    [{ path: '/v1/pets/{petId}' }, [3, 4]],
    [{ path: '/v1/pets' }, [1, 2, 5, 7, 8]],
    [{ path: '/v1/p*/9*' }, [4]],
    [{ status: 429 }, [5]],
    [{ status: '4xx' }, [4, 5, 7]],
    [{ status: '2XX' }, [1, 2, 3, 8]],
    [{ code: 'pet_not_found' }, [4]],
    [{ key: 'demo-free' }, [1, 3, 6, 8]],
    [{ key: 'demo-free+default' }, [1, 3, 6, 8]],
    [{ key: 'demo-*' }, [1, 2, 3, 4, 6, 8]],
    [{ key: 'demo-free+w1' }, []],
    [{ plan: 'pro' }, [2, 4]],
    [{ rule: 'out*' }, [6]],
    [{ synthetic: true }, [6]],
    [{ synthetic: false, status: '5xx' }, []],
    [{ refused: true }, [5]],
    [{ refused: false, limit: 1 }, [8]],
    [{ since: '2026-03-02T12:05:00Z' }, [3, 4, 5, 6, 7, 8]],
    [{ since: '1m' }, [3, 4, 5, 6, 7, 8]],
    [{ since: '1h' }, [1, 2, 3, 4, 5, 6, 7, 8]],
    [{ after: 6 }, [7, 8]],
    [{ body: { name: 'Rex' } }, [2]],
    [{ body: { name: 'Rex', status: 'sold' } }, []],
    [{ body: {} }, [2]],
    [{ plan: 'free', status: '2xx', after: 1 }, [3, 8]],
  ]
  for (const [filter, expected] of rows) {
    const found = await ask('/requests/find', filter)
    expect(found.json, JSON.stringify(filter)).toMatchObject({
      meta: { kept: 8, evicted: 0, capacity: 1_000 },
    })
    expect(ids(found.json), JSON.stringify(filter)).toEqual(expected)
    const query = Object.entries(filter).map(([name, value]): [string, string] => [
      name,
      typeof value === 'object' ? JSON.stringify(value) : `${value}`,
    ])
    expect((await ask(`/requests?${new URLSearchParams(query)}`)).json).toEqual(found.json)
    const { limit: _, ...counted } = { limit: 0, ...filter }
    const { count } = (await ask('/requests/count', counted)).json
    expect(count, JSON.stringify(filter)).toBe(found.json.meta.total)
    if (!('limit' in filter)) expect(count).toBe(expected.length)
  }
})

test('a body part is compared with exact int64s', async () => {
  const { origin } = await openWithRequests()
  const count = async (categoryId: string): Promise<unknown> => {
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json' } }
    const body = `{"body":{"categoryId":${categoryId}}}`
    return await (await fetch(`${origin}/__admin/requests/count`, { ...init, body })).json()
  }
  expect(await count('9007199254740993')).toEqual({ count: 1, evicted: 0 })
  expect(await count('9007199254740992')).toEqual({ count: 0, evicted: 0 })
})

test('a sandbox of its own, and all of them', async () => {
  const { ask } = await openWithRequests()
  expect(ids((await ask('/requests?sandbox=w1')).json)).toEqual([1])
  const all = (await ask('/requests?sandbox=*')).json
  expect(all.meta).toMatchObject({ total: 9, kept: 9 })
  expect(all.requests.map(({ sandbox }: { sandbox: string }) => sandbox)).toContain('w1')
  expect((await ask('/requests/count?sandbox=*', { key: 'demo-free+w1' })).json).toEqual({
    count: 1,
    evicted: 0,
  })
  expect(await ask('/requests?sandbox=w2')).toMatchObject({ status: 404, json: { code: 'not_found' } })
})

test.for([
  ['?statu=429', 'invalid_parameter', 'statu: unknown field; did you mean status?'],
  [
    '?status=42',
    'invalid_parameter',
    'status: expected a status such as 429, or a class such as 4xx, found "42"',
  ],
  ['?operation=listPet', 'invalid_parameter', 'did you mean listPets?'],
  ['?since=yesterday', 'invalid_parameter', 'since: expected an instant such as'],
  ['?limit=0', 'invalid_parameter', 'limit: expected a whole number of requests (1 or more), found "0"'],
  ['?refused=yes', 'invalid_parameter', 'refused: expected true or false, found "yes"'],
  ['?body={', 'invalid_parameter', 'body: expected JSON'],
  ['?status=429&status=404', 'invalid_parameter', 'status: expected a status'],
  ['?keys=all', 'invalid_parameter', 'keys: expected one of masked, shown, found "all"'],
  [
    '/find {"limit":1.5}',
    'invalid_command',
    'limit: expected a whole number of requests (1 or more), found 1.5',
  ],
  ['/find {"status":"9xx","limit":"x"}', 'invalid_command', 'limit: expected a whole number'],
  ['/find {"refused":{}}', 'invalid_command', 'refused: expected true or false, found an empty map'],
  ['/count {"synthetic":[true]}', 'invalid_command', 'synthetic: expected true or false, found a list'],
  ['/find {"status":{}}', 'invalid_command', 'status: expected a status such as 429'],
  ['/find {"status":[429]}', 'invalid_command', 'status: expected a status such as 429'],
  ['/wait {"timeout":"1h"}', 'invalid_command', 'timeout: expected a duration of at most 10m'],
  ['/wait {"timeout":5}', 'invalid_command', 'write 5s or 5ms'],
  ['/x', 'invalid_parameter', 'id: expected the id of a request'],
  ['/0', 'invalid_parameter', 'id: expected the id of a request'],
  ['/99999999999999999999', 'invalid_parameter', 'id: expected the id of a request'],
])('%s is refused', async ([asked = '', code, message]) => {
  const { ask } = await openAdminServer()
  const [path = '', body] = asked.split(' ')
  const reply = await ask(`/requests${path}`, body === undefined ? undefined : JSON.parse(body))
  expect(reply).toMatchObject({
    status: 400,
    json: { code, message: expect.stringContaining(message ?? '') },
  })
})

test('a request shows everything on the wire', async () => {
  const { ask } = await openWithRequests()
  const { requests } = (await ask('/requests/find', { operation: 'createPet' })).json
  expect(requests).toHaveLength(1)
  expect(requests[0]).toMatchObject({
    id: 2,
    sandbox: 'default',
    at: '2026-03-02T12:00:00.250Z',
    method: 'POST',
    target: '/v1/pets',
    status: 201,
    code: null,
    key: 'demo-p…',
    plan: 'pro',
    gate: 'operation',
    limit: {
      accepted: true,
      reported: 'minute',
      minute: { limit: 300, used: 1, remaining: 299, openedBy: 2 },
    },
    request: {
      headers: { authorization: 'Bearer demo-p…', 'content-type': 'application/json' },
      body: '{"name":"Rex","categoryId":9007199254740993}',
      cutFrom: null,
    },
    response: { headers: { location: '/v1/pets/101' }, body: expect.stringContaining('"id":101') },
  })
})

test('bodies are cut at 16 KiB, and cutFrom has the whole length', async () => {
  const { call, ask } = await openAdminServer()
  const body = JSON.stringify({ name: 'é'.repeat(20_000), categoryId: 1 })
  const headers = { 'Content-Type': 'application/json' }
  expect((await call('/v1/pets', 'demo-free', { method: 'POST', headers, body })).status).toBe(201)
  const { request, response, explanation } = (await ask('/requests/1')).json
  expect(request).toMatchObject({ cutFrom: 40_000 + '{"name":"","categoryId":1}'.length })
  expect(response).toMatchObject({ cutFrom: 40_000 + '{"id":101,"name":"","categoryId":1}'.length })
  expect(new TextEncoder().encode(request.body).length).toBeLessThanOrEqual(16_384 + 2)
  expect(explanation.sentences.join(' ')).toContain('The journal keeps the first 16 KiB of the request body')
})

test('dropped requests are counted, and their ids answer with the reason', async () => {
  const { call, ask, emulator } = await openAdminServer({ plans: { free: { minute: 5_000, day: 5_000 } } })
  await Promise.all(Array.from({ length: 1_003 }, () => call('/v1/pets?limit=1')))
  const { requests, meta } = (await ask('/requests?limit=2')).json
  expect(requests.map(({ id }: { id: number }) => id)).toEqual([1_002, 1_003])
  expect(meta).toEqual({ total: 1_000, kept: 1_000, capacity: 1_000, evicted: 3 })
  expect(await ask('/requests/3')).toMatchObject({
    status: 404,
    json: { message: expect.stringContaining('Request 3 is gone: the journal keeps the last 1000 requests') },
  })
  expect((await ask('/requests/4')).status).toBe(200)
  expect((await ask('/requests/1004')).json.message).toContain('The newest is 1003.')
  expect(emulator.sandboxes.journals.evictions).toBe(3)
})

test('deleted requests are gone, and ids go on', async () => {
  const { ask, call } = await openWithRequests()
  expect(await ask('/requests', undefined, 'DELETE')).toMatchObject({ status: 200, json: { requests: [] } })
  expect((await ask('/requests')).json).toMatchObject({ requests: [], meta: { total: 0, kept: 0 } })
  expect((await ask('/requests/count?sandbox=w1', {})).json).toEqual({ count: 1, evicted: 0 })
  await call('/v1/pets')
  expect(ids((await ask('/requests')).json)).toEqual([9])
})

type Ask = AdminServer['ask']

test.each<[how: string, startAnew: (ask: Ask) => Promise<AdminReply>]>([
  ['a reset', ask => ask('/reset?sandbox=w1', {})],
  ['a reset of all', ask => ask('/reset?sandbox=*', {})],
  ['another scenario', ask => ask('/scenario?sandbox=w1', { scenario: 'free-plan' }, 'PUT')],
  ['a snapshot of before', async ask => await ask('/snapshot?sandbox=w1', await unused(''), 'PUT')],
  ['a snapshot of all', async ask => await ask('/snapshot?sandbox=*', await unused('?sandbox=*'), 'PUT')],
  ['being dropped', ask => ask('/sandboxes?sandbox=w1', undefined, 'DELETE')],
  ['being dropped with all others', ask => ask('/sandboxes', undefined, 'DELETE')],
])('ids go on after %s: who asks for what is new misses nothing', async (_how, startAnew) => {
  const { ask, call } = await openAdminServer()
  const calls = () => times(3, () => call('/v1/pets', 'demo-free+w1'))
  await calls()
  expect((await startAnew(ask)).status).toBe(200)
  await calls()
  expect(ids((await ask('/requests?sandbox=w1&after=3')).json)).toEqual([4, 5, 6])
  expect((await ask('/requests?sandbox=w1')).json.meta).toMatchObject({ total: 3, evicted: 0 })
  expect((await ask('/requests/2?sandbox=w1')).json).toMatchObject({
    code: 'not_found',
    message: 'Request 2 is gone: the sandbox was restarted after it.',
  })
})

/** A snapshot of a server that was never called. */
async function unused(query: string): Promise<object> {
  const { ask } = await openAdminServer()
  return (await ask(`/snapshot${query}`)).json
}

test('ids go on in a sandbox that was dropped and came back', async () => {
  const { emulator, ask, call } = await openAdminServer()
  await times(3, () => call('/v1/pets', 'demo-free+w1'))
  const change = changing(emulator)
  for (let other = 0; other < 1_000; other += 1) change({ do: 'reset' }, `other-${other}`)
  expect((await ask('/requests?sandbox=w1')).status).toBe(404)
  await call('/v1/pets', 'demo-free+w1')
  expect(ids((await ask('/requests?sandbox=w1')).json)).toEqual([4])
})

test('rows have all but the messages, and say how long the answer took once the plane is used', async () => {
  const { ask, call } = await openWithRequests()
  const [whole, rows] = [(await ask('/requests')).json, (await ask('/requests?view=rows')).json]
  const shorten = ({ request: _request, response: _response, ...row }: Record<string, unknown>) => row
  expect(rows).toEqual({ ...whole, requests: whole.requests.map(shorten) })
  expect((await ask('/requests/find?view=rows', {})).json).toEqual(rows)
  expect(rows.requests[0].durationMs).toBeNull()
  await call('/v1/pets?limit=1', 'demo-free', { headers: { Prefer: 'delay=50ms' } })
  const [newest] = (await ask('/requests?view=rows&limit=1')).json.requests
  expect(newest.durationMs).toBeGreaterThan(newest.delayMs ?? 0)
  expect(newest.durationMs).toBeLessThan(5_000)
})
