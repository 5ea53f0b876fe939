import { describe, expect } from 'vitest'
import type { ThenFields } from '../../../src/control/scenario/file.ts'
import { expectProblem } from '../../support/expectations.ts'
import { petCount, requestText, rex, serverTest as test } from '../../support/raw-http.ts'
import { timeOfCall, withEffect } from '../../support/slow-calls.ts'

const longGrace = 60_000
const create = requestText('POST /v1/pets', { body: rex })

describe('closing answers every accepted call of a connection', () => {
  test.for<[what: string, then: ThenFields]>([
    ['delayed', { delay: '10m' }],
    ['slow', { fault: 'slow', delay: '10m' }],
  ])('30 %s ones', async ([, then], { open }) => {
    const server = await open(withEffect(then))
    const client = await server.connect()
    client.send(create.repeat(30))
    await timeOfCall(server)
    const closed = server.door.close(longGrace)
    for (let call = 1; call <= 30; call += 1) {
      const reply = await client.reply()
      expect([call, reply.status]).toEqual([call, 201])
      expect(JSON.parse(reply.text).id).toBe(100 + call)
    }
    expect(await client.end()).toBe('')
    await closed
    expect(petCount(server)).toBe(130)
  })

  test('the last reply says that the connection ends, and later calls are not accepted', async ({ open }) => {
    const server = await open(withEffect({ delay: '10m' }))
    const client = await server.connect()
    client.send(create.repeat(3))
    await timeOfCall(server)
    const closed = server.door.close(longGrace)
    client.send(create)
    const replies = [await client.reply(), await client.reply(), await client.reply()]
    expect(replies.map(({ headers }) => headers.connection)).toEqual(['keep-alive', 'keep-alive', 'close'])
    expect(await client.end()).toBe('')
    await closed
    expect(petCount(server)).toBe(103)
  })
})

describe('a 400 comes after the answers of the calls before it', () => {
  const nonsense = '\x00\x01\r\n\r\n'
  const wait = requestText('POST /__admin/requests/wait', {
    body: '{"timeout":"300ms","count":9}',
    key: null,
  })

  test.for<[what: string, then: ThenFields, sent: string, statuses: readonly number[]]>([
    ['at once', { delay: '0ms' }, create.repeat(30), Array(30).fill(201)],
    ['delayed', { delay: '200ms' }, create.repeat(30), Array(30).fill(201)],
    ['slow', { fault: { slow: { bytesPerSecond: 200 } } }, create.repeat(2), [201, 201]],
    ['of the admin plane', { delay: '0ms' }, create + wait + create + wait, [201, 200, 201, 200]],
  ])('%s', async ([, then, sent, statuses], { open }) => {
    const server = await open(withEffect(then))
    const client = await server.connect()
    client.send(sent + nonsense)
    for (const status of statuses) expect((await client.reply()).status).toBe(status)
    expectProblem(await client.reply(), 400, 'bad_request')
    expect(await client.end()).toBe('')
  })

  test('of a client that closes its side', async ({ open }) => {
    const server = await open(withEffect({ delay: '200ms' }))
    const client = await server.connect()
    client.socket.end(create.repeat(3) + nonsense)
    for (let call = 0; call < 3; call += 1) expect((await client.reply()).status).toBe(201)
    expectProblem(await client.reply(), 400, 'bad_request')
  })
})

describe('a body whose client closes its side gets its 400 at once', () => {
  const length = 'Content-Length: 100'
  const json = 'Content-Type: application/json'
  test.for([
    ['the API', requestText('POST /v1/pets', { lines: [json, length] })],
    [
      'the API, in chunks',
      `${requestText('POST /v1/pets', { lines: [json, 'Transfer-Encoding: chunked'] })}ff\r\n`,
    ],
    ['the API, after a call', create + requestText('POST /v1/pets', { lines: [json, length] })],
    ['the API, with Expect', requestText('POST /v1/pets', { lines: [json, length, 'Expect: 100-continue'] })],
    [
      'the admin plane, with Expect',
      requestText('POST /__admin/reset', { lines: [json, length, 'Expect: 100-continue'], key: null }),
    ],
    ['a route of the admin plane', requestText('POST /__admin/reset', { lines: [json, length], key: null })],
    ['a snapshot', requestText('PUT /__admin/snapshot', { lines: [json, length], key: null })],
  ] as const)('%s', { retry: 3 }, async ([, head], { open }) => {
    const server = await open()
    for (const split of [false, true]) {
      const client = await server.connect()
      const began = performance.now()
      if (split) {
        client.send(`${head}{`)
        await timeOfCall(server)
        client.socket.end()
      } else client.socket.end(`${head}{`)
      let reply = await client.reply()
      while (reply.status < 400) reply = await client.reply()
      expectProblem(reply, 400, 'bad_request')
      expect(await client.end()).toBe('')
      // A closing connection that waits for more would take a second. A slow machine may take that long, too: hence the retries.
      expect(performance.now() - began).toBeLessThan(900)
    }
  })
})

test('no warning of too many listeners', async ({ open, onTestFinished }) => {
  const warnings: string[] = []
  const note = ({ name }: Error) => warnings.push(name)
  process.on('warning', note)
  onTestFinished(() => {
    process.off('warning', note)
  })
  const wait = requestText('POST /__admin/requests/wait', {
    body: '{"timeout":"100ms","count":999}',
    key: null,
  })
  for (const then of [
    { delay: '50ms' },
    { fault: 'slow' },
    { fault: 'hang' },
    { fault: 'truncate' },
  ] as const) {
    const server = await open(withEffect(then))
    for (const sent of [create.repeat(30), wait.repeat(30), (create + wait).repeat(20)]) {
      const client = await server.connect()
      client.send(sent)
      await new Promise(resolve => setTimeout(resolve, 150))
      client.reset()
    }
  }
  expect(warnings).toEqual([])
})
