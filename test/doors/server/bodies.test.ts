import { request as httpRequest } from 'node:http'
import { describe, expect } from 'vitest'
import { expectProblem, readLimits } from '../../support/expectations.ts'
import { petCount, remainingOf, requestText, rex, serverTest as test } from '../../support/raw-http.ts'

const mebibyte = 1_048_576

const frame = JSON.stringify({ name: '', categoryId: 1 })

/** A pet whose JSON is `size` bytes long. */
function petOf(size: number): string {
  return JSON.stringify({ name: 'x'.repeat(size - frame.length), categoryId: 1 })
}

function inChunks(body: string, size: number): string {
  const chunks: string[] = []
  for (let start = 0; start < body.length; start += size) {
    const chunk = body.slice(start, start + size)
    chunks.push(`${chunk.length.toString(16)}\r\n${chunk}\r\n`)
  }
  return `${chunks.join('')}0\r\n\r\n`
}

const chunked = { lines: ['Transfer-Encoding: chunked', 'Content-Type: application/json'] }

describe('a body is read whole', () => {
  test.for([
    ['by Content-Length', requestText('POST /v1/pets', { body: rex })],
    ['in one chunk', requestText('POST /v1/pets', chunked) + inChunks(rex, 1_000)],
    [
      'in a coding written in capitals',
      requestText('POST /v1/pets', {
        lines: ['Transfer-Encoding: Chunked', 'Content-Type: application/json'],
      }) + inChunks(rex, 1_000),
    ],
    ['byte by byte', requestText('POST /v1/pets', chunked) + inChunks(rex, 1)],
    [
      'in chunks with extensions and trailers',
      `${requestText('POST /v1/pets', chunked)}${rex.length.toString(16)};a="b"\r\n${rex}\r\n0\r\nPet: Rex\r\n\r\n`,
    ],
  ] as const)('%s', async ([, sent], { open }) => {
    const reply = await (await open()).ask(sent)
    expect([reply.status, JSON.parse(reply.text)]).toMatchObject([201, { name: 'Rex', categoryId: 1 }])
  })

  test('in as many packets as it has bytes, across letters of several bytes', async ({ open }) => {
    const client = await (await open()).connect()
    const bytes = Buffer.from(JSON.stringify({ name: 'Zoë 🐈', categoryId: 1 }))
    client.socket.setNoDelay(true)
    client.send(
      requestText('POST /v1/pets', {
        lines: ['Content-Type: application/json', `Content-Length: ${bytes.length}`],
      }),
    )
    for (const byte of bytes) {
      client.send(Uint8Array.of(byte))
      await new Promise(setImmediate)
    }
    const reply = await client.reply()
    expect([reply.status, JSON.parse(reply.text).name]).toEqual([201, 'Zoë 🐈'])
  })

  test('by a client that closes its side right after it', async ({ open }) => {
    const client = await (await open()).connect()
    client.socket.end(requestText('POST /v1/pets', { body: rex }))
    expect((await client.reply()).status).toBe(201)
    expect(await client.end()).toBe('')
  })

  test('a body of length 0 counts as missing: 400, and the connection goes on', async ({ open }) => {
    const client = await (await open()).connect()
    for (const sent of [
      requestText('POST /v1/pets', { body: '' }),
      `${requestText('POST /v1/pets', chunked)}0\r\n\r\n`,
    ]) {
      client.send(sent)
      expectProblem(await client.reply(), 400, 'invalid_body')
    }
  })
})

describe('1 MiB is not too large, a byte more is', () => {
  test.for([
    ['by Content-Length', (body: string) => requestText('POST /v1/pets', { body })],
    ['in chunks', (body: string) => requestText('POST /v1/pets', chunked) + inChunks(body, 60_000)],
  ] as const)('%s', async ([, write], { open }) => {
    const server = await open()
    const client = await server.connect()
    client.send(write(petOf(mebibyte)))
    const created = await client.reply()
    expect([created.status, JSON.parse(created.text).name.length]).toEqual([201, mebibyte - frame.length])
    client.send(write(petOf(mebibyte + 1)))
    const refused = await client.reply()
    expectProblem(refused, 413, 'body_too_large')
    expect(refused.headers.connection).toBe('close')
    expect(readLimits(refused).remaining).toBe(58)
    expect(await client.end()).toBe('')
    expect(petCount(server)).toBe(101)
  })
})

