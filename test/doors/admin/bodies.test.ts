import { describe, expect } from 'vitest'
import { adminOf } from '../../support/admin.ts'
import type { TestReply } from '../../support/doors.ts'
import { expectProblem } from '../../support/expectations.ts'
import { type RawClient, requestText, type TestServer, serverTest as test } from '../../support/raw-http.ts'

const mebibyte = 2 ** 20
const json = 'Content-Type: application/json'

function head(line: string, ...lines: readonly string[]): string {
  return requestText(line, { lines: [json, ...lines], key: null })
}

/** Valid JSON of a size, which no route accepts. */
function textOf(size: number): string {
  return `{"x":"${'x'.repeat(size - 8)}"}`
}

function send(server: TestServer, line: string, body: string): Promise<TestReply> {
  return server.ask(requestText(line, { body, key: null }))
}

describe('the size of a body', () => {
  test('1 MiB is read on every route, a byte more is 413', async ({ open }) => {
    const server = await open()
    expectProblem(await send(server, 'POST /__admin/reset', textOf(mebibyte)), 400, 'invalid_command')
    const refused = await send(server, 'POST /__admin/reset', textOf(mebibyte + 1))
    expect(expectProblem(refused, 413, 'body_too_large')).toBe('The body is larger than 1 MiB.')
  })

  test('a snapshot may be larger, up to a limit whose flag the 413 names', async ({ open }) => {
    const server = await open({ snapshotLimit: 2 * mebibyte })
    const taken = await adminOf(server.host)('GET /snapshot')
    const octets = Buffer.from(taken.text).toString('latin1')
    const padded = `${octets}${' '.repeat(2 * mebibyte - octets.length)}`
    expect((await send(server, 'PUT /__admin/snapshot', padded)).status).toBe(200)
    const refused = await send(server, 'PUT /__admin/snapshot', `${padded} `)
    expect(expectProblem(refused, 413, 'body_too_large')).toBe(
      'The snapshot is larger than 2 MB. Start pet-mock with a higher --snapshot-limit.',
    )
  })

  test.for([
    ['POST /__admin/reset', '2097152'],
    ['PUT /__admin/snapshot', '9007199254740993'],
  ] as const)('%s with Content-Length: %s is refused at once', async ([line, length], { open }) => {
    const server = await open()
    const client = await server.connect()
    client.send(head(line, `Content-Length: ${length}`))
    const reply = await client.reply()
    expectProblem(reply, 413, 'body_too_large')
    expect(reply.headers.connection).toBe('close')
  })
})

describe('a call is decided by its head, before its body is read', () => {
  const length = 'Content-Length: 1000'
  test.for<[what: string, line: string, lines: readonly string[], status: number]>([
    ['a page of another origin', 'POST /__admin/reset', ['Origin: https://evil.example'], 403],
    ['a foreign name', 'POST /__admin/reset', ['Host: evil.example'], 403],
    ['no token', 'POST /__admin/reset', [], 401],
    ['an unknown path', 'POST /__admin/resets', ['Authorization: Bearer sesame'], 404],
    ['another method', 'PUT /__admin/reset', ['Authorization: Bearer sesame'], 405],
    ['a route without a body', 'GET /__admin/clock', ['Authorization: Bearer sesame'], 200],
  ])('%s', async ([, line, lines, status], { open }) => {
    const server = await open({ token: 'sesame' })
    for (const expects of [[], ['Expect: 100-continue']]) {
      const client = await server.connect()
      client.send(head(line, length, ...expects, ...lines))
      const reply = await client.reply()
      expect([reply.status, reply.headers.connection]).toEqual([status, 'close'])
      expect(await client.end()).toBe('')
    }
  })

  test('a caller that may send gets 100 Continue', async ({ open }) => {
    const server = await open({ token: 'sesame' })
    const client = await server.connect()
    const lines = ['Content-Length: 2', 'Expect: 100-continue', 'Authorization: Bearer sesame']
    client.send(head('POST /__admin/reset', ...lines))
    expect((await client.reply()).status).toBe(100)
    client.send('{}')
    expect((await client.reply()).status).toBe(200)
    client.send(head('GET /__admin/clock', 'Authorization: Bearer sesame'))
    expect((await client.reply()).status).toBe(200)
  })

  test('a refused call that came whole leaves the connection open', async ({ open }) => {
    const server = await open({ token: 'sesame' })
    const client = await server.connect()
    for (let call = 0; call < 3; call += 1) {
      client.send(requestText('POST /__admin/reset', { body: '{}', key: null }))
      const reply = await client.reply()
      expect([reply.status, reply.headers.connection]).toEqual([401, 'keep-alive'])
    }
  })
})

describe('16 bodies are read at once', () => {
  const start = `${head('POST /__admin/reset', 'Content-Length: 2')}{`

  async function sixteen(server: TestServer): Promise<readonly RawClient[]> {
    const clients = await Promise.all(Array.from({ length: 16 }, () => server.connect()))
    for (const client of clients) client.send(start)
    await server.ask(head('GET /__admin/clock'))
    return clients
  }

  test('the next gets 503, and calls without a body pass', async ({ open }) => {
    const server = await open()
    const clients = await sixteen(server)
    const reply = await send(server, 'POST /__admin/reset', '{}')
    expect(expectProblem(reply, 503, 'too_many_bodies')).toBe(
      'The admin plane is reading 16 bodies. Try again in a second.',
    )
    expect(reply.headers['retry-after']).toBe('1')
    expect((await server.ask(head('POST /__admin/reset'))).status).toBe(200)
    for (const client of clients) client.send('}')
    for (const client of clients) expect((await client.reply()).status).toBe(200)
    expect((await send(server, 'POST /__admin/reset', '{}')).status).toBe(200)
  })

  test('it waits a moment for one that ends or whose client leaves', async ({ open }) => {
    const server = await open()
    const [first, second] = await sixteen(server)
    const waiting = [send(server, 'POST /__admin/reset', '{}'), send(server, 'POST /__admin/reset', '{}')]
    await server.ask(head('GET /__admin/clock'))
    first?.send('}')
    second?.reset()
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200])
  })

  test('100 at the same moment are all answered', async ({ open }) => {
    const admin = adminOf((await open()).host)
    const calls = Array.from({ length: 100 }, () => admin('POST /requests/count', {}))
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(Array(100).fill(200))
  })
})

test('snapshots that arrive together share the limit', async ({ open }) => {
  const server = await open({ snapshotLimit: 2 * mebibyte })
  const first = await server.connect()
  first.send(head('PUT /__admin/snapshot', `Content-Length: ${2 * mebibyte}`))
  first.send(textOf(1.5 * mebibyte))
  await new Promise(resolve => setTimeout(resolve, 200))
  const reply = await send(server, 'PUT /__admin/snapshot', textOf(mebibyte))
  expectProblem(reply, 503, 'too_many_bodies')
  expect(reply.headers['retry-after']).toBe('1')
  first.reset()
  await new Promise(resolve => setTimeout(resolve, 50))
  expectProblem(await send(server, 'PUT /__admin/snapshot', textOf(mebibyte)), 400, 'invalid_command')
})
