import { describe, expect } from 'vitest'
import type { ProblemCode } from '../../../src/service/call/problems.ts'
import type { TestReply } from '../../support/doors.ts'
import { expectProblem, readLimits } from '../../support/expectations.ts'
import {
  type Bytes,
  petCount,
  remainingOf,
  requestText,
  rex,
  serverTest as test,
} from '../../support/raw-http.ts'

/** The Error shape, no limit headers, and the end of the connection (A03). */
function expectRefusal(reply: TestReply, status: number, code: ProblemCode): void {
  expectProblem(reply, status, code)
  expect(Object.keys(reply.headers).sort()).toEqual([
    'connection',
    'content-length',
    'content-type',
    'date',
    'x-content-type-options',
  ])
  expect(reply.headers.connection).toBe('close')
  expect(reply.headers.date).toMatch(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/)
}

const get = 'GET /v1/pets HTTP/1.1\r\nHost: localhost\r\n'
const post = 'POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer demo-free\r\n'
const x16k = 'x'.repeat(16_384)

const refusals: readonly (readonly [what: string, sent: Bytes, status: number, code: ProblemCode])[] = [
  ['bytes that are no HTTP', Uint8Array.of(0, 1, 2, 3, 255, 254, 13, 10, 13, 10), 400, 'bad_request'],
  ['a line of text', 'hello\r\n\r\n', 400, 'bad_request'],
  ['a request line without a version', 'GET /v1/pets\r\n\r\n', 400, 'bad_request'],
  ['a request line with words too many', 'GET /v1/pets now HTTP/1.1\r\n\r\n', 400, 'bad_request'],
  ['HTTP/0.9', 'GET /v1/pets HTTP/0.9\r\nHost: localhost\r\n\r\n', 400, 'bad_request'],
  ['HTTP/1.2', 'GET /v1/pets HTTP/1.2\r\nHost: localhost\r\n\r\n', 400, 'bad_request'],
  ['HTTP/2.0', 'GET /v1/pets HTTP/2.0\r\nHost: localhost\r\n\r\n', 400, 'bad_request'],
  ['an unknown method', 'ADOPT /v1/pets HTTP/1.1\r\nHost: localhost\r\n\r\n', 400, 'bad_request'],
  ['a method in lower case', 'get /v1/pets HTTP/1.1\r\nHost: localhost\r\n\r\n', 400, 'bad_request'],
  [
    'a byte beyond ASCII in the target',
    'GET /v1/\xe9 HTTP/1.1\r\nHost: localhost\r\n\r\n',
    400,
    'bad_request',
  ],
  ['a header name with a space', `${get}Pet Name: Rex\r\n\r\n`, 400, 'bad_request'],
  ['a header without a colon', `${get}Rex\r\n\r\n`, 400, 'bad_request'],
  ['a control character in a header', `${get}Pet: R\x00x\r\n\r\n`, 400, 'bad_request'],
  ['a header that goes on in the next line', `${get}Pet: Rex\r\n the Great\r\n\r\n`, 400, 'bad_request'],
  ['lines that end in LF alone', 'GET /v1/pets HTTP/1.1\nHost: localhost\n\n', 400, 'bad_request'],
  [
    'Content-Length and Transfer-Encoding',
    `${post}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    400,
    'bad_request',
  ],
  ['Content-Length twice', `${post}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}`, 400, 'bad_request'],
  ['a Content-Length that is no number', `${post}Content-Length: two\r\n\r\n{}`, 400, 'bad_request'],
  ['a negative Content-Length', `${post}Content-Length: -2\r\n\r\n{}`, 400, 'bad_request'],
  ['a Content-Length beyond 2^64', `${post}Content-Length: 99999999999999999999\r\n\r\n`, 400, 'bad_request'],
  ['a bad chunk size', `${post}Transfer-Encoding: chunked\r\n\r\ntwo\r\n{}\r\n`, 400, 'bad_request'],
  ['a chunk longer than it says', `${post}Transfer-Encoding: chunked\r\n\r\n1\r\n{}\r\n`, 400, 'bad_request'],
  ['a Transfer-Encoding other than chunked', `${post}Transfer-Encoding: gzip\r\n\r\n{}`, 400, 'bad_request'],
  [
    'a body in two codings',
    `${post}Transfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    400,
    'bad_request',
  ],
  [
    'chunked before another coding, on two lines',
    `${post}Transfer-Encoding: chunked\r\nTransfer-Encoding: gzip\r\n\r\n0\r\n\r\n`,
    400,
    'bad_request',
  ],
  ['chunked, and an empty coding', `${post}Transfer-Encoding: chunked,\r\n\r\n0\r\n\r\n`, 400, 'bad_request'],
  [
    'a body in two codings, on two lines',
    `${post}Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    400,
    'bad_request',
  ],
  ['headers over 16 KiB', `${get}Pet: ${x16k}\r\n\r\n`, 431, 'headers_too_large'],
  ['many headers over 16 KiB', `${get}${'pet: rex\r\n'.repeat(3_000)}\r\n`, 431, 'headers_too_large'],
  ['a target over 16 KiB', `GET /${x16k} HTTP/1.1\r\nHost: localhost\r\n\r\n`, 431, 'headers_too_large'],
  [
    'trailers over 16 KiB',
    `${post}Transfer-Encoding: chunked\r\n\r\n0\r\nPet: ${x16k}\r\n\r\n`,
    431,
    'headers_too_large',
  ],
  ['HTTP/1.1 without Host', 'GET /v1/pets HTTP/1.1\r\n\r\n', 400, 'bad_request'],
  [
    'HTTP/1.1 without Host, with a whole body',
    'POST /v1/pets HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}',
    400,
    'bad_request',
  ],
  ['an absolute target without Host', 'GET http://localhost/v1/pets HTTP/1.1\r\n\r\n', 400, 'bad_request'],
  ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n', 400, 'bad_request'],
  // The first bytes of a TLS connection to https://localhost: what a client sends that was given the wrong scheme.
  [
    'a TLS ClientHello',
    Buffer.from(`160301006b010000670303${'5a'.repeat(32)}00000213010100003c0000`, 'hex'),
    400,
    'bad_request',
  ],
]

describe('what the HTTP parser rejects gets the Error shape, no limit headers, and is not counted', () => {
  test.concurrent.for(refusals)('%s', async ([, sent, status, code], { open }) => {
    const server = await open()
    const client = await server.connect()
    client.send(sent)
    expectRefusal(await client.reply(), status, code)
    expect(await client.end()).toBe('')
    expect([petCount(server), remainingOf(server)]).toEqual([100, 60])
    expect((await server.ask(requestText('GET /v1/pets'))).status).toBe(200)
  })
})

describe('what is not refused', () => {
  test.concurrent.for([
    ['HTTP/1.0 without Host', 'GET /v1/pets HTTP/1.0\r\nAuthorization: Bearer demo-free\r\n\r\n'],
    ['empty lines before the request', `\r\n\r\n${requestText('GET /v1/pets')}`],
    ['headers just under 16 KiB', requestText('GET /v1/pets', { lines: [`Pet: ${'x'.repeat(16_000)}`] })],
    ['thousands of headers', requestText('GET /v1/pets', { lines: Array(3_000).fill('a:') })],
    ['an Upgrade', requestText('GET /v1/pets', { lines: ['Connection: Upgrade', 'Upgrade: websocket'] })],
    [
      'an Upgrade to HTTP/2',
      requestText('GET /v1/pets', {
        lines: [
          'Connection: Upgrade, HTTP2-Settings',
          'Upgrade: h2c',
          'HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA',
        ],
      }),
    ],
  ] as const)('%s', async ([, sent], { open }) => {
    const server = await open()
    const reply = await server.ask(sent)
    expect([reply.status, JSON.parse(reply.text).length, remainingOf(server)]).toEqual([200, 20, 59])
  })
})

test('a call outside of /v1 without a host gets the path', async ({ open }) => {
  const reply = await (await open()).ask('GET / HTTP/1.0\r\n\r\n')
  expect(expectProblem(reply, 404, 'route_not_found')).toBe(
    'There is no API at GET /. The Pet Adoption Service is under the path /v1 (pet-mock).',
  )
})

describe('what the parser accepts and the Host guard rejects', () => {
  const twoHosts = { lines: ['Host: localhost', 'Host: localhost'] }
  const lateHost = { lines: ['Host: localhost', ...Array(2_500).fill('a:'), 'Host: evil.example'] }
  test.concurrent.for([
    ['two Host lines', requestText('GET /v1/pets', twoHosts)],
    ['a second Host after thousands of headers', requestText('GET /v1/pets', lateHost)],
    ['an empty Host', requestText('GET /v1/pets', { lines: ['Host:'] })],
  ] as const)('%s: 400 bad_request', async ([, sent], { open }) => {
    const server = await open()
    const reply = await server.ask(sent)
    expectProblem(reply, 400, 'bad_request')
    expect(readLimits(reply)).toMatchObject({ limit: 60, remaining: 60 })
    expect(remainingOf(server)).toBe(60)
  })
})

describe('a refusal on a connection that is in use', () => {
  const create = requestText('POST /v1/pets', { body: rex })

  test('earlier calls are answered first, in their order', async ({ open }) => {
    const server = await open()
    const client = await server.connect()
    client.send(`${requestText('GET /v1/pets/1')}${create}\x00\x01\r\n\r\n`)
    expect((await client.reply()).status).toBe(200)
    expect((await client.reply()).status).toBe(201)
    expectRefusal(await client.reply(), 400, 'bad_request')
    expect(await client.end()).toBe('')
    expect(petCount(server)).toBe(101)
  })

  test('a missing Host waits for the answer before it, too', async ({ open }) => {
    const server = await open()
    const client = await server.connect()
    client.send(`${create}GET /v1/pets HTTP/1.1\r\n\r\n`)
    expect((await client.reply()).status).toBe(201)
    expectRefusal(await client.reply(), 400, 'bad_request')
  })

  test('CONNECT too', async ({ open }) => {
    const server = await open()
    const client = await server.connect()
    client.send(`${create}CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n`)
    expect((await client.reply()).status).toBe(201)
    expectRefusal(await client.reply(), 400, 'bad_request')
  })

  test('a broken body is answered although its call was under way, after the call before it', async ({
    open,
  }) => {
    const server = await open()
    const client = await server.connect()
    client.send(`${create}${post}Transfer-Encoding: chunked\r\n\r\ntwo\r\n`)
    expect((await client.reply()).status).toBe(201)
    expectRefusal(await client.reply(), 400, 'bad_request')
    expect(petCount(server)).toBe(101)
  })

  test('a call with Connection: close gets its answer although more bytes follow', async ({ open }) => {
    const server = await open()
    const client = await server.connect()
    client.send(`${requestText('POST /v1/pets', { body: rex, lines: ['Connection: close'] })}\r\nmore`)
    expect((await client.reply()).status).toBe(201)
    expect(await client.end()).toBe('')
  })

  test.concurrent.for([
    ['headers over 16 KiB', `${get}Pet: ${x16k}`, 431, 'headers_too_large'],
    ['nonsense', '\x00\x01\x02', 400, 'bad_request'],
    ['a tunnel', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n', 400, 'bad_request'],
  ] as const)(
    'a client that goes on sending %s gets its answer, once',
    async ([, sent, status, code], { open }) => {
      const client = await (await open()).connect()
      const failures: unknown[] = []
      client.socket.on('error', error => failures.push(error))
      client.socket.pause()
      client.send(sent)
      for (let packet = 0; packet < 50; packet += 1) {
        client.send('x'.repeat(65_536))
        await new Promise(resolve => setTimeout(resolve, 10))
      }
      client.socket.resume()
      expectRefusal(await client.reply(), status, code)
      expect(await client.end()).toBe('')
      expect(failures).toEqual([])
    },
  )
})

test('a client that resets its connection after CONNECT does no harm', async ({ open }) => {
  const server = await open()
  const client = await server.connect()
  client.send('CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n')
  expect((await client.reply()).status).toBe(400)
  client.reset()
  await new Promise(resolve => setTimeout(resolve, 50))
  expect((await server.ask(requestText('GET /v1/pets'))).status).toBe(200)
})
