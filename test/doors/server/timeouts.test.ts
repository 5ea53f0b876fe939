import { describe, expect } from 'vitest'
import { formatDuration } from '../../../src/base/time/duration.ts'
import { defaultTimeouts } from '../../../src/doors/server/refusals.ts'
import { expectProblem } from '../../support/expectations.ts'
import { petCount, remainingOf, requestText, rex, serverTest as test } from '../../support/raw-http.ts'

const post = requestText('POST /v1/pets', {
  lines: ['Content-Type: application/json', `Content-Length: ${rex.length}`],
})
const chunked = requestText('POST /v1/pets', {
  lines: ['Content-Type: application/json', 'Transfer-Encoding: chunked'],
})

test('headers may take 10 s, a whole request 30 s', () => {
  expect(defaultTimeouts).toEqual({ headersMs: 10_000, requestMs: 30_000 })
})

describe('a request that takes longer is 408 request_timeout, and does not count', () => {
  test.concurrent.for([
    ['nothing at all', { headersMs: 300, requestMs: 60_000 }, ''],
    ['half a request line', { headersMs: 300, requestMs: 60_000 }, 'GET /v1/pe'],
    ['half the headers', { headersMs: 300, requestMs: 60_000 }, 'GET /v1/pets HTTP/1.1\r\nHost: loc'],
    ['headers only', { headersMs: 300, requestMs: 600 }, post],
    ['half a body', { headersMs: 300, requestMs: 600 }, `${post}${rex.slice(0, 9)}`],
    ['half a chunk', { headersMs: 300, requestMs: 600 }, `${chunked}ff\r\n${rex}`],
    [
      'all chunks but the last',
      { headersMs: 300, requestMs: 600 },
      `${chunked}${rex.length.toString(16)}\r\n${rex}\r\n`,
    ],
  ] as const)('%s', async ([, timeouts, sent], { open }) => {
    const server = await open({ timeouts })
    const client = await server.connect()
    client.send(sent)
    const reply = await client.reply()
    const message = expectProblem(reply, 408, 'request_timeout')
    expect(message).toContain(`headers within 0.3s, all of it within ${formatDuration(timeouts.requestMs)}`)
    expect(reply.headers.connection).toBe('close')
    expect(reply.headers['x-ratelimit-limit']).toBeUndefined()
    expect(await client.end()).toBe('')
    expect([petCount(server), remainingOf(server)]).toEqual([100, 60])
    expect((await server.ask(requestText('GET /v1/pets'))).status).toBe(200)
  })

  test.concurrent.for([
    ['of headers', '\r\nHost: localhost\r\nAuthorization: Bearer demo-free\r\n\r\n', 'GET /v1/pets HTTP/1.1'],
    ['of a body', rex, post],
  ] as const)('the rest %s that comes after the 408 changes nothing', async ([, rest, start], { open }) => {
    const server = await open({ timeouts: { headersMs: 300, requestMs: 600 } })
    const client = await server.connect()
    client.send(start)
    expectProblem(await client.reply(), 408, 'request_timeout')
    client.send(rest)
    expect(await client.end()).toBe('')
    client.socket.end()
    await new Promise(resolve => client.socket.once('close', resolve))
    expect([petCount(server), remainingOf(server)]).toEqual([100, 60])
  })

  test.concurrent('a client that never closes its side is not waited for', async ({ open }) => {
    const server = await open({ timeouts: { headersMs: 300, requestMs: 600 } })
    const client = await server.connect()
    client.send('GET /')
    await client.reply()
    // Writing into a connection that is gone gives an error; into one that is half open, it would not.
    const gone = new Promise(resolve => client.socket.once('error', resolve).once('close', resolve))
    const timer = setInterval(() => client.send('x'), 100)
    await gone
    clearInterval(timer)
  })
})

test.concurrent('the first half of a request may be slow, if the whole comes in time', async ({ open }) => {
  const server = await open({ timeouts: { headersMs: 20_000, requestMs: 20_000 } })
  const client = await server.connect()
  for (const character of post + rex) {
    client.send(character)
    await new Promise(resolve => setTimeout(resolve, 2))
  }
  expect((await client.reply()).status).toBe(201)
})

test.concurrent('between two calls a connection may be idle for longer than headers may take', async ({
  open,
}) => {
  const server = await open({ timeouts: { headersMs: 300, requestMs: 600 } })
  const client = await server.connect()
  client.send(requestText('GET /v1/pets'))
  expect((await client.reply()).status).toBe(200)
  await new Promise(resolve => setTimeout(resolve, 2_500))
  client.send(requestText('GET /v1/pets'))
  expect((await client.reply()).status).toBe(200)
})

test('a call that arrived while the process was busy is answered', async ({ open }) => {
  const server = await open({ timeouts: { headersMs: 300, requestMs: 60_000 } })
  const [waiting, other] = [await server.connect(), await server.connect()]
  other.socket.once('data', () => {
    waiting.send(requestText('GET /v1/pets'))
    // Afterwards Node looks at its timeouts, before it reads the call.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500)
  })
  other.send(requestText('GET /v1/pets'))
  expect((await other.reply()).status).toBe(200)
  expect((await waiting.reply()).status).toBe(200)
  waiting.send(requestText('GET /v1/pets'))
  expect((await waiting.reply()).status).toBe(200)
})

test('a connection stays open for longer than replies announce: a client on a busy machine is late', async ({
  open,
}) => {
  const client = await (await open()).connect()
  client.send(requestText('GET /v1/pets'))
  expect((await client.reply()).headers['keep-alive']).toBe('timeout=5')
  await new Promise(resolve => setTimeout(resolve, 7_000))
  client.send(requestText('GET /v1/pets'))
  expect((await client.reply()).status).toBe(200)
})
