import fc from 'fast-check'
import { expect } from 'vitest'
import { adminOf } from '../../support/admin.ts'
import { sendOverHttp } from '../../support/doors.ts'
import { readLimits } from '../../support/expectations.ts'
import { type TestServer, serverTest as test } from '../../support/raw-http.ts'
import { scenarioOf } from '../../support/scenarios.ts'

const rex = { name: 'Rex', categoryId: 1 }

type Act = (server: TestServer, sandbox: string) => Promise<unknown>

function api(method: string, target: string, body?: object): Act {
  return async ({ host }, sandbox) => {
    const { status, headers, text } = await sendOverHttp(host, {
      method,
      target,
      headers: [
        ['Authorization', `Bearer demo-free+${sandbox}`],
        ['Host', '127.0.0.1'],
        ...(body === undefined ? [] : [['Content-Type', 'application/json'] as const]),
      ],
      body: body === undefined ? undefined : new TextEncoder().encode(JSON.stringify(body)),
    })
    // The date is the clock's, which is frozen and of the sandbox's own.
    const { connection: _connection, 'keep-alive': _keepAlive, ...rest } = headers
    return { status, headers: rest, text }
  }
}

function admin(call: string, body?: object): Act {
  return async ({ host }, sandbox) => {
    const { status, text } = await adminOf(host)(`${call}?sandbox=${sandbox}`, body)
    return { status, text: text.replaceAll(sandbox, 'SANDBOX').replace(/"wall":\d+/g, '') }
  }
}

const acts: Readonly<Record<string, Act>> = {
  list: api('GET', '/v1/pets?limit=3'),
  create: api('POST', '/v1/pets', rex),
  get: api('GET', '/v1/pets/1'),
  refused: api('GET', '/v1/nowhere'),
  advance: admin('POST /clock/advance', { by: '7s' }),
  toTheEnd: admin('POST /clock/advance', { by: '2000d' }),
  resetClock: admin('POST /clock/reset'),
  ban: admin('POST /keys/demo-free/ban', { for: '30s' }),
  unban: admin('POST /keys/demo-free/unban'),
  upgrade: admin('PATCH /keys/demo-free', { plan: 'pro' }),
  addPet: admin('POST /pets', rex),
  deletePet: admin('DELETE /pets/1'),
  addRule: admin('POST /rules', { name: 'sometimes', when: { every: 2 }, then: { status: 503 } }),
  deleteRule: admin('DELETE /rules/sometimes'),
  scenario: admin('PUT /scenario', {
    scenario: { clock: { at: '2026-03-02T12:00:00Z', frozen: true }, seed: 2 },
  }),
  reset: admin('POST /reset'),
  keys: admin('GET /keys'),
  rules: admin('GET /rules'),
  snapshot: admin('GET /snapshot'),
}

const step = fc.tuple(fc.constantFrom('ann', 'bob', 'default'), fc.constantFrom(...Object.keys(acts)))

async function play(server: TestServer, steps: readonly (readonly [string, string])[]): Promise<unknown[]> {
  const seen: unknown[] = []
  for (const [sandbox, name] of steps) seen.push([name, await acts[name]?.(server, sandbox)])
  return seen
}

function journalOf({ emulator }: TestServer, sandbox: string): unknown {
  return Array.from(emulator.sandboxes.get(sandbox)?.journal ?? [], ({ id, at, call, reply }) => [
    id,
    at,
    call.method,
    call.target,
    reply.status,
  ])
}

const scenario = scenarioOf({ pets: { count: 3 } })

test('what happens in a sandbox never shows in another', { timeout: 120_000 }, async ({ open }) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 30 }), async steps => {
      const together = await open({ scenario })
      const mixed = await play(together, steps)
      for (const sandbox of ['ann', 'bob', 'default']) {
        const own = steps.filter(([name]) => name === sandbox)
        const alone = await open({ scenario })
        expect(mixed.filter((_, index) => steps[index]?.[0] === sandbox)).toEqual(await play(alone, own))
        expect(journalOf(together, sandbox)).toEqual(journalOf(alone, sandbox))
      }
    }),
    { numRuns: 25 },
  )
})

test('50 workers, a key each, at once: every count is exact', { timeout: 120_000 }, async ({ open }) => {
  const server = await open({ scenario: scenarioOf({ bans: 'off' }) })
  const suite = async (worker: string) => {
    const call = (target = '/v1/pets?limit=1') => api('GET', target)(server, worker) as Promise<Reply>
    const told: unknown[] = []
    for (let made = 0; made < 5; made += 1) told.push(readLimits(await call()).remaining)
    told.push(JSON.parse(((await api('POST', '/v1/pets', rex)(server, worker)) as Reply).text).id)
    const parallel = await Promise.all(Array.from({ length: 60 }, () => call()))
    told.push(parallel.filter(({ status }) => status === 200).length)
    await admin('POST /clock/advance', { by: '60s' })(server, worker)
    told.push(readLimits(await call()).remaining)
    await admin('POST /reset')(server, worker)
    told.push(readLimits(await call()).remaining, (await call('/v1/pets/101')).status)
    return told
  }
  const workers = Array.from({ length: 50 }, (_, worker) => `w${worker}`)
  const results = await Promise.all(workers.map(suite))
  expect(results).toEqual(workers.map(() => [59, 58, 57, 56, 55, 101, 54, 59, 59, 404]))
  const { json } = await adminOf(server.host)('GET /sandboxes')
  expect(json?.sandboxes).toHaveLength(51)
})

type Reply = Awaited<ReturnType<typeof sendOverHttp>>
