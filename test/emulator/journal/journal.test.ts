import { expect, test } from 'vitest'
import type { ScenarioFile } from '../../../src/control/scenario/file.ts'
import { createEmulator } from '../../../src/emulator/emulator.ts'
import type { Exchange } from '../../../src/emulator/journal/exchange.ts'
import type { Call } from '../../../src/service/call/call.ts'
import { noon, scenarioOf } from '../../support/scenarios.ts'

const get = (target: string, key = 'demo-free'): Call => ({
  method: 'GET',
  target,
  headers: ['Host', 'localhost', 'Authorization', `Bearer ${key}`],
  body: undefined,
  scheme: 'http',
  client: '127.0.0.1',
  receivedAt: 0,
})

function openJournal(): {
  handle: (call: Call) => unknown
  exchanges: () => Exchange[]
  evicted: () => number
} {
  const emulator = createEmulator({ scenario: scenarioOf({ bans: { after: 2 } }), startedAt: 0 })
  const { journal } = emulator.sandboxes.default
  return { handle: emulator.handle, exchanges: () => [...journal], evicted: () => journal.evicted }
}

test('the last 1 000 exchanges are kept, oldest first, and the rest are counted', () => {
  const { handle, exchanges, evicted } = openJournal()
  for (let id = 1; id <= 1_500; id += 1) handle(get('/v1/pets', 'demo-enterprise'))
  expect(exchanges().map(({ id }) => id)).toEqual(Array.from({ length: 1_000 }, (_, index) => 501 + index))
  expect(evicted()).toBe(500)
})

test('a full journal that its world left keeps what it holds: a call that ends late changes none of it', () => {
  const emulator = createEmulator({
    scenario: scenarioOf({}),
    startedAt: 0,
    journal: { entries: 3, bytes: 1e6 },
  })
  const { journal } = emulator.sandboxes.default
  for (const id of ['1', '2', '3']) emulator.handle(get(`/v1/pets/${id}`, 'demo-pro'))
  const before = [...journal]
  journal.leave()
  emulator.handle(get('/v1/pets/late', 'demo-pro'))
  expect([...journal]).toEqual(before)
})

test('an exchange has the place of its call among the events of connections, if the door gives one', () => {
  const { handle, exchanges } = openJournal()
  for (const order of [0, 7, undefined]) handle({ ...get('/v1/pets'), order })
  expect(exchanges().map(({ call }) => call.order)).toEqual([0, 7, undefined])
})

test('an exchange has the end of a ban, and none once bans are switched off', () => {
  const keys: ScenarioFile['keys'] = { 'demo-free': { plan: 'free', banned: '5m' } }
  const { handle, sandboxes } = createEmulator({ scenario: scenarioOf({ keys }), startedAt: noon })
  handle(get('/v1/pets'))
  sandboxes.adopt(scenarioOf({ bans: 'off' }), noon)
  handle(get('/v1/pets'))
  const ends = [...sandboxes.default.journal].map(({ trace }) => trace.bannedUntil)
  expect(ends).toEqual([noon - 250 + 300_000, undefined])
})

test('a call that is only decided takes a number, too, and leaves no exchange', () => {
  const { decide, handle, sandboxes } = createEmulator({ scenario: scenarioOf({}), startedAt: 0 })
  for (const make of [handle, decide, decide, handle]) make(get('/v1/pets'))
  expect([...sandboxes.default.journal].map(({ id }) => id)).toEqual([1, 4])
})

test('each exchange carries the decision: which gate, on which numbers', () => {
  const { handle, exchanges } = openJournal()
  for (let id = 1; id <= 60; id += 1) handle(get('/v1/pets'))
  handle(get('/v1/pets'))
  handle(get('/v1/pets'))
  handle(get('/v1/pets'))
  handle(get('/v1/nothing', 'demo-pro'))
  handle(get('/v1/pets/7', 'demo-pro'))
  handle(get('/v1/store/orders', 'demo-pro'))
  handle(get('/pets'))
  handle(get('/v1/pets', 'unknown'))
  handle({ ...get('/v1/pets'), method: 'OPTIONS' })
  handle({ ...get('/v1/pets'), headers: ['Host', 'evil.test'] })
  handle({ ...get('/v1/pets'), headers: [...get('').headers, 'Prefer', 'code=503'] })
  const traces = exchanges()
    .slice(59)
    .map(({ trace }) => [
      trace.gate,
      trace.code,
      trace.operation,
      trace.plan,
      trace.limit?.minute.used,
      trace.strikes,
      trace.banAfter,
    ])
  expect(traces).toEqual([
    ['operation', undefined, 'listPets', 'free', 60, 0, undefined],
    ['limit', 'rate_limit_exceeded', undefined, 'free', 60, 1, 2],
    ['limit', 'api_key_banned', undefined, 'free', 60, 2, 2],
    ['ban', 'api_key_banned', undefined, 'free', 60, 2, 2],
    ['route', 'route_not_found', undefined, 'pro', 1, 0, undefined],
    ['operation', undefined, 'getPet', 'pro', 2, 0, undefined],
    ['operation', undefined, 'listOrders', 'pro', 3, 0, undefined],
    ['api', 'route_not_found', undefined, 'free', undefined, 2, 2],
    ['key', 'invalid_api_key', undefined, undefined, 1, 0, undefined],
    ['preflight', undefined, undefined, 'free', undefined, 2, 2],
    ['host', 'host_not_allowed', undefined, undefined, undefined, 0, undefined],
    ['ban', 'api_key_banned', undefined, 'free', 60, 2, 2],
  ])
  expect(exchanges().flatMap(({ trace }) => trace.stability ?? [])).toEqual(['experimental'])
  expect(exchanges()[60]?.trace.limit?.minute).toMatchObject({ limit: 60, used: 60, openedBy: 1 })
})

