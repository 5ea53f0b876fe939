import { Agent, request as httpRequest } from 'node:http'
import { describe, expect } from 'vitest'
import { expectProblem, limitHeaders, readLimits } from '../../support/expectations.ts'
import { remainingOf, requestText, rex, type TestServer, serverTest as test } from '../../support/raw-http.ts'

const list = requestText('GET /v1/pets?limit=1')
const create = requestText('POST /v1/pets', { body: rex })
const head = requestText('HEAD /v1/pets')
const options = requestText('OPTIONS /v1/pets')
const missing = requestText('GET /v1/pets/999')

describe('pipelining: calls in one packet are answered in their order', () => {
  test('two', async ({ open }) => {
    const client = await (await open()).connect()
    client.send(list + missing)
    expect((await client.reply()).status).toBe(200)
    expectProblem(await client.reply(), 404, 'pet_not_found')
  })

  test('of every kind, with and without bodies', async ({ open }) => {
    const server = await open()
    const client = await server.connect()
    client.send(create + list + head + create + options + missing + create)
    const replies = [
      await client.reply(),
      await client.reply(),
      await client.reply({ head: true }),
      await client.reply(),
      await client.reply(),
      await client.reply(),
      await client.reply(),
    ]
    expect(replies.map(({ status }) => status)).toEqual([201, 200, 200, 201, 204, 404, 201])
    const ids = [0, 3, 6].map(index => JSON.parse(replies[index]?.text ?? '').id)
    expect(ids).toEqual([101, 102, 103])
    expect(remainingOf(server)).toBe(54)
  })

  test('each sees what the ones before it did, also those with bodies', async ({ open }) => {
    const server = await open()
    const client = await server.connect()
    const created = requestText('GET /v1/pets/102')
    client.send(create + create + created + create + list)
    const replies = []
    for (let call = 1; call <= 5; call += 1) replies.push(await client.reply())
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 200, 201, 200])
    const left = replies.map(reply => readLimits(reply).remaining)
    expect(left).toEqual([59, 58, 57, 56, 55])
  })

  test('a call behind a body that comes in parts waits for all of it', async ({ open }) => {
    const client = await (await open()).connect()
    const all = create + requestText('GET /v1/pets/101')
    const cut = all.indexOf('{') + 5
    client.send(all.slice(0, cut))
    await new Promise(resolve => setTimeout(resolve, 50))
    client.send(all.slice(cut))
    expect([(await client.reply()).status, (await client.reply()).status]).toEqual([201, 200])
  })

  test('a hundred, from a client that reads only afterwards', async ({ open }) => {
    const client = await (await open()).connect()
    client.socket.pause()
    client.send(requestText('GET /v1/pets?limit=100', { key: 'demo-business' }).repeat(100))
    await new Promise(resolve => setTimeout(resolve, 200))
    client.socket.resume()
    for (let call = 1; call <= 100; call += 1) {
      const reply = await client.reply()
      expect([reply.status, JSON.parse(reply.text).length]).toEqual([200, 100])
      expect(readLimits(reply).remaining).toBe(readLimits(reply).limit - call)
    }
  })
})

describe('the connection goes on', () => {
  test.for([
    ['200', list, 200],
    ['201', create, 201],
    ['400', requestText('POST /v1/pets', { body: '{' }), 400],
    ['401', requestText('GET /v1/pets', { key: null }), 401],
    ['403', requestText('GET /v1/pets', { lines: ['Host: evil.example'] }), 403],
    ['404', missing, 404],
    ['405', requestText('PUT /v1/pets'), 405],
  ] as const)('after a %s', async ([, sent, status], { open }) => {
    const client = await (await open()).connect()
    for (let call = 0; call < 3; call += 1) {
      client.send(sent)
      const reply = await client.reply()
      expect(reply.status).toBe(status)
      expect(reply.headers).toMatchObject({ connection: 'keep-alive', 'keep-alive': 'timeout=5' })
    }
  })

  test('after a 204, which has no body and no Content-Length', async ({ open }) => {
    const client = await (await open()).connect()
    client.send(options + list)
    const reply = await client.reply()
    expect(reply.status).toBe(204)
    expect(reply.headers['content-length']).toBeUndefined()
    expect(reply.headers['transfer-encoding']).toBeUndefined()
    expect(reply.headers['content-type']).toBeUndefined()
    expect((await client.reply()).status).toBe(200)
  })

  test.for(['/v1/pets', '/v1/pets/1', '/v1/pets/999', '/v1/nothing', '/'])(
    'after HEAD %s, whose Content-Length is that of GET',
    async (target, { open }) => {
      const client = await (await open()).connect()
      client.send(requestText(`GET ${target}`) + requestText(`HEAD ${target}`) + list)
      const got = await client.reply()
      const headOnly = await client.reply({ head: true })
      expect(headOnly.status).toBe(got.status)
      expect(headOnly.headers['content-length']).toBe(got.headers['content-length'])
      expect((await client.reply()).status).toBe(200)
    },
  )
})

