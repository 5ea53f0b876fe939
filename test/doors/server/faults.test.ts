import { execFile } from 'node:child_process'
import { request as httpRequest } from 'node:http'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, type TestContext } from 'vitest'
import type { ThenFields } from '../../../src/control/scenario/file.ts'
import {
  petCount,
  type RawClient,
  requestText,
  rex,
  type TestServer,
  serverTest as test,
} from '../../support/raw-http.ts'
import { findProgram, requireOrSkip } from '../../support/requirements.ts'
import { scenarioOf } from '../../support/scenarios.ts'

/** Longer than any test may take: who waits for it has failed. */
const longGrace = 60_000
const forEver = '10m'

/** What befalls GET /v1/store/orders; all else is as usual. */
const onOrders = (then: ThenFields) => scenarioOf({ rules: [{ match: { operation: 'listOrders' }, then }] })
const orders = requestText('GET /v1/store/orders')
const pets = requestText('GET /v1/pets?limit=1')

/** How a client library fails: the code of the error, and how much of the body had come. */
function failureOf(
  { port }: TestServer,
  method = 'GET',
): Promise<{ code: string; bytes: number; length: number }> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: 'Bearer demo-free' }
    const request = httpRequest({
      host: '127.0.0.1',
      port,
      method,
      path: '/v1/store/orders',
      headers,
      agent: false,
    })
    let bytes = 0
    let length = Number.NaN
    const fail = ({ code = '' }: NodeJS.ErrnoException) => resolve({ code, bytes, length })
    request.on('error', fail).on('response', response => {
      length = Number(response.headers['content-length'])
      response.on('error', fail).on('data', chunk => {
        bytes += chunk.length
      })
      response.on('end', () => reject(new Error(`it did not fail, after ${bytes} bytes`)))
    })
    request.end()
  })
}

const fetchOrders = ({ port }: TestServer, signal?: AbortSignal) =>
  fetch(`http://127.0.0.1:${port}/v1/store/orders`, {
    headers: { Authorization: 'Bearer demo-free' },
    ...(signal && { signal }),
  })

/** undici's error bears the one of the socket as its cause. */
const causeOf = async (promise: Promise<unknown>) => {
  const error: unknown = await promise.then(
    () => undefined,
    caught => caught,
  )
  return error instanceof Error ? (error.cause as NodeJS.ErrnoException | undefined)?.code : undefined
}

/** curl's exit code. */
async function curl(skip: TestContext['skip'], { port }: TestServer): Promise<number> {
  const program = requireOrSkip({ skip }, 'curl', findProgram('curl'))
  const url = `http://127.0.0.1:${port}/v1/store/orders`
  const args = ['-sS', '--max-time', '15', '-H', 'Authorization: Bearer demo-free', url]
  const failed = await promisify(execFile)(program, args).then(
    () => undefined,
    error => error,
  )
  return failed === undefined ? 0 : failed.code
}

/** A client whose call the server has read: what comes after it on another connection is answered. */
async function waiting(server: TestServer, sent = orders): Promise<RawClient> {
  const client = await server.connect()
  client.send(sent)
  const calls = () => [...server.emulator.sandboxes.default.journal].length
  const before = calls()
  while (calls() === before) await new Promise(resolve => setImmediate(resolve))
  return client
}

const timers = () => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length

