import { connect } from 'node:net'
import { describe, expect } from 'vitest'
import { expectProblem } from '../../support/expectations.ts'
import { petCount, requestText, rex, type TestServer, serverTest as test } from '../../support/raw-http.ts'

/** Longer than any test may take: who waits for it has failed. */
const longGrace = 60_000

const start = requestText('POST /v1/pets', {
  lines: ['Content-Type: application/json', `Content-Length: ${rex.length}`],
})

/** A client in the middle of its call, which the server has noticed. */
async function halfway(server: TestServer, sent = start + rex.slice(0, 9)) {
  const client = await server.connect()
  client.send(sent)
  await server.ask(requestText('GET /v1/pets', { key: 'demo-pro' }))
  return client
}

function errorOfConnecting(port: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code))
    socket.once('connect', () => {
      socket.destroy()
      reject(new Error('it was accepted'))
    })
  })
}

describe('closing waits for the calls under way', () => {
  test('a call whose body is half sent is answered when the rest has come', async ({ open }) => {
    const server = await open()
    const client = await halfway(server)
    const closed = server.door.close(longGrace)
    client.send(rex.slice(9))
    const reply = await client.reply()
    expect([reply.status, reply.headers.connection]).toEqual([201, 'close'])
    expect(await client.end()).toBe('')
    await closed
    expect(petCount(server)).toBe(101)
  })

  test('a call that the system holds, but that the server has not read yet, is answered', async ({
    open,
  }) => {
    const server = await open()
    const clients = await Promise.all(Array.from({ length: 20 }, () => server.connect()))
    for (const client of clients) {
      client.send(requestText('GET /v1/pets'))
      await client.reply()
    }
    for (const client of clients) client.send(start + rex)
    const closed = server.door.close(longGrace)
    for (const client of clients) {
      const reply = await client.reply()
      expect([reply.status, reply.headers.connection]).toEqual([201, 'close'])
      expect(await client.end()).toBe('')
    }
    await closed
    expect(petCount(server)).toBe(120)
  })

  test('of several, the last one too', async ({ open }) => {
    const server = await open()
    const clients = [await halfway(server), await halfway(server), await halfway(server)]
    const closed = server.door.close(longGrace)
    for (const client of clients) {
      client.send(rex.slice(9))
      expect((await client.reply()).status).toBe(201)
    }
    await closed
  })

  test('a call that becomes too large gets its answer, and closing does not wait for the rest', async ({
    open,
  }) => {
    const server = await open()
    const chunked = ['Transfer-Encoding: chunked', 'Content-Type: application/json']
    const client = await halfway(server, requestText('POST /v1/pets', { lines: chunked }))
    const closed = server.door.close(longGrace)
    client.send(`200000\r\n${'x'.repeat(0x200000)}\r\n`)
    expectProblem(await client.reply(), 413, 'body_too_large')
    await closed
  })

  test('a long reply is sent to its end, though its client reads it late', async ({ open }) => {
    const server = await open()
    const body = JSON.stringify({ name: 'x'.repeat(1_000_000), categoryId: 1, status: 'sold' })
    for (let pet = 0; pet < 12; pet += 1) await server.ask(requestText('POST /v1/pets', { body }))
    const client = await server.connect()
    client.socket.pause()
    client.send(requestText('GET /v1/pets?status=sold&limit=100'))
    await server.ask(requestText('GET /v1/pets'))
    const closed = server.door.close(longGrace)
    client.socket.resume()
    const reply = await client.reply()
    expect(JSON.parse(reply.text).at(-1).name.length).toBe(1_000_000)
    // It may have said keep-alive, but that holds no more: nobody waits the 5 s.
    const read = performance.now()
    await closed
    expect(performance.now() - read).toBeLessThan(4_000)
  })
})