describe('the connection ends', () => {
  test.for([
    ['when the client says Connection: close', requestText('GET /v1/pets', { lines: ['Connection: close'] })],
    ['with HTTP/1.0', list.replace('HTTP/1.1', 'HTTP/1.0')],
  ] as const)('%s', async ([, sent], { open }) => {
    const client = await (await open()).connect()
    client.send(sent)
    const reply = await client.reply()
    expect([reply.status, reply.headers.connection]).toEqual([200, 'close'])
    expect(await client.end()).toBe('')
  })

  test('not with HTTP/1.0 that asks to keep it', async ({ open }) => {
    const client = await (await open()).connect()
    for (let call = 0; call < 2; call += 1) {
      client.send(
        requestText('GET /v1/pets', { lines: ['Connection: keep-alive'] }).replace('HTTP/1.1', 'HTTP/1.0'),
      )
      expect((await client.reply()).headers.connection).toBe('keep-alive')
    }
  })
})

describe('Authorization given twice is malformed', () => {
  test.for([
    ['the same', ['Authorization: Bearer demo-free', 'Authorization: Bearer demo-free']],
    ['a wrong one last', ['Authorization: Bearer demo-free', 'Authorization: Bearer x']],
    ['in other letters', ['Authorization: Bearer demo-free', 'AUTHORIZATION: Basic eDp5']],
  ] as const)('%s: 401, counted for no key', async ([, lines], { open }) => {
    const server = await open()
    const reply = await server.ask(requestText('GET /v1/pets', { lines }))
    expectProblem(reply, 401, 'invalid_api_key')
    expect(reply.headers['www-authenticate']).toContain('The API key is malformed')
    for (const header of limitHeaders) expect(reply.headers[header]).toBeDefined()
    expect(remainingOf(server)).toBe(60)
  })
})

test('an agent of Node that keeps connections needs one for calls of every kind', async ({
  open,
  onTestFinished,
}) => {
  const server = await open()
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  const ports = new Set<number>()
  const calls = [
    ['GET', '/v1/pets', ''],
    ['HEAD', '/v1/pets', ''],
    ['POST', '/v1/pets', rex],
    ['OPTIONS', '/v1/pets', ''],
    ['GET', '/v1/pets', rex],
    ['DELETE', '/v1/pets', rex],
    ['GET', '/v1/pets/999', ''],
  ] as const
  const statuses: number[] = []
  for (const call of [...calls, ...calls]) statuses.push(await callByAgent(server, agent, ports, call))
  expect(statuses).toEqual([200, 200, 201, 204, 200, 405, 404, 200, 200, 201, 204, 200, 405, 404])
  expect(ports.size).toBe(1)
})

function callByAgent(
  { port }: TestServer,
  agent: Agent,
  ports: Set<number>,
  [method, path, body]: readonly [string, string, string],
): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = {
      Authorization: 'Bearer demo-free',
      'Content-Type': 'application/json',
      'Content-Length': body.length,
    }
    const request = httpRequest({ port, agent, method, path, headers })
    request.on('error', reject).on('response', response => {
      ports.add(response.socket.localPort ?? 0)
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    })
    request.end(body)
  })
}