describe('faults are real on the wire', () => {
  test('reset: ECONNRESET, before a byte', async ({ open }) => {
    const server = await open({ scenario: onOrders({ fault: 'reset' }) })
    expect(await failureOf(server)).toEqual({ code: 'ECONNRESET', bytes: 0, length: Number.NaN })
    expect(await causeOf(fetchOrders(server))).toBe('ECONNRESET')
  })

  test('reset: curl cannot receive', async ({ open, skip }) => {
    const server = await open({ scenario: onOrders({ fault: 'reset' }) })
    expect(await curl(skip, server)).toBe(56)
  })

  test('reset in the middle of a pipeline: earlier replies arrive whole, later ones never', async ({
    open,
  }) => {
    const server = await open({ scenario: onOrders({ fault: 'reset' }) })
    const client = await server.connect()
    client.socket.on('error', () => {})
    client.send(pets + pets + orders + pets)
    for (let reply = 0; reply < 2; reply += 1)
      expect(JSON.parse((await client.reply()).text)).toMatchObject([{ id: 1 }])
    expect(await client.end()).toBe('')
    // Where a reset comes together with bytes, node's reader tells of an end; but only after a reset can nothing be written.
    const written = await new Promise(resolve => client.socket.write('x', resolve))
    expect(written).toMatchObject({
      code: expect.stringMatching(/^E(?:PIPE|CONNRESET|RR_STREAM_DESTROYED)$/),
    })
    expect((await server.ask(pets)).status).toBe(200)
  })

  test('empty: the connection closes normally, without a byte', async ({ open }) => {
    const server = await open({ scenario: onOrders({ fault: 'empty' }) })
    const client = await server.connect()
    const errors: unknown[] = []
    client.socket.on('error', error => errors.push(error))
    client.send(orders)
    expect(await client.end()).toBe('')
    expect(errors).toEqual([])
    expect(await causeOf(fetchOrders(server))).toBe('UND_ERR_SOCKET')
  })

  test('empty: curl reports an empty reply', async ({ open, skip }) => {
    const server = await open({ scenario: onOrders({ fault: 'empty' }) })
    expect(await curl(skip, server)).toBe(52)
  })

  test('truncate: half of the body that Content-Length announces, then the end', async ({ open }) => {
    const server = await open({ scenario: onOrders({ fault: 'truncate' }) })
    const client = await server.connect()
    client.send(orders)
    const received = await client.end()
    const [head = '', body = ''] = received.split('\r\n\r\n')
    const announced = Number(/Content-Length: (\d+)/.exec(head)?.[1])
    expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(body.length).toBe(Math.floor(announced / 2))
    expect(await causeOf(fetchOrders(server).then(response => response.text()))).toBe('UND_ERR_SOCKET')
    const { code, bytes, length } = await failureOf(server)
    expect([code, bytes, length]).toEqual(['ECONNRESET', Math.floor(announced / 2), announced])
  })

  test('truncate: curl expects more than it gets', async ({ open, skip }) => {
    const server = await open({ scenario: onOrders({ fault: 'truncate' }) })
    expect(await curl(skip, server)).toBe(18)
  })

  test('malformed: 200 with the announced length, and JSON.parse fails', async ({ open }) => {
    const server = await open({ scenario: onOrders({ fault: 'malformed' }) })
    const response = await fetchOrders(server)
    const text = await response.clone().text()
    expect(response.status).toBe(200)
    expect(response.headers.get('content-length')).toBe(`${Buffer.byteLength(text)}`)
    await expect(response.json()).rejects.toThrow(SyntaxError)
  })

  test('malformed: curl accepts it', async ({ open, skip }) => {
    const server = await open({ scenario: onOrders({ fault: 'malformed' }) })
    expect(await curl(skip, server)).toBe(0)
  })

  test('hang: nothing comes until the client gives up, and the connection is freed', async ({ open }) => {
    const server = await open({ scenario: onOrders({ fault: 'hang' }) })
    const giveUp = new AbortController()
    const call = fetchOrders(server, giveUp.signal)
    const client = await waiting(server)
    // Another call on the way is answered: only this one hangs.
    expect((await server.ask(pets)).status).toBe(200)
    giveUp.abort()
    await expect(call).rejects.toThrow('abort')
    client.reset()
    await server.door.close(longGrace)
  })

  test('hang: a client that closes its side has given up', async ({ open }) => {
    const server = await open({ scenario: onOrders({ fault: 'hang' }) })
    const client = await waiting(server)
    client.socket.end()
    expect(await client.end()).toBe('')
  })

  test('slow: the headers come first, then the whole body', async ({ open }) => {
    const server = await open({ scenario: onOrders({ fault: 'slow' }) })
    const response = await fetchOrders(server)
    const reader = response.body?.getReader()
    const first = await reader?.read()
    const announced = Number(response.headers.get('content-length'))
    expect(first?.value?.length).toBeLessThan(announced)
    // Whoever closes gets the rest at once.
    const closed = server.door.close(longGrace)
    let bytes = first?.value?.length ?? 0
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
      bytes += part.value.length
    }
    expect(bytes).toBe(announced)
    await closed
  })

  test('a call with a fault alone has its effect: the pet exists', async ({ open }) => {
    const rules = [{ match: { operation: 'createPet' as const }, then: { fault: 'reset' as const } }]
    const server = await open({ scenario: scenarioOf({ rules }) })
    const client = await server.connect()
    client.socket.on('error', () => {})
    client.send(requestText('POST /v1/pets', { body: rex }))
    await client.end()
    expect(petCount(server)).toBe(101)
  })

  test('a fault with an answer breaks that answer, and the call has no effect', async ({ open }) => {
    const rules = [
      { match: { operation: 'createPet' as const }, then: { status: 503, fault: 'truncate' as const } },
    ]
    const server = await open({ scenario: scenarioOf({ rules }) })
    const client = await server.connect()
    client.send(requestText('POST /v1/pets', { body: rex }))
    expect(await client.end()).toMatch(
      /^HTTP\/1\.1 503 Service Unavailable\r\n(?:.|\s)*"code":"injected_fault"/,
    )
    expect(petCount(server)).toBe(100)
  })

  test.for(['truncate', 'slow', 'malformed'] as const)(
    '%s leaves a reply without a body alone',
    async (fault, { open }) => {
      const server = await open({ scenario: onOrders({ fault }) })
      const client = await server.connect()
      client.send(requestText('HEAD /v1/store/orders') + pets)
      expect((await client.reply({ head: true })).status).toBe(200)
      expect((await client.reply()).status).toBe(200)
    },
  )

  test('a call that is too large is broken like any other', async ({ open }) => {
    const server = await open({ scenario: scenarioOf({ rules: [{ then: { fault: 'empty' } }] }) })
    const client = await server.connect()
    client.send(requestText('POST /v1/pets', { lines: ['Content-Length: 2000000'] }))
    client.send('x'.repeat(100_000))
    expect(await client.end()).toBe('')
  })
})

