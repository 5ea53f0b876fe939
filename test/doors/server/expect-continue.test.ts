import { describe, expect } from 'vitest'
import { expectProblem } from '../../support/expectations.ts'
import { petCount, remainingOf, requestText, rex, serverTest as test } from '../../support/raw-http.ts'

const tooMuch = `Content-Length: ${1_048_577}`

/** The headers of a request whose client waits for `100 Continue` before it sends the body. */
const announce = (length: string, options: { key?: string | null; lines?: readonly string[] } = {}) =>
  requestText('POST /v1/pets', {
    ...options,
    lines: ['Content-Type: application/json', length, 'Expect: 100-continue', ...(options.lines ?? [])],
  })

describe('Expect: 100-continue', () => {
  test('100, then the body, then the reply; the connection goes on', async ({ open }) => {
    const client = await (await open()).connect()
    client.send(announce(`Content-Length: ${rex.length}`))
    expect((await client.reply()).status).toBe(100)
    client.send(rex)
    expect((await client.reply()).status).toBe(201)
    client.send(requestText('GET /v1/pets'))
    expect((await client.reply()).status).toBe(200)
  })

  test('a body that is announced too large is 413 at once, without 100', async ({ open }) => {
    const server = await open()
    const client = await server.connect()
    client.send(announce(tooMuch))
    const reply = await client.reply()
    expectProblem(reply, 413, 'body_too_large')
    expect(reply.headers).toMatchObject({ connection: 'close', 'x-ratelimit-remaining': '59' })
    expect(await client.end()).toBe('')
    expect(petCount(server)).toBe(100)
  })

  test('without a key it is 401 at once', async ({ open }) => {
    const client = await (await open()).connect()
    client.send(announce(tooMuch, { key: null }))
    const reply = await client.reply()
    expectProblem(reply, 401, 'missing_api_key')
    expect(reply.headers.connection).toBe('close')
  })

  test('without Host it is 400 at once', async ({ open }) => {
    const client = await (await open()).connect()
    client.send('POST /v1/pets HTTP/1.1\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n')
    expectProblem(await client.reply(), 400, 'bad_request')
  })

  test('from HTTP/1.0 it means nothing', async ({ open }) => {
    const client = await (await open()).connect()
    const request = announce(`Content-Length: ${rex.length}`).replace('HTTP/1.1', 'HTTP/1.0')
    client.send(request + rex)
    expect((await client.reply()).status).toBe(201)
  })
})

describe('an unknown expectation is ignored', () => {
  test.for(['200-ok', '100-continued', ''])('Expect: %s', async (expectation, { open }) => {
    const server = await open()
    const lines = [`Expect: ${expectation}`]
    const statuses = [
      (await server.ask(requestText('GET /v1/pets', { lines }))).status,
      (await server.ask(requestText('POST /v1/pets', { lines, body: rex }))).status,
    ]
    expect([statuses, remainingOf(server)]).toEqual([[200, 201], 58])
  })
})
