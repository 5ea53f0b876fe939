import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { RuleFields, ScenarioFile, ThenFields } from '../../../src/control/scenario/file.ts'
import { createProxiedCallReader } from '../../../src/doors/proxy/read-proxied-call.ts'
import { allowAt } from '../../support/methods.ts'
import { handMade, lastRequest, openProxy, talk } from '../../support/proxies.ts'
import { scenarioOf } from '../../support/scenarios.ts'

const body = JSON.stringify(Array.from({ length: 100 }, (_, id) => ({ id, name: 'Rex' })))
const plain = (text: string, ...headers: readonly string[]) =>
  ['HTTP/1.1 200 OK', `Content-Length: ${Buffer.byteLength(text)}`, ...headers, '', text].join('\r\n')
const chunked = (text: string) =>
  `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`
const get = lastRequest('GET /v1/pets')

/** A proxy with rules before a service that gives this answer. */
async function open(file: ScenarioFile, answer = plain(body), base = '/v1') {
  const upstream = await handMade(socket => socket.write(answer, 'latin1'))
  const scenario = scenarioOf(file)
  const proxy = await openProxy(`http://127.0.0.1:${upstream.port}${base}`, { scenario })
  const ask = async (request = get) => {
    const start = performance.now()
    const { text, isReset } = await talkOrReset(proxy.port, request)
    const [head = '', ...rest] = text.split('\r\n\r\n')
    return { head, body: rest.join('\r\n\r\n'), text, isReset, ms: performance.now() - start }
  }
  /** The first exchange, as journal and judges get it. */
  const exchange = async () => {
    const [call] = await proxy.passed(1)
    if (call === undefined) throw new Error('no call passed')
    return createProxiedCallReader(base)(call)
  }
  return { upstream, proxy, ask, exchange }
}

/** A reset without a byte before it is an error of the socket. */
async function talkOrReset(port: number, request: string) {
  try {
    return await talk(port, request)
  } catch (error) {
    return { text: '', isReset: error instanceof Error && 'code' in error && error.code === 'ECONNRESET' }
  }
}

/** The content of a chunked body. */
function dechunk(text: string): string {
  const [, size = '0'] = /^([0-9a-f]+)\r\n/.exec(text) ?? []
  const from = size.length + 2
  const to = from + Number.parseInt(size, 16)
  return from === to ? '' : text.slice(from, to) + dechunk(text.slice(to + 2))
}

const withThen = (then: ThenFields) => open({ rules: [{ name: 'storm', then }] })

describe('an injected answer', () => {
  test('on the request: the service sees nothing, and the answer is marked', async () => {
    const { ask, upstream, exchange } = await withThen({ status: 503, code: 'down', message: 'Later.' })
    const { head, body } = await ask()
    expect(head).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n/)
    expect(head).toContain('X-Pet-Mock: storm')
    expect(JSON.parse(body)).toEqual({ code: 'down', message: 'Later.', status: 503 })
    expect(upstream.connections()).toBe(0)
    expect(await exchange()).toMatchObject({
      reply: { status: 503 },
      trace: { gate: 'rule', rules: ['storm'], synthetic: true, operation: undefined, limit: undefined },
    })
  })

  test('on the response: the service does its work first', async () => {
    const { ask, upstream, exchange } = await withThen({ status: 504, direction: 'response' })
    expect((await ask()).head).toMatch(/^HTTP\/1\.1 504 /)
    expect(upstream.received()).toMatch(/^GET \/v1\/pets /)
    expect((await exchange()).trace).toMatchObject({ gate: 'rule', synthetic: true })
  })

  test('the journal has the body of a call that the service never sees', async () => {
    const { ask, exchange } = await withThen({ status: 503 })
    const post = lastRequest('POST /v1/pets', 'Content-Type: application/json', 'Content-Length: 14')
    await ask(`${post}{"name":"Rex"}`)
    const { call } = await exchange()
    expect(call.body instanceof Uint8Array && Buffer.from(call.body).toString()).toBe('{"name":"Rex"}')
  })

  test('a client that waits for 100 Continue gets it, and then the answer', async () => {
    const { ask } = await withThen({ status: 503 })
    const post = lastRequest('POST /v1/pets', 'Expect: 100-continue', 'Content-Length: 2')
    expect((await ask(`${post}{}`)).text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 503 /)
  })

  test.each<[string, number, string, string[]]>([
    ['GET /v1/pets', 400, 'invalid_parameter', []],
    ['POST /v1/pets', 400, 'invalid_body', []],
    [
      'GET /v1/pets',
      401,
      'invalid_api_key',
      ['WWW-Authenticate: Bearer realm="pet-api", error="invalid_token"'],
    ],
    ['GET /v1/pets/1', 404, 'pet_not_found', []],
    ['GET /v1/pets', 404, 'route_not_found', []],
    ['GET /v1/pets', 405, 'method_not_allowed', [`Allow: ${allowAt('/v1/pets', 'GET')}`]],
    ['GET /v1/pets', 429, 'rate_limit_exceeded', ['Retry-After: 60', 'Cache-Control: no-store']],
    ['GET /v1/pets', 500, 'internal_error', []],
    ['GET /v1/pets', 503, 'injected_fault', []],
  ])('%s gets %i as the service answers it: %s', async (line, status, code, headers) => {
    const { ask, exchange } = await withThen({ status })
    const { head, body } = await ask(lastRequest(line))
    expect(JSON.parse(body)).toMatchObject({ code, status })
    for (const header of headers) expect(head).toContain(header)
    // The proxy does not know when the service removes the operation.
    expect(head).not.toContain('Sunset')
    expect((await exchange()).trace).toMatchObject({ code, synthetic: true, strikes: 0, limit: undefined })
  })
})