describe('a body that is announced too large is answered without being read', () => {
  const length = `Content-Length: ${mebibyte + 1}`
  const json = 'Content-Type: application/json'

  test.concurrent.for([
    ['POST /v1/pets', [json], 'demo-free', 413, 'body_too_large'],
    ['POST /v1/pets', [json], null, 401, 'missing_api_key'],
    ['POST /v1/pets', [json], 'demo-wrong', 401, 'invalid_api_key'],
    ['POST /v1/nothing', [json], 'demo-free', 404, 'route_not_found'],
    ['PUT /v1/pets', [json], 'demo-free', 405, 'method_not_allowed'],
    ['POST /v1/pets', ['Content-Type: text/plain'], 'demo-free', 400, 'unsupported_media_type'],
    ['POST /pets', [json], null, 404, 'route_not_found'],
    ['POST /v1/pets', [json, 'Host: evil.example'], 'demo-free', 403, 'host_not_allowed'],
  ] as const)(
    '%s %s %s: %i %s, and the connection ends',
    async ([line, lines, key, status, code], { open }) => {
      const client = await (await open()).connect()
      client.send(requestText(line, { lines: [...lines, length], key }))
      const reply = await client.reply()
      expectProblem(reply, status, code)
      expect(reply.headers.connection).toBe('close')
      expect(await client.end()).toBe('')
    },
  )

  test.concurrent('over the limit it is 429', async ({ open }) => {
    const server = await open()
    for (let call = 0; call < 60; call += 1) await server.ask(requestText('GET /v1/pets'))
    const reply = await server.ask(requestText('POST /v1/pets', { lines: [json, length] }))
    expectProblem(reply, 429, 'rate_limit_exceeded')
  })

  test.concurrent('a call that ignores bodies is answered', async ({ open }) => {
    const client = await (await open()).connect()
    client.send(requestText('GET /v1/pets', { lines: [length] }))
    const reply = await client.reply()
    expect([reply.status, reply.headers.connection]).toEqual([200, 'close'])
    expect(await client.end()).toBe('')
  })

  test.concurrent('HEAD, too: no body comes back', async ({ open }) => {
    const client = await (await open()).connect()
    client.send(requestText('HEAD /v1/pets', { lines: [length] }))
    expect((await client.reply({ head: true })).status).toBe(200)
    expect(await client.end()).toBe('')
  })
})

describe('a body that cannot matter is not read: the answer comes at once, and the connection ends', () => {
  const large = 'Content-Length: 70000'
  const small = [`Content-Length: ${rex.length}`, 'Expect: 100-continue']
  const chunkedLarge = `11170\r\n${'x'.repeat(70_000)}\r\n`
  test.for([
    ['no key', [large], null, '', 401, 'missing_api_key'],
    ['an unknown key', [large], 'demo-wrong', '', 401, 'invalid_api_key'],
    ['an unknown key with a sandbox', [large], 'demo-wrong+new', '', 401, 'invalid_api_key'],
    ['a foreign host', [large, 'Host: evil.example'], 'demo-free', '', 403, 'host_not_allowed'],
    ['a client that waits to send it', small, null, '', 401, 'missing_api_key'],
    ['no length', ['Transfer-Encoding: chunked'], null, chunkedLarge, 401, 'missing_api_key'],
  ] as const)('%s', async ([, lines, key, sent, status, code], { open }) => {
    const server = await open()
    const client = await server.connect()
    client.send(
      requestText('POST /v1/pets', { lines: ['Content-Type: application/json', ...lines], key }) + sent,
    )
    const reply = await client.reply()
    expectProblem(reply, status, code)
    expect(reply.headers.connection).toBe('close')
    expect(await client.end()).toBe('')
    expect([...server.emulator.sandboxes.default.journal].length).toBe(1)
  })

  test.for([
    ['a key', 'demo-free'],
    ['a key in a new sandbox', 'demo-free+new'],
  ])('one that can is: %s', async ([, key = ''], { open }) => {
    const client = await (await open()).connect()
    client.send(
      requestText('POST /v1/pets', { body: petOf(70_000), key }) + requestText('GET /v1/pets', { key }),
    )
    expect([(await client.reply()).status, (await client.reply()).status]).toEqual([201, 200])
  })
})