describe('delays', () => {
  test('a reply is delayed as long as the rule says', async ({ open }) => {
    const server = await open({ scenario: onOrders({ delay: '120ms' }) })
    const start = performance.now()
    expect((await server.ask(orders)).status).toBe(200)
    // A timer may be early by the part of a millisecond that its clock rounds off.
    expect(performance.now() - start).toBeGreaterThanOrEqual(118)
  })

  test('delays are real time: a frozen or fast clock changes nothing', async ({ open }) => {
    const scenario = scenarioOf({ clock: { scale: 86_400 }, rules: [{ then: { delay: '60ms' } }] })
    const server = await open({ scenario })
    const start = performance.now()
    await server.ask(pets)
    expect(performance.now() - start).toBeGreaterThanOrEqual(58)
  })

  test('the server answers other calls meanwhile', async ({ open }) => {
    const server = await open({ scenario: onOrders({ delay: forEver }) })
    await waiting(server)
    expect((await server.ask(pets)).status).toBe(200)
  })

  test('replies of one connection stay in order, and each has its own', async ({ open }) => {
    const server = await open({ scenario: onOrders({ delay: '50ms' }) })
    const client = await server.connect()
    client.send(pets + orders + pets + orders)
    const kinds: unknown[] = []
    for (let reply = 0; reply < 4; reply += 1) {
      const [first] = JSON.parse((await client.reply()).text)
      kinds.push('name' in first ? 'pets' : 'orders')
    }
    expect(kinds).toEqual(['pets', 'orders', 'pets', 'orders'])
  })

  test('a fault waits for the replies before it', async ({ open }) => {
    const rules = [
      { match: { operation: 'listPets' as const }, then: { delay: '50ms' as const } },
      { match: { operation: 'listOrders' as const }, then: { fault: 'reset' as const } },
    ]
    const server = await open({ scenario: scenarioOf({ rules }) })
    const client = await server.connect()
    client.socket.on('error', () => {})
    client.send(pets + orders)
    expect((await client.reply()).status).toBe(200)
    expect(await client.end()).toBe('')
  })

  test('delay and answer, delay and fault', async ({ open }) => {
    const late = await open({ scenario: onOrders({ delay: '40ms', status: 503 }) })
    const start = performance.now()
    expect((await late.ask(orders)).status).toBe(503)
    expect(
      await failureOf(await open({ scenario: onOrders({ delay: '40ms', fault: 'reset' }) })),
    ).toMatchObject({
      code: 'ECONNRESET',
    })
    expect(performance.now() - start).toBeGreaterThanOrEqual(76)
  })

  test('a client that goes away leaves no timer behind', async ({ open }) => {
    const server = await open({ scenario: onOrders({ delay: forEver }) })
    const before = timers()
    const clients = [await waiting(server), await waiting(server, orders + orders)]
    const during = timers()
    for (const client of clients) client.reset()
    while (timers() >= during) await new Promise(resolve => setImmediate(resolve))
    expect([during - before >= 2, timers() - before <= 0]).toEqual([true, true])
  })
})

describe('closing', () => {
  test.for(['hang', 'slow', 'truncate', 'empty', 'reset'] as const)(
    'a delayed %s is not waited for',
    async (fault, { open }) => {
      const server = await open({ scenario: onOrders({ delay: forEver, fault }) })
      const client = await waiting(server)
      client.socket.on('error', () => {})
      await server.door.close(longGrace)
      await client.end()
    },
  )

  test('a delayed reply goes out at once, and its connection ends', async ({ open }) => {
    const server = await open({ scenario: onOrders({ delay: forEver }) })
    const client = await waiting(server)
    const closed = server.door.close(longGrace)
    const reply = await client.reply()
    expect([reply.status, reply.headers.connection]).toEqual([200, 'close'])
    await closed
  })

  test('all delayed replies on one connection go out', async ({ open }) => {
    const server = await open({ scenario: onOrders({ delay: forEver }) })
    const client = await waiting(server, orders + orders + orders)
    await server.ask(pets)
    const closed = server.door.close(longGrace)
    expect((await client.reply()).status).toBe(200)
    await closed
  })

  test('a hanging client is released', async ({ open }) => {
    const server = await open({ scenario: onOrders({ fault: 'hang' }) })
    const client = await waiting(server)
    client.socket.on('error', () => {})
    onTestFinished(() => {
      client.socket.destroy()
    })
    await server.door.close(longGrace)
    expect(await client.end()).toBe('')
  })
})
