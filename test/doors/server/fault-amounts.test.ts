import { describe, expect } from 'vitest'
import type { ThenFields } from '../../../src/control/scenario/file.ts'
import { explain } from '../../../src/judges/inspection/explain.ts'
import { requestText, type TestServer, serverTest as test } from '../../support/raw-http.ts'
import { scenarioOf } from '../../support/scenarios.ts'

/** Longer than any test may take: who waits for it has failed. */
const longGrace = 60_000

const onOrders = (fault: ThenFields['fault']) =>
  scenarioOf({ rules: [{ match: { operation: 'listOrders' }, then: { fault } }] })
const orders = requestText('GET /v1/store/orders')
const timers = () => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length

/** Waits until the emulator has decided a call. */
async function answered({ emulator }: TestServer): Promise<void> {
  while ([...emulator.sandboxes.default.journal].length === 0)
    await new Promise(resolve => setImmediate(resolve))
}

/** Head and body of what was received. */
const parts = (received: string) => {
  const [head = '', body = ''] = received.split('\r\n\r\n')
  return { head, body, announced: Number(/Content-Length: (\d+)/.exec(head)?.[1]) }
}

describe('a pace', () => {
  test.for([{ slow: { bytesPerSecond: 1_000 } }, { slow: { chunk: 100, every: '100ms' } }] as const)(
    '%j: the body takes its time',
    async (fault, { open }) => {
      const server = await open({ scenario: onOrders(fault) })
      const start = performance.now()
      const { text } = await server.ask(orders)
      // A timer may be early by the part of a millisecond that its clock rounds off.
      const pieces = Math.ceil(text.length / 100) - 1
      expect(pieces).toBeGreaterThan(1)
      expect(performance.now() - start).toBeGreaterThanOrEqual(pieces * 99)
    },
  )

  test('half the pace takes about twice as long', async ({ open }) => {
    const measure = async (bytesPerSecond: number) => {
      const server = await open({ scenario: onOrders({ slow: { bytesPerSecond } }) })
      const start = performance.now()
      await server.ask(orders)
      return performance.now() - start
    }
    const fast = await measure(2_000)
    expect((await measure(1_000)) / fast).toBeGreaterThan(1.2)
  })

  test('a client that leaves frees the timer', async ({ open }) => {
    const server = await open({ scenario: onOrders({ slow: { bytesPerSecond: 1 } }) })
    const client = await server.connect()
    client.send(orders)
    await new Promise(resolve => client.socket.once('readable', resolve))
    const during = timers()
    client.reset()
    while (timers() >= during) await new Promise(resolve => setImmediate(resolve))
  })

  test('a million pieces go out at once when the server stops', async ({ open }) => {
    const body = 'x'.repeat(1_000_000)
    const scenario = scenarioOf({
      rules: [{ then: { body, fault: { slow: { chunk: 1, every: '10m' } } } }],
    })
    const server = await open({ scenario })
    const client = await server.connect()
    client.send(orders)
    await new Promise(resolve => client.socket.once('readable', resolve))
    const closed = server.door.close(longGrace)
    expect((await client.reply()).text).toHaveLength(body.length)
    await closed
  })
})

describe('truncate after', () => {
  test.for([0, 1, 100])('%d bytes', async (after, { open }) => {
    const server = await open({ scenario: onOrders({ truncate: { after } }) })
    const client = await server.connect()
    client.send(orders)
    const { head, body, announced } = parts(await client.end())
    expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect([body.length, announced > 100]).toEqual([after, true])
  })

  test('a shorter body arrives whole, and nothing says that it was cut', async ({ open }) => {
    const server = await open({ scenario: onOrders({ truncate: { after: 1_000_000 } }) })
    const client = await server.connect()
    client.send(orders)
    const { head, body, announced } = parts(await client.end())
    expect(body.length).toBe(announced)
    expect(head).not.toContain('X-Pet-Mock')
    const [exchange] = server.emulator.sandboxes.default.journal
    expect(exchange && [exchange.reply.fault, exchange.reply.spared]).toEqual([
      undefined,
      { truncate: { after: 1_000_000 } },
    ])
    expect(exchange && explain(exchange, [], text => text).sentences.join(' ')).toContain(
      ' had nothing to cut: ',
    )
  })

  test('a response without a body arrives whole, and the explanation says so', async ({ open }) => {
    const server = await open({ scenario: onOrders('truncate') })
    const client = await server.connect()
    client.send(requestText('HEAD /v1/store/orders'))
    expect(await client.end()).not.toContain('X-Pet-Mock')
    const [exchange] = server.emulator.sandboxes.default.journal
    expect(exchange && explain(exchange, [], text => text).sentences.join(' ')).toContain(
      ' had no body to break.',
    )
  })

  test('the length of the body cuts nothing, a byte less does', async ({ open }) => {
    const faultAt = async (after: number) => {
      const server = await open({ scenario: onOrders({ truncate: { after } }) })
      const client = await server.connect()
      client.send(orders)
      const { announced } = parts(await client.end())
      const [exchange] = server.emulator.sandboxes.default.journal
      return { announced, fault: exchange?.reply.fault }
    }
    const { announced } = await faultAt(1)
    expect((await faultAt(announced)).fault).toBeUndefined()
    expect((await faultAt(announced - 1)).fault).toEqual({ truncate: { after: announced - 1 } })
  })
})

describe('hang for', () => {
  test('nothing arrives, and then the connection closes', async ({ open }) => {
    const server = await open({ scenario: onOrders({ hang: { for: '150ms' } }) })
    const client = await server.connect()
    const start = performance.now()
    client.send(orders)
    expect(await client.end()).toBe('')
    expect(performance.now() - start).toBeGreaterThanOrEqual(148)
  })

  test('stopping does not wait', async ({ open }) => {
    const server = await open({ scenario: onOrders({ hang: { for: '10m' } }) })
    const client = await server.connect()
    client.send(orders)
    await answered(server)
    await server.door.close(longGrace)
    expect(await client.end()).toBe('')
  })
})

describe('slow-close', () => {
  test.for(['GET', 'HEAD'])('%s: the reply arrives, and the end later', async (method, { open }) => {
    const server = await open({ scenario: onOrders({ 'slow-close': '200ms' }) })
    const client = await server.connect()
    client.send(requestText(`${method} /v1/store/orders`))
    const reply = await client.reply({ head: method === 'HEAD' })
    const start = performance.now()
    expect([reply.status, reply.headers.connection]).toEqual([200, 'close'])
    expect(await client.end()).toBe('')
    expect(performance.now() - start).toBeGreaterThanOrEqual(100)
  })

  test('stopping does not wait', async ({ open }) => {
    const server = await open({ scenario: onOrders({ 'slow-close': '10m' }) })
    const client = await server.connect()
    client.send(orders)
    await client.reply()
    await server.door.close(longGrace)
    expect(await client.end()).toBe('')
  })
})
