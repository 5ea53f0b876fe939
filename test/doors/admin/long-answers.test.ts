import { expect, test } from 'vitest'
import { openAdminServer } from '../../support/admin-server.ts'
import { changing } from '../../support/changes.ts'
import { takeSandboxesSnapshot, takeSnapshot } from '../../support/snapshots.ts'

type Server = Awaited<ReturnType<typeof openAdminServer>>

/** Reads a long answer, and counts the calls of the API that are answered before its end. */
async function readBeside({ origin, call }: Server, path: string) {
  let isOver = false
  const reading = fetch(`${origin}/__admin${path}`)
    .then(response => {
      // A length would mean that all of it was written at once.
      if (path.startsWith('/snapshot')) expect(response.headers.get('content-length')).toBeNull()
      return response.text()
    })
    .finally(() => {
      isOver = true
    })
  let answered = 0
  while (!isOver) {
    expect((await call('/v1/pets?limit=1', 'demo-enterprise')).status).toBe(200)
    answered += 1
  }
  return { text: await reading, answered }
}

const plans = { enterprise: { minute: 1_000_000, day: 1_000_000 } }

test('the API answers while a long snapshot is written, and the snapshot can be put back', async () => {
  const server = await openAdminServer({ plans, pets: { count: 100_000 } })
  const { emulator, ask } = server
  const change = changing(emulator)
  for (const id of [1, 50_000, 99_999]) change({ do: 'deletePet', id })
  for (const [path, taken] of [
    ['/snapshot', takeSnapshot(emulator.sandboxes.default)],
    ['/snapshot?sandbox=*', takeSandboxesSnapshot(emulator.sandboxes)],
  ] as const) {
    const { text, answered } = await readBeside(server, path)
    expect(answered).toBeGreaterThan(5)
    const { scenario, scenarios, ...rest } = JSON.parse(text)
    expect(Object.keys(rest).sort()).toEqual(
      Object.keys(taken)
        .filter(name => !name.startsWith('scenario'))
        .sort(),
    )
    expect((scenario ?? scenarios[0]).pets.list).toHaveLength(100_000)
    expect((await ask(path, JSON.parse(text), 'PUT')).status).toBe(200)
    expect(emulator.sandboxes.default.pets.size).toBe(99_997)
  }
})

test.each(['/requests', '/requests.har', '/requests?status=500', '/conduct?flights=true'])(
  'the API answers while %s is written',
  async path => {
    const server = await openAdminServer({ plans }, { journal: { entries: 20_000, bytes: 2 ** 30 } })
    const { handle } = server.emulator
    for (let made = 0; made < 10_000; made += 1)
      handle({
        method: 'GET',
        target: `/v1/pets?limit=20&x=${made}`,
        headers: ['Host', 'localhost', 'Authorization', 'Bearer demo-enterprise'],
        body: undefined,
        scheme: 'http',
        client: '127.0.0.1',
        receivedAt: Date.now(),
      })
    const { text, answered } = await readBeside(server, path)
    expect(answered).toBeGreaterThan(5)
    expect(() => JSON.parse(text)).not.toThrow()
  },
)

test('a client that leaves in the middle of a long answer leaves no work behind', async () => {
  const server = await openAdminServer({ pets: { count: 200_000 } })
  const gone = new AbortController()
  const response = await fetch(`${server.origin}/__admin/snapshot`, { signal: gone.signal })
  const reader = response.body?.getReader()
  expect((await reader?.read())?.done).toBe(false)
  gone.abort()
  expect((await server.ask('/health')).status).toBe(200)
})