describe('delays', () => {
  test.each(['request', 'response'] as const)('of the %s', async direction => {
    const { ask, exchange } = await withThen({ delay: '120ms', direction })
    const { ms, head, body: received } = await ask()
    expect(ms).toBeGreaterThanOrEqual(118)
    expect([received, head.includes('X-Pet-Mock')]).toEqual([body, false])
    expect(await exchange()).toMatchObject({
      reply: { delayMs: 120 },
      trace: { gate: 'operation', rules: ['storm'], synthetic: false },
    })
  })

  test('a delayed request gets to the service late', async () => {
    const { ask, upstream, proxy } = await withThen({ delay: '10m', direction: 'request' })
    const call = ask()
    await new Promise(resolve => setTimeout(resolve, 50))
    expect(upstream.connections()).toBe(0)
    // A server that stops sends delayed requests at once.
    const closed = proxy.close(60_000)
    expect((await call).head).toMatch(/^HTTP\/1\.1 200 /)
    await closed
  })

  test('a service that breaks off during a delay breaks off for the client', async () => {
    const upstream = await handMade(socket => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc')
      setTimeout(() => socket.resetAndDestroy(), 20)
    })
    const scenario = scenarioOf({ rules: [{ then: { delay: '150ms' } }] })
    const proxy = await openProxy(`http://127.0.0.1:${upstream.port}/v1`, { scenario })
    const { isReset } = await talkOrReset(proxy.port, get)
    expect(isReset).toBe(true)
  })
})

