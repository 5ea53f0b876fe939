import { expect, test } from 'vitest'
import { openAdminServer, times } from '../../support/admin-server.ts'

const megabyte = 2 ** 20
const huge = { plans: { free: { minute: 100_000, day: 100_000 } } }

test.each([
  ['GET', '/requests'],
  ['GET', '/requests/1'],
  ['GET', '/requests.har'],
  ['GET', '/conduct'],
  ['POST', '/requests/find'],
  ['POST', '/requests/count'],
  ['POST', '/requests/wait'],
])('with the journal off, %s %s is 409', async (method, path) => {
  const { ask, call } = await openAdminServer({}, { journal: { entries: 0, bytes: megabyte } })
  await call('/v1/pets')
  expect(await ask(path, method === 'POST' ? {} : undefined, method)).toMatchObject({
    status: 409,
    json: { code: 'journal_off', message: expect.stringContaining('--journal 0'), status: 409 },
  })
})

test('with the journal off, everything else goes on', async () => {
  const { ask, call } = await openAdminServer({}, { journal: { entries: 0, bytes: megabyte } })
  expect((await call('/v1/pets')).status).toBe(200)
  expect((await ask('/requests', undefined, 'DELETE')).status).toBe(200)
  expect((await ask('/keys')).json.keys[0].used).toMatchObject({ minute: 1 })
  expect((await ask('/metrics')).text).toContain('pet_mock_journal_requests 0')
})

test('lists, counts, archives and the conduct report say how many calls were dropped', async () => {
  const { ask, call } = await openAdminServer(huge, { journal: { entries: 3, bytes: megabyte } })
  await times(10, () => call('/v1/pets?limit=1'))
  expect((await ask('/requests')).json.meta).toEqual({ total: 3, kept: 3, capacity: 3, evicted: 7 })
  expect((await ask('/requests/find', {})).json.meta).toMatchObject({ evicted: 7 })
  expect((await ask('/requests/count', {})).json).toEqual({ count: 3, evicted: 7 })
  expect((await ask('/requests.har')).json.log).toMatchObject({
    comment: '7 earlier requests are no longer kept.',
  })
  expect((await ask('/conduct')).json).toMatchObject({
    calls: 3,
    evicted: 7,
    unjudged: [{ count: 7, what: 'call' }],
  })
})

test('one budget for all sandboxes: a busy one does not push a quiet one out', async () => {
  const { ask, call } = await openAdminServer(huge, { journal: { entries: 1_000, bytes: megabyte } })
  const headers = { 'X-Long': 'x'.repeat(2_000) }
  await call('/v1/pets?limit=1', 'demo-free+quiet', { headers })
  await times(600, () => call('/v1/pets?limit=1', 'demo-free+noisy', { headers }))
  expect((await ask('/requests/count?sandbox=quiet', {})).json).toEqual({ count: 1, evicted: 0 })
  const { count, evicted } = (await ask('/requests/count?sandbox=noisy', {})).json
  expect(count + evicted).toBe(600)
  expect(evicted).toBeGreaterThan(100)
  expect((await ask('/metrics')).text).toContain(`pet_mock_journal_evictions_total ${evicted}`)
})

test('long headers are cut with a mark, and judged whole', async () => {
  const { ask, call } = await openAdminServer()
  await call('/v1/pets?limit=1', 'demo-free', { headers: { 'X-Long': 'x'.repeat(9_000) } })
  const { request } = (await ask('/requests/1')).json
  expect(request.headers['x-long']).toBe(`${'x'.repeat(2_048)} [cut, 9000 characters]`)
  const har = (await ask('/requests.har')).json
  expect(JSON.stringify(har)).toContain('[cut, 9000 characters]')
})