describe('closing does not wait for', () => {
  test.for([
    ['a connection that is silent', ''],
    ['half a request line', 'GET /v1/pe'],
    ['half the headers', 'GET /v1/pets HTTP/1.1\r\nHost: local'],
    ['a client that was refused and stays', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n'],
    ['a client that talks nonsense', '\x00\x01\x02\r\n\r\n'],
  ] as const)('%s', async ([, sent], { open }) => {
    const server = await open()
    const client = await halfway(server, sent)
    const began = performance.now()
    await server.door.close(longGrace)
    expect(performance.now() - began).toBeLessThan(longGrace / 10)
    await client.end()
    expect(petCount(server)).toBe(100)
  })

  test('a connection that is kept for a next call', async ({ open }) => {
    const server = await open()
    const client = await server.connect()
    client.send(requestText('GET /v1/pets'))
    await client.reply()
    await server.door.close(longGrace)
    expect(await client.end()).toBe('')
  })

  test('any of these while another call is under way', async ({ open }) => {
    const server = await open()
    const idle = await server.connect()
    idle.send(requestText('GET /v1/pets'))
    await idle.reply()
    const others = [idle, await halfway(server, ''), await halfway(server, 'GET /v1/pe')]
    const busy = await halfway(server)
    const closed = server.door.close(longGrace)
    for (const client of others) expect(await client.end()).toBe('')
    busy.send(rex.slice(9))
    expect((await busy.reply()).status).toBe(201)
    await closed
  })

  test.for([
    ['a call that never ends, longer than the grace', start + rex.slice(0, 9)],
    ['a reply that nobody reads, longer than the grace', undefined],
  ] as const)('%s', async ([, sent], { open }) => {
    const server = await open()
    if (sent !== undefined) await halfway(server, sent)
    else {
      const client = await server.connect()
      client.socket.pause()
      client.send(requestText('GET /v1/pets?limit=100', { key: 'demo-enterprise' }).repeat(4_000))
    }
    await server.ask(requestText('GET /v1/pets'))
    const began = performance.now()
    await server.door.close(300)
    expect(performance.now() - began).toBeGreaterThan(250)
    expect(petCount(server)).toBe(100)
  })

  test('anything, without a grace', async ({ open }) => {
    const server = await open()
    const client = await halfway(server)
    await server.door.close(0)
    expect(await client.end()).toBe('')
    expect(petCount(server)).toBe(100)
  })
})

test('new connections are refused, from the beginning', async ({ open }) => {
  const server = await open()
  const client = await halfway(server)
  const closed = server.door.close(longGrace)
  expect(await errorOfConnecting(server.port)).toBe('ECONNREFUSED')
  client.send(rex.slice(9))
  await closed
  expect(await errorOfConnecting(server.port)).toBe('ECONNREFUSED')
})

describe('closing twice', () => {
  test('is harmless', async ({ open }) => {
    const server = await open()
    await Promise.all([server.door.close(longGrace), server.door.close(longGrace)])
    await server.door.close(longGrace)
    expect(await errorOfConnecting(server.port)).toBe('ECONNREFUSED')
  })

  test('the second time does not end before the first', async ({ open }) => {
    const server = await open()
    const client = await halfway(server)
    const ends: string[] = []
    const first = server.door.close(longGrace).then(() => ends.push('first'))
    const second = server.door.close(longGrace).then(() => ends.push('second'))
    await new Promise(resolve => setTimeout(resolve, 100))
    expect(ends).toEqual([])
    client.send(rex.slice(9))
    expect((await client.reply()).status).toBe(201)
    await Promise.all([first, second])
  })

  test('the second time can be more impatient', async ({ open }) => {
    const server = await open()
    const client = await halfway(server)
    const began = performance.now()
    const first = server.door.close(longGrace)
    await server.door.close(0)
    await first
    expect(performance.now() - began).toBeLessThan(longGrace / 10)
    expect(await client.end()).toBe('')
    expect(petCount(server)).toBe(100)
  })
})