describe('faults', () => {
  test.each<[then: ThenFields, isReset: boolean]>([
    [{ fault: 'reset' }, true],
    [{ fault: 'empty' }, false],
    [{ fault: { hang: { for: '50ms' } } }, false],
  ])('%j: nothing arrives, and the service did its work', async (then, isReset) => {
    const { ask, upstream, exchange } = await withThen(then)
    const found = await ask()
    expect([found.text, found.isReset]).toEqual(['', isReset])
    expect(upstream.received()).toMatch(/^GET /)
    expect((await exchange()).reply.fault).toBeDefined()
  })

  test('on the request: the service sees nothing', async () => {
    const { ask, upstream } = await withThen({ fault: 'reset', direction: 'request' })
    expect((await ask()).isReset).toBe(true)
    expect(upstream.connections()).toBe(0)
  })

  test.each<[then: ThenFields['fault'], bytes: number]>([
    ['truncate', Math.floor(body.length / 2)],
    [{ truncate: { after: 17 } }, 17],
    [{ truncate: { after: 0 } }, 0],
  ])('%j with Content-Length', async (fault, bytes) => {
    const { ask } = await withThen({ fault })
    const found = await ask()
    expect(found.head).toContain(`Content-Length: ${body.length}`)
    expect(found.head).toContain('X-Pet-Mock: storm')
    expect(found.body).toBe(body.slice(0, bytes))
  })

  const enough = { truncate: { after: body.length } }
  test.each<[about: string, answer: string, isMarked: boolean, request?: string]>([
    ['with Content-Length', plain(body), false],
    // Its head goes out before its length is known.
    ['without Content-Length', chunked(body), true],
    ['no body', 'HTTP/1.1 204 No Content\r\n\r\n', false],
    ['HEAD', `HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n`, false, get.replace('GET', 'HEAD')],
  ])('truncate beyond the body is no fault: %s', async (_about, answer, isMarked, request = get) => {
    const { exchange, proxy } = await open({ rules: [{ name: 'storm', then: { fault: enough } }] }, answer)
    // The connection stays open for the second request.
    const { text } = await talk(proxy.port, request.replace('Connection: close\r\n', '') + request)
    expect(text.match(/HTTP\/1\.1 20/g)).toHaveLength(2)
    expect(text.includes('X-Pet-Mock: storm')).toBe(isMarked)
    const { reply, trace } = await exchange()
    expect([reply.fault, reply.spared, trace.rules]).toEqual([undefined, enough, ['storm']])
  })

  test('truncate without Content-Length: half of it, and no last chunk', async () => {
    const { ask } = await open({ rules: [{ then: { fault: 'truncate' } }] }, chunked(body))
    const { body: received } = await ask()
    expect(received).toContain(body.slice(0, Math.floor(body.length / 2)))
    expect(received).not.toMatch(/0\r\n\r\n$/)
  })

  test.each([plain(body), chunked(body)])('slow at a pace', async answer => {
    const then = { fault: { slow: { chunk: 500, every: '50ms' } } } as const
    const { ask, exchange } = await open({ rules: [{ then }] }, answer)
    const found = await ask()
    expect(found.ms).toBeGreaterThanOrEqual((Math.ceil(body.length / 500) - 1) * 49)
    expect(answer.includes('chunked') ? dechunk(found.body) : found.body).toBe(body)
    expect((await exchange()).reply.body).toBe(body)
  })

  test('stopping sends the rest of a slow body', async () => {
    const { ask, proxy } = await withThen({ fault: { slow: { bytesPerSecond: 1 } } })
    const call = ask()
    await new Promise(resolve => setTimeout(resolve, 100))
    const closed = proxy.close(60_000)
    expect((await call).body).toBe(body)
    await closed
  })

  test('a client that leaves a slow body ends the call to the service', async () => {
    const { proxy, upstream } = await open(
      { rules: [{ then: { fault: { slow: { bytesPerSecond: 1 } } } }] },
      `HTTP/1.1 200 OK\r\nContent-Length: 10000000\r\n\r\n${'x'.repeat(100_000)}`,
    )
    const socket = connect(proxy.port, '127.0.0.1')
    socket.write(get)
    await new Promise(resolve => socket.once('data', resolve))
    socket.resetAndDestroy()
    await upstream.ended
    await proxy.untilGivenUp()
  })

  test.each([plain(body), chunked(body)])('malformed: a comma at the end', async answer => {
    const { ask, exchange } = await open({ rules: [{ then: { fault: 'malformed' } }] }, answer)
    const { body: received } = await ask()
    expect(answer.includes('chunked') ? dechunk(received) : received).toBe(`${body.slice(0, -1)},`)
    // The judges see what the service sent.
    expect((await exchange()).reply.body).toBe(body)
  })

  test('malformed: a compressed body is no longer one', async () => {
    const zipped = gzipSync(body).toString('latin1')
    const head = `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${zipped.length}\r\n\r\n`
    const { ask } = await open({ rules: [{ then: { fault: 'malformed' } }] }, head + zipped)
    const received = Buffer.from((await ask()).body, 'latin1')
    expect(received.length).toBe(zipped.length)
    expect(() => gunzipSync(received)).toThrow()
  })

  test('slow-close: the whole answer, and the end later', async () => {
    const { ask } = await withThen({ fault: { 'slow-close': '150ms' } })
    const found = await ask(get.replace('Connection: close\r\n', ''))
    expect([found.body, found.head.includes('Connection: close')]).toEqual([body, true])
    expect(found.ms).toBeGreaterThanOrEqual(148)
  })

  test.each(['truncate', 'malformed', 'slow'] as const)(
    '%s leaves an answer without a body alone',
    async fault => {
      const { ask } = await open({ rules: [{ then: { fault } }] }, 'HTTP/1.1 204 No Content\r\n\r\n')
      expect((await ask()).head).toMatch(/^HTTP\/1\.1 204 /)
    },
  )
})