test('an observer sees each exchange, until it stops', () => {
  const emulator = createEmulator({ scenario: scenarioOf({}), startedAt: 0 })
  const seen: number[] = []
  const stop = emulator.observe(({ id }) => seen.push(id))
  emulator.handle(get('/v1/pets'))
  emulator.handle(get('/v1/pets'))
  stop()
  emulator.handle(get('/v1/pets'))
  expect(seen).toEqual([1, 2])
})

test('bodies are kept up to 16 KiB, as copies; an observer sees them whole', () => {
  const emulator = createEmulator({ scenario: scenarioOf({}), startedAt: 0 })
  const seen: Exchange[] = []
  emulator.observe(exchange => seen.push(exchange))
  const body = Buffer.from(JSON.stringify({ name: 'x'.repeat(100_000), categoryId: 1 }))
  const headers = [...get('').headers, 'Content-Type', 'application/json']
  const { status } = emulator.handle({ ...get('/v1/pets'), method: 'POST', headers, body })
  expect(status).toBe(201)
  const lengths = (exchange: Exchange | undefined) => [
    exchange?.call.body?.length,
    exchange?.reply.body?.length,
  ]
  const [kept] = emulator.sandboxes.default.journal
  expect(lengths(kept)).toEqual([16_384, 16_384])
  expect(kept?.call.body instanceof Uint8Array && kept.call.body.buffer).not.toBe(body.buffer)
  expect(lengths(seen[0])).toEqual([body.length, body.length + '"id":101,'.length])
})

test('clients that take turns are kept apart', () => {
  const { handle, exchanges } = openJournal()
  for (const key of ['demo-free', 'demo-pro', 'demo-free', 'unknown', 'demo-pro'])
    handle(get('/v1/pets', key))
  expect(exchanges().map(({ call, trace }) => [call.headers[3], trace.key])).toEqual([
    ['Bearer demo-free', 'demo-free'],
    ['Bearer demo-pro', 'demo-pro'],
    ['Bearer demo-free', 'demo-free'],
    ['Bearer unknown', undefined],
    ['Bearer demo-pro', 'demo-pro'],
  ])
})

test('the journal has the replies that the clients got', () => {
  const { handle, exchanges } = openJournal()
  const calls: readonly Call[] = [
    get('/v1/pets?limit=1'),
    get('/elsewhere'),
    get('/v1/pets', 'unknown'),
    { ...get('/v1/pets'), method: 'HEAD' },
    { ...get('/v1/pets'), headers: ['Host', 'evil.test'] },
    get('/v1/pets?limit=1', 'demo-pro'),
    get('/elsewhere', 'demo-pro'),
  ]
  expect(calls.map(handle)).toEqual(exchanges().map(({ reply }) => reply))
})

test('a key with strikes calls on when bans are off', () => {
  const scenario = scenarioOf({ keys: { struck: { plan: 'free', strikes: 2 } } })
  const off = { ...scenario, behaviour: { ...scenario.behaviour, bans: undefined } }
  const { handle, sandboxes } = createEmulator({ scenario: off, startedAt: 0 })
  expect(handle(get('/pets', 'struck')).status).toBe(404)
  const [exchange] = sandboxes.default.journal
  expect([exchange?.trace.strikes, exchange?.trace.banAfter]).toEqual([2, undefined])
})

test('a reply to HEAD has no encoded body', () => {
  const { handle } = createEmulator({ scenario: scenarioOf({}), startedAt: 0 })
  const replies = ['GET', 'GET', 'HEAD'].map(method => handle({ ...get('/v1/pets'), method }))
  expect(replies.map(({ body, octets }) => [body === undefined, octets === undefined])).toEqual([
    [false, true],
    [false, false],
    [true, true],
  ])
})