describe('large bodies under way take 64 MB of all connections', () => {
  const head = requestText('POST /v1/pets', {
    lines: ['Content-Type: application/json', `Content-Length: ${mebibyte}`],
  })
  const body = petOf(mebibyte)

  test('one more gets 503, and the others go on', async ({ open }) => {
    const refusals: string[] = []
    const server = await open({ onRefusal: ({ code }) => refusals.push(code) })
    const clients = await Promise.all(Array.from({ length: 65 }, () => server.connect()))
    for (const client of clients) client.send(head + body.slice(0, -1))
    const [refused, reply] = await Promise.race(
      clients.map(async client => [client, await client.reply()] as const),
    )
    expectProblem(reply, 503, 'server_busy')
    expect(reply.headers).toMatchObject({ 'retry-after': '1', connection: 'close' })
    expect(Object.keys(reply.headers).filter(name => name.startsWith('x-ratelimit'))).toEqual([])
    expect([remainingOf(server), petCount(server), refusals]).toEqual([60, 100, ['server_busy']])
    expect([...server.emulator.sandboxes.default.journal].length).toBe(0)

    const ask = async (sent: string) => (await server.ask(sent)).status
    expect(await ask(requestText('POST /v1/pets', { body: petOf(65_536) }))).toBe(201)
    expect(await ask(requestText('POST /v1/pets', { body }))).toBe(503)
    const [leaving, finishing] = clients.filter(client => client !== refused)
    leaving?.reset()
    finishing?.send(body.slice(-1))
    expect((await finishing?.reply())?.status).toBe(201)
    expect(await ask(requestText('POST /v1/pets', { body }))).toBe(201)
  })
})

describe('an unexpected body is read and ignored', () => {
  test.for([
    ['GET', 200, requestText('GET /v1/pets', { body: rex })],
    ['GET, in chunks', 200, requestText('GET /v1/pets', chunked) + inChunks(rex, 7)],
    ['GET, no JSON', 200, requestText('GET /v1/pets', { body: 'GET /v1/nothing HTTP/1.1\r\n\r\n' })],
    ['OPTIONS', 204, requestText('OPTIONS /v1/pets', { body: rex })],
    ['DELETE', 405, requestText('DELETE /v1/pets', { body: rex })],
    ['QUERY', 405, requestText('QUERY /v1/pets', { body: rex })],
    ['POST to nowhere', 404, requestText('POST /pets', { body: rex })],
    ['POST without a key', 401, requestText('POST /v1/pets', { body: rex, key: null })],
  ] as const)('%s: %i, and the connection goes on', async ([, status, sent], { open }) => {
    const server = await open()
    const client = await server.connect()
    for (let call = 0; call < 3; call += 1) {
      client.send(sent)
      expect((await client.reply()).status).toBe(status)
    }
    client.send(requestText('GET /v1/pets'))
    expect((await client.reply()).status).toBe(200)
    expect(petCount(server)).toBe(100)
  })

  test('HEAD: 200 without a body, and the connection goes on', async ({ open }) => {
    const client = await (await open()).connect()
    client.send(requestText('HEAD /v1/pets', { body: rex }) + requestText('GET /v1/pets'))
    expect((await client.reply({ head: true })).status).toBe(200)
    expect((await client.reply()).status).toBe(200)
  })
})

describe('a client that goes away in the middle of its body: nothing is stored, nothing counted', () => {
  const start = requestText('POST /v1/pets', {
    lines: ['Content-Type: application/json', `Content-Length: ${rex.length}`],
  })
  const startChunked = `${requestText('POST /v1/pets', chunked)}${rex.length.toString(16)}\r\n${rex}\r\n`

  test.for([
    ['headers, then a reset', start, 'reset'],
    ['headers, then the end', start, 'end'],
    ['half the body, then a reset', start + rex.slice(0, 9), 'reset'],
    ['half the body, then the end', start + rex.slice(0, 9), 'end'],
    ['all chunks but the last, then a reset', startChunked, 'reset'],
    ['all chunks but the last, then the end', startChunked, 'end'],
  ] as const)('%s', async ([, sent, way], { open }) => {
    const server = await open()
    const client = await server.connect()
    client.send(sent)
    // An answer on another connection shows that the server had time to read this one.
    await server.ask(requestText('GET /v1/pets', { key: 'demo-pro' }))
    if (way === 'reset') client.reset()
    else {
      client.socket.end()
      expectProblem(await client.reply(), 400, 'bad_request')
    }
    await server.ask(requestText('GET /v1/pets', { key: 'demo-pro' }))
    expect([petCount(server), remainingOf(server)]).toEqual([100, 60])
  })

  test('that of a client of Node, which aborts its request', async ({ open }) => {
    const server = await open()
    const request = httpRequest({ port: server.port, method: 'POST', path: '/v1/pets' })
    const failed = new Promise(resolve => request.once('error', resolve))
    request.setHeader('Authorization', 'Bearer demo-free').setHeader('Content-Type', 'application/json')
    request.write(rex.slice(0, 9))
    await server.ask(requestText('GET /v1/pets', { key: 'demo-pro' }))
    request.destroy(new Error('gone'))
    await failed
    await server.ask(requestText('GET /v1/pets', { key: 'demo-pro' }))
    expect([petCount(server), remainingOf(server)]).toEqual([100, 60])
  })
})
