import { expect, test } from 'vitest'
import { openAdminServer, times } from '../../support/admin-server.ts'

/** Resolves when somebody observes the emulator: from then on no call is missed. */
async function untilWaitedFor(server: Awaited<ReturnType<typeof openAdminServer>>, waits = 1): Promise<void> {
  while (server.waiting() < waits) await new Promise(resolve => setImmediate(resolve))
}

test('it answers once enough calls exist, earlier ones included', async () => {
  const server = await openAdminServer()
  const { call, ask } = server
  await call('/v1/pets')
  const waiting = ask('/requests/wait', { operation: 'listPets', count: 3 })
  await untilWaitedFor(server)
  await call('/v1/pets/1')
  await call('/v1/pets', 'demo-free+w1')
  await times(2, () => call('/v1/pets'))
  expect(await waiting).toMatchObject({ status: 200, json: { reached: true, count: 3 } })
  expect(server.waiting()).toBe(0)
})

test('it answers at once if enough calls exist', async () => {
  const { call, ask } = await openAdminServer()
  await times(2, () => call('/v1/pets'))
  expect((await ask('/requests/wait', {})).json).toEqual({ reached: true, count: 2 })
})

test('on timeout, it returns the number of calls', async () => {
  const { call, ask } = await openAdminServer()
  await call('/v1/pets')
  expect(await ask('/requests/wait', { count: 2, timeout: '20ms' })).toMatchObject({
    status: 200,
    json: { reached: false, count: 1 },
  })
})

test('in all sandboxes, by key', async () => {
  const server = await openAdminServer()
  const { call, ask } = server
  await call('/v1/pets', 'demo-free+w1')
  const waiting = ask('/requests/wait?sandbox=*', { key: 'demo-*+w1', count: 2 })
  await untilWaitedFor(server)
  await call('/v1/pets')
  await call('/v1/pets', 'demo-pro+w1')
  expect((await waiting).json).toEqual({ reached: true, count: 2 })
})

test('many wait at once; a client that gives up leaves nothing behind', async () => {
  const server = await openAdminServer()
  const { call, ask, origin } = server
  const gone = new AbortController()
  const headers = { 'Content-Type': 'application/json' }
  const given = fetch(`${origin}/__admin/requests/wait`, {
    method: 'POST',
    headers,
    body: '{}',
    signal: gone.signal,
  })
  const waits = Array.from({ length: 20 }, () => ask('/requests/wait', {}))
  await untilWaitedFor(server, 21)
  gone.abort()
  await expect(given).rejects.toThrow()
  while (server.waiting() > 20) await new Promise(resolve => setImmediate(resolve))
  await call('/v1/pets')
  for (const wait of await Promise.all(waits)) expect(wait.json).toEqual({ reached: true, count: 1 })
  expect(server.waiting()).toBe(0)
})

test('a server that stops ends the wait', async () => {
  const server = await openAdminServer()
  const waiting = server.ask('/requests/wait', { timeout: '10m' })
  await untilWaitedFor(server)
  await server.door.close(20_000)
  expect((await waiting).json).toEqual({ reached: false, count: 0 })
})

test.each(['later', '*'])(
  'for a sandbox that its first call makes (sandbox=%s), and through its reset',
  async sandbox => {
    const server = await openAdminServer()
    const { call, ask } = server
    const waiting = ask(`/requests/wait?sandbox=${sandbox}`, { operation: 'listPets', since: '1m', count: 3 })
    await untilWaitedFor(server)
    await call('/v1/pets', 'demo-free+later')
    await call('/v1/pets/1', 'demo-free+later')
    await ask('/clock/advance?sandbox=later', { by: '1h' })
    await call('/v1/pets', 'demo-free+later')
    expect((await ask('/reset?sandbox=later', {})).status).toBe(200)
    await call('/v1/pets', 'demo-free+later')
    expect((await waiting).json).toEqual({ reached: true, count: 3 })
    expect(server.waiting()).toBe(0)
  },
)
