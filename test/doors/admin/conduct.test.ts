import { Agent, get } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { openAdminServer } from '../../support/admin-server.ts'

/** On real time: on a clock of last year, a client could not wait rightly by its own clock. */
const usedUp = { clock: { scale: 1 }, keys: { 'sk-live-42': { plan: 'free', used: { minute: 60 } } } }

/** A client with one connection: what comes on it after a refusal comes knowingly. */
function createClient(origin: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  return (path: string, key: string) =>
    new Promise<void>((resolve, reject) => {
      const headers = { Authorization: `Bearer ${key}` }
      get(origin + path, { agent, headers }, response => response.resume().on('end', resolve)).on(
        'error',
        reject,
      )
    })
}

test('reports on the calls in the journal', async () => {
  const { origin, ask } = await openAdminServer(usedUp)
  const call = createClient(origin)
  expect((await ask('/conduct?')).json).toMatchObject({
    calls: 0,
    findings: [],
    unjudged: [{ count: 16, what: 'check', reason: 'no call was made' }],
  })
  for (const _ of [1, 2]) await call('/v1/pets?limt=5', 'sk-live-42')
  await call('/v1/pets/1', 'demo-free+w1')
  const { json } = await ask('/conduct?')
  expect(json.findings.map(({ id }: { id: string }) => id)).toEqual(['early-retry'])
  expect(json).toMatchObject({ judge: 'conduct', calls: 2, flights: [], notes: [] })
  const ofWorker = (await ask('/conduct?sandbox=w1')).json
  expect(ofWorker).toMatchObject({ calls: 1, findings: [{ id: 'deprecated-operation' }] })
  const ofAll = (await ask('/conduct?sandbox=*&flights=true')).json
  expect(ofAll).toMatchObject({ calls: 3, flights: [{ title: 'sk-liv…' }, { title: 'demo-f… in w1' }] })
})

test('shows no key', async () => {
  const { origin, ask } = await openAdminServer(usedUp)
  const call = createClient(origin)
  await call('/v1/pets?api_key=sk-live-42&x=sk-live-42', 'sk-live-42')
  await call('/v1/pets?api_key=sk-live-42&x=sk-live-42', 'sk-live-42')
  const { text } = await ask('/conduct?flights=true')
  expect(text).toContain('key-in-query')
  expect(text).not.toContain('sk-live-42')
})

test('says when it is partial', async () => {
  const { emulator, ask } = await openAdminServer({ keys: { big: { plan: 'enterprise' } } })
  for (let made = 0; made < 1_003; made += 1) {
    emulator.handle({
      method: 'GET',
      target: '/v1/pets?limit=1',
      headers: ['Host', '127.0.0.1', 'Authorization', 'Bearer big'],
      body: undefined,
      scheme: 'http',
      client: '127.0.0.1',
      receivedAt: Date.now(),
    })
  }
  const { unjudged, checks } = (await ask('/conduct?')).json
  expect(unjudged).toMatchObject([{ count: 3, what: 'call', reason: expect.stringMatching(/^the journal /) }])
  expect(checks).toContainEqual({ ...checks[0], id: 'early-retry', result: 'unjudged' })
})

test('a reset begins anew', async () => {
  const { origin, ask } = await openAdminServer(usedUp)
  const call = createClient(origin)
  for (const _ of [1, 2]) await call('/v1/pets', 'sk-live-42')
  await fetch(`${origin}/__admin/reset`, { method: 'POST' })
  expect((await ask('/conduct?')).json).toMatchObject({ calls: 0, findings: [] })
})

test('finds what one request is evidence of, among any number', async () => {
  const { origin, ask } = await openAdminServer(usedUp)
  const call = createClient(origin)
  for (let id = 1; id <= 40; id += 1) await call(`/v1/pets?limt${id}=5`, 'demo-free')
  const idsOf = ({ json }: { readonly json: ReturnType<typeof JSON.parse> }) =>
    json.findings.map(({ id, evidence }: { id: string; evidence: readonly { request: number }[] }) => [
      id,
      ...evidence.map(({ request }) => request),
    ])
  expect(idsOf(await ask('/conduct?request=33'))).toEqual([['unknown-parameter', 33]])
  expect(idsOf(await ask('/conduct?request=41'))).toEqual([])
  expect(idsOf(await ask('/conduct'))[0]).toHaveLength(21)
})
