import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { handMade, lastRequest, openProxy, talk } from '../../support/proxies.ts'

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi'
const get = lastRequest('GET /v1/pets')

/** The proxy's own error, with its head. */
function errorOf(text: string) {
  const [head = '', body = ''] = text.split('\r\n\r\n')
  return { head, error: JSON.parse(body) }
}

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

describe('502 upstream_failed, marked', () => {
  test.each<[about: string, url: string | Parameters<typeof handMade>[0], message: RegExp]>([
    ['nobody listens', '', /^No server listens at http:\/\/127\.0\.0\.1:\d+\. pet-mock answers instead\.$/],
    [
      'the host is not known',
      'http://nowhere.invalid',
      /^The host name of http:\/\/nowhere\.invalid does not resolve\./,
    ],
    ['it closes before it answers', socket => socket.end(), /closed the connection before it answered/],
    [
      'it resets before it answers',
      socket => socket.resetAndDestroy(),
      /closed the connection before it answered/,
    ],
    [
      'it closes in the middle of the head',
      socket => socket.end('HTTP/1.1 200 OK\r\nX-A'),
      /closed the connection|is not valid HTTP/,
    ],
    ['it speaks something else', socket => socket.end('220 mail.test ESMTP\r\n'), /is not valid HTTP \(HPE_/],
    [
      'it sends two lengths',
      socket => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'),
      /is not valid HTTP \(HPE_/,
    ],
    [
      'its head has no end',
      socket => socket.end(`HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(200_000)}`),
      /is not valid HTTP \(HPE_HEADER_OVERFLOW\)/,
    ],
    [
      'it changes the protocol unasked',
      socket => socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
      /failed \(it switched protocols, which nobody requested\)/,
    ],
  ])('%s', async (_, upstream, message) => {
    const url =
      upstream === ''
        ? `http://127.0.0.1:${await closedPort()}`
        : typeof upstream === 'string'
          ? upstream
          : `http://127.0.0.1:${(await handMade(upstream)).port}`
    const proxy = await openProxy(url)
    const { head, error } = errorOf((await talk(proxy.port, get)).text)
    expect(head).toMatch(/^HTTP\/1\.1 502 Bad Gateway\r\n/)
    expect(head).toMatch(/^X-Pet-Mock: proxy$/m)
    expect(head).toMatch(/^Content-Type: application\/json$/m)
    expect(error).toEqual({ code: 'upstream_failed', message: expect.stringMatching(message), status: 502 })
    const [call] = await proxy.passed(1)
    expect(call?.answer).toMatchObject({ status: 502, failure: { code: 'upstream_failed' } })
  })

  test('TLS to a server that speaks plain HTTP', async () => {
    const { port } = await handMade(() => {})
    const plain = createServer(socket => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')).listen(
      0,
      '127.0.0.1',
    )
    await once(plain, 'listening')
    const address = plain.address()
    const proxy = await openProxy(`https://127.0.0.1:${typeof address === 'object' ? address?.port : port}`)
    const { error } = errorOf((await talk(proxy.port, get)).text)
    expect(error.message).toMatch(/does not speak valid TLS|failed \(ERR_SSL_/)
    plain.close()
  })

  test('the client gets its answer while it is still sending', async () => {
    const proxy = await openProxy(`http://127.0.0.1:${await closedPort()}`)
    const socket = connect(proxy.port, '127.0.0.1').setEncoding('latin1')
    socket.write('POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\nabc')
    const [text] = await once(socket, 'data')
    expect(text).toMatch(/^HTTP\/1\.1 502 /)
    socket.destroy()
  })
})

describe('an answer that breaks off', () => {
  test.each<[about: string, end: Parameters<typeof handMade>[0]]>([
    ['by an end is an end', socket => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhi')],
    [
      'in the middle of chunks ends without the last one',
      socket => socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhi'),
    ],
  ])('%s', async (_, end) => {
    const upstream = await handMade(end)
    const proxy = await openProxy(`http://127.0.0.1:${upstream.port}`)
    const { text, isReset } = await talk(proxy.port, get)
    expect(isReset).toBe(false)
    expect(text).toMatch(/hi$|hi\r\n$/)
    const [call] = await proxy.passed(1)
    expect(call?.answer).toMatchObject({ status: 200, fault: 'truncate', failure: undefined })
  })

  test('by a reset is a reset', async () => {
    let reset = () => {}
    const upstream = await handMade(socket => {
      reset = () => socket.resetAndDestroy()
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhi')
    })
    const proxy = await openProxy(`http://127.0.0.1:${upstream.port}`)
    const socket = connect(proxy.port, '127.0.0.1')
    socket.write(get)
    await once(socket, 'data')
    reset()
    const [error] = await once(socket, 'error')
    expect(error).toMatchObject({ code: 'ECONNRESET' })
    const [call] = await proxy.passed(1)
    expect(call?.answer).toMatchObject({ status: 200, fault: 'reset', failure: undefined })
  })
})

describe('a client that leaves', () => {
  test.each([
    ['before there is an answer', get],
    ['while it sends', 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc'],
  ])('%s lets go of the upstream', async (_, sent) => {
    const upstream = await handMade(() => {})
    const proxy = await openProxy(`http://127.0.0.1:${upstream.port}`)
    const socket = connect(proxy.port, '127.0.0.1')
    socket.write(sent)
    await upstream.until(/\r\n\r\n/)
    socket.destroy()
    await upstream.ended
    await proxy.untilGivenUp()
    expect(proxy.calls).toEqual([])
  })
})

describe('a kept connection', () => {
  /** Answers the first call of each connection, and drops it with the second. */
  const forgetful = (socket: Parameters<Parameters<typeof handMade>[0]>[0]) => {
    if (served.has(socket)) socket.destroy()
    else socket.write(ok)
    served.add(socket)
  }
  const served = new WeakSet<object>()

  const twice = async (method: string, lines: readonly string[] = []) => {
    const upstream = await handMade(forgetful)
    const proxy = await openProxy(`http://127.0.0.1:${upstream.port}`)
    await talk(proxy.port, get)
    await proxy.passed(1)
    const { text } = await talk(proxy.port, lastRequest(`${method} /v1/pets`, ...lines))
    return { status: Number(text.slice(9, 12)), connections: upstream.connections() }
  }

  test('is used again', async () => {
    const upstream = await handMade(socket => socket.write(ok))
    const proxy = await openProxy(`http://127.0.0.1:${upstream.port}`)
    for (let made = 0; made < 3; made += 1) await talk(proxy.port, get)
    expect(upstream.connections()).toBe(1)
  })

  test('closes just then: an idempotent call is sent again', async () => {
    expect(await twice('GET')).toEqual({ status: 200, connections: 2 })
  })

  test('closes just then: another call is not sent again', async () => {
    expect(await twice('POST')).toEqual({ status: 502, connections: 1 })
  })

  test('a call that fails twice is not sent a third time', async () => {
    const upstream = await handMade((socket, _, count) => (count === 1 ? socket.write(ok) : socket.destroy()))
    const proxy = await openProxy(`http://127.0.0.1:${upstream.port}`)
    await talk(proxy.port, get)
    expect((await talk(proxy.port, get)).text).toMatch(/^HTTP\/1\.1 502 /)
    expect(upstream.connections()).toBe(2)
  })
})

describe('Expect: 100-continue', () => {
  const announce =
    'POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n'

  test('the upstream says when to go on', async () => {
    const upstream = await handMade((socket, request) => {
      if (request.includes('Expect: 100-continue')) socket.write('HTTP/1.1 100 Continue\r\n\r\n')
    })
    const proxy = await openProxy(`http://127.0.0.1:${upstream.port}`)
    const socket = connect(proxy.port, '127.0.0.1').setEncoding('latin1')
    socket.write(announce)
    expect((await once(socket, 'data'))[0]).toBe('HTTP/1.1 100 Continue\r\n\r\n')
    socket.write('abc')
    await upstream.until(/\r\n\r\nabc$/)
    socket.destroy()
  })

  test('another answer ends the connection, because no body comes', async () => {
    const upstream = await handMade(socket =>
      socket.write('HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\n\r\n'),
    )
    const proxy = await openProxy(`http://127.0.0.1:${upstream.port}`)
    const { text } = await talk(proxy.port, announce)
    expect(text).toMatch(/^HTTP\/1\.1 417 Expectation Failed\r\n/)
    expect(text).toMatch(/^Connection: close$/m)
  })
})

describe('what the proxy does not forward', () => {
  test.each([
    [
      'an upgrade',
      lastRequest('GET /').replace('Connection: close', 'Connection: Upgrade\r\nUpgrade: websocket'),
      400,
      /does not upgrade connections/,
    ],
    [
      'CONNECT',
      'CONNECT elsewhere.test:443 HTTP/1.1\r\nHost: elsewhere.test:443\r\n\r\n',
      400,
      /does not support CONNECT/,
    ],
    [
      'a name that is not of this machine',
      'GET / HTTP/1.1\r\nHost: rebound.test\r\nConnection: close\r\n\r\n',
      403,
      /is not allowed/,
    ],
    [
      'a target elsewhere',
      'GET http://elsewhere.test/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
      403,
      /is not allowed/,
    ],
    ['no Host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400, /Host header is missing/],
    ['no HTTP', 'nonsense\r\n\r\n', 400, /not a valid HTTP/],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
      /not a valid HTTP/,
    ],
  ])('%s', async (_, sent, status, message) => {
    const upstream = await handMade(socket => socket.end(ok))
    const proxy = await openProxy(`http://127.0.0.1:${upstream.port}`)
    const { error } = errorOf((await talk(proxy.port, sent)).text)
    expect(error).toMatchObject({ status, message: expect.stringMatching(message) })
    expect(upstream.connections()).toBe(0)
    expect(proxy.refusals).toMatchObject([{ status }])
  })
})

test('calls under way get their answer when the proxy closes', async () => {
  const upstream = await handMade(() => {})
  const held: (() => void)[] = []
  const slow = await handMade(socket => held.push(() => socket.end(ok)))
  expect(upstream.connections()).toBe(0)
  const proxy = await openProxy(`http://127.0.0.1:${slow.port}`)
  const answer = talk(proxy.port, get)
  await slow.until(/\r\n\r\n/)
  const closed = proxy.close(60_000)
  for (const answerNow of held) answerNow()
  expect((await answer).text).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*hi$/)
  await closed
})