describe('which calls', () => {
  const post = (text: string) =>
    `${lastRequest('POST /v1/pets', 'Authorization: Bearer secret', `Content-Length: ${text.length}`)}${text}`
  test.each<[about: string, rule: RuleFields, request: string, isHit: boolean]>([
    ['an operation', { match: { operation: 'listPets' } }, get, true],
    ['another operation', { match: { operation: 'createPet' } }, get, false],
    ['a query', { match: { query: { status: 'sold' } } }, lastRequest('GET /v1/pets?status=sold'), true],
    ['a body', { match: { body: { name: 'Rex' } } }, post('{"name":"Rex"}'), true],
    ['another body', { match: { body: { name: 'Max' } } }, post('{"name":"Rex"}'), false],
    ['a path elsewhere', {}, lastRequest('GET /other'), false],
    ['a preflight', {}, lastRequest('OPTIONS /v1/pets', 'Access-Control-Request-Method: GET'), false],
    [
      'a key of the scenario',
      { match: { plan: 'pro' } },
      lastRequest('GET /v1/pets', 'Authorization: Bearer demo-pro'),
      true,
    ],
  ])('%s', async (_, rule, request, isHit) => {
    const { ask, upstream } = await open({ rules: [{ ...rule, then: { status: 500 } }] })
    expect((await ask(request)).head).toMatch(isHit ? /^HTTP\/1\.1 500 / : /^HTTP\/1\.1 200 /)
    if (!isHit && request.endsWith('}')) expect(upstream.received()).toMatch(/\{"name":"Rex"\}$/)
  })

  test('a body that is too long to look at passes whole, and matches no body', async () => {
    const text = JSON.stringify({ name: 'Rex', filler: 'x'.repeat(2_000_000) })
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      response.end(`whole: ${Buffer.concat(chunks).toString() === text}`)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const scenario = scenarioOf({
      rules: [{ match: { body: { name: 'Rex' } }, then: { status: 500 } }],
    })
    const { port } = server.address() as AddressInfo
    const proxy = await openProxy(`http://127.0.0.1:${port}/v1`, { scenario })
    expect((await talk(proxy.port, post(text))).text).toContain('whole: true')
  })

  test('counted per key', async () => {
    const { ask } = await open({ rules: [{ when: { first: 1 }, then: { status: 500 } }] })
    const of = async (key: string) =>
      (await ask(lastRequest('GET /v1/pets', `Authorization: Bearer ${key}`))).head.slice(9, 12)
    expect([await of('a'), await of('a'), await of('b')]).toEqual(['500', '200', '500'])
  })

  test('below another base path', async () => {
    const { ask } = await open(
      { rules: [{ match: { operation: 'listPets' }, then: { status: 500 } }] },
      plain(body),
      '/api/v3',
    )
    expect((await ask(lastRequest('GET /api/v3/pets'))).head).toMatch(/^HTTP\/1\.1 500 /)
  })
})

test('bodies that wait for rules take 64 MiB in all: one that exceeds it matches no body, and passes', async () => {
  // It reads whole bodies.
  const upstream = createServer((request, response) => request.resume().on('end', () => response.end('[]')))
  onTestFinished(() => void upstream.close())
  await new Promise<void>(resolve => upstream.listen(0, '127.0.0.1', resolve))
  const scenario = scenarioOf({
    rules: [
      { name: 'held', match: { body: { kind: 'held' } }, then: { status: 500, delay: '10m' } },
      { name: 'seen', match: { body: { kind: 'seen' } }, then: { status: 418 } },
    ],
  })
  const proxy = await openProxy(`http://127.0.0.1:${Object(upstream.address()).port}/v1`, { scenario })
  const clients = new AbortController()
  const post = async (kind: string) => {
    const frame = JSON.stringify({ kind, pad: '' }).length
    const pad = 'x'.repeat(2 ** 20 - frame)
    const { signal } = clients
    const headers = { Authorization: 'Bearer demo-free' }
    const init = { method: 'POST', headers, body: JSON.stringify({ kind, pad }) }
    const url = `http://127.0.0.1:${proxy.port}/v1/pets`
    const response = await fetch(url, kind === 'held' ? { ...init, signal } : init)
    await response.text()
    return response.status
  }
  const passed: number[] = []
  const calls = Array.from({ length: 66 }, () =>
    post('held').then(
      status => passed.push(status),
      () => {},
    ),
  )
  // Two must pass. A third may: the bytes of one that passes count until its answer has come.
  await expect.poll(() => passed.length, { timeout: 30_000 }).toBeGreaterThanOrEqual(2)
  clients.abort()
  await Promise.all(calls)
  await expect.poll(() => post('seen'), { timeout: 30_000 }).toBe(418)
  expect(new Set(passed)).toEqual(new Set([200]))
  expect(passed.length).toBeLessThan(10)
})
