import { once } from 'node:events'
import { connect } from 'node:http2'
import { describe, expect } from 'vitest'
import type { Refusal } from '../../../src/doors/server/refusals.ts'
import { requestText, serverTest as test } from '../../support/raw-http.ts'

const get = 'GET /v1/pets HTTP/1.1\r\nHost: localhost\r\n'
const timeouts = { headersMs: 300, requestMs: 600 }
const tooLate = 'The request did not arrive in time: headers within 0.3s, all of it within 0.6s.'
const hello = Buffer.from(`160301006b010000670303${'5a'.repeat(32)}00000213010100003c0000`, 'hex')

describe('the door reports its own refusals once, as the client gets them', () => {
  test.concurrent.for([
    ['no HTTP', 'hello\r\n\r\n', 400, 'bad_request', 'This is not a valid HTTP/1.1 request.'],
    [
      'TLS',
      hello,
      400,
      'bad_request',
      'The request is TLS, but pet-mock speaks plain HTTP: use http:// instead of https:// in the URL.',
    ],
    [
      'no Host',
      'GET /v1/pets HTTP/1.1\r\n\r\n',
      400,
      'bad_request',
      'The Host header is missing (RFC 9112, section 3.2).',
    ],
    [
      'CONNECT',
      'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n',
      400,
      'bad_request',
      'pet-mock does not support CONNECT.',
    ],
    ['half a request', `${get}Pet:`, 408, 'request_timeout', tooLate],
    [
      'headers over 16 KiB',
      `${get}Pet: ${'x'.repeat(16_384)}\r\n\r\n`,
      431,
      'headers_too_large',
      'The request line and headers are larger than 16 KiB.',
    ],
  ] as const)('%s', async ([, sent, status, code, message], { open }) => {
    const refusals: Refusal[] = []
    const server = await open({ timeouts, onRefusal: refusal => refusals.push(refusal) })
    const client = await server.connect()
    client.send(sent)
    const reply = await client.reply()
    client.send('and more\r\n')
    await client.end()
    expect(JSON.parse(reply.text)).toEqual({ code, message, status })
    expect(refusals).toEqual([{ at: expect.any(Number), status, code, message, client: '127.0.0.1' }])
  })

  test('HTTP/2 with prior knowledge', async ({ open }) => {
    const refusals: Refusal[] = []
    const server = await open({ onRefusal: refusal => refusals.push(refusal) })
    const client = connect(`http://127.0.0.1:${server.port}`)
    const stream = client.request({ ':path': '/v1/pets' })
    const [headers] = await once(stream, 'response')
    const body = await stream.setEncoding('utf8').toArray()
    const message =
      'pet-mock speaks HTTP/1.1, not HTTP/2: turn off HTTP/2 with prior knowledge in the client.'
    expect(headers[':status']).toBe(400)
    expect(JSON.parse(body.join(''))).toEqual({ code: 'bad_request', message, status: 400 })
    expect(refusals).toMatchObject([{ status: 400, message }])
    await once(client, 'close')
  })

  test('a request that its client ends in the middle', async ({ open }) => {
    const refusals: Refusal[] = []
    const server = await open({ onRefusal: refusal => refusals.push(refusal) })
    const client = await server.connect()
    client.send(`${get}Pet:`)
    client.socket.end()
    await client.end()
    expect(refusals).toMatchObject([{ message: 'The connection was closed in the middle of the request.' }])
  })

  test('after the calls before it', async ({ open }) => {
    const told: unknown[] = []
    const server = await open({ onRefusal: ({ status }) => told.push(status) })
    server.emulator.observe(({ reply }) => told.push(reply.status))
    const client = await server.connect()
    client.send(`${requestText('GET /v1/pets')}hello\r\n\r\n`)
    await client.end()
    expect(told).toEqual([200, 400])
  })
})

describe('nothing is reported', () => {
  test('for a client that leaves in the middle of a request', async ({ open }) => {
    const refusals: Refusal[] = []
    const server = await open({ timeouts, onRefusal: refusal => refusals.push(refusal) })
    const client = await server.connect()
    client.send(`${get}Pet:`)
    // What a second client is answered, the server has read after what the first one sent.
    await server.ask(requestText('GET /v1/pets'))
    client.reset()
    await new Promise(resolve => client.socket.once('close', resolve))
    await server.ask(requestText('GET /v1/pets'))
    await server.door.close(0)
    expect(refusals).toEqual([])
  })

  test('for a connection without a request: browsers open spare ones', async ({ open }) => {
    const refusals: Refusal[] = []
    const server = await open({ timeouts, onRefusal: refusal => refusals.push(refusal) })
    const client = await server.connect()
    expect((await client.reply()).status).toBe(408)
    expect(refusals).toEqual([])
  })

  test('for calls, whatever their answer', async ({ open }) => {
    const refusals: Refusal[] = []
    const server = await open({ onRefusal: refusal => refusals.push(refusal) })
    for (const line of ['GET /v1/pets', 'GET /nowhere', 'DELETE /v1/pets'])
      await server.ask(requestText(line))
    await server.ask(requestText('GET /v1/pets', { lines: ['Host: evil.example'] }))
    expect(refusals).toEqual([])
  })
})
