import { describe, expect, test } from 'vitest'
import { handMade, lastRequest, openProxy, talk } from '../../support/proxies.ts'

/** What is written to the client for an answer of the upstream. */
async function pass(answer: string, request = lastRequest('GET /v1/pets')) {
  const upstream = await handMade(socket => socket.end(answer, 'latin1'))
  const proxy = await openProxy(`http://127.0.0.1:${upstream.port}/v1`)
  const { text, isReset } = await talk(proxy.port, request)
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [status, ...headers] = head.split('\r\n')
  return { status, headers, body: rest.join('\r\n\r\n'), isReset, upstream, proxy }
}

/** What the upstream gets of a request. */
async function passUp(request: string) {
  const { upstream } = await pass('HTTP/1.1 204 No Content\r\n\r\n', request)
  const [head = '', ...rest] = upstream.received().split('\r\n\r\n')
  const [line, ...headers] = head.split('\r\n')
  const own = headers.filter(header => !/^connection: keep-alive$/i.test(header))
  return { line, headers: own, body: rest.join('\r\n\r\n'), port: upstream.port }
}

describe('a request gets to the upstream', () => {
  test.each<
    [
      about: string,
      line: string,
      lines: readonly string[],
      got: readonly string[],
      body?: string,
      gotBody?: string,
    ]
  >([
    [
      'with its headers in their order and spelling',
      'GET /v1/pets?limit=5&x=%20',
      ['X-b: 1', 'x-A: 2', 'X-b: 3'],
      ['X-b: 1', 'x-A: 2', 'X-b: 3'],
    ],
    [
      'without what is of the connection',
      'GET /',
      ['Keep-Alive: 5', 'Proxy-Connection: x', 'TE: gzip', 'X-End: 1'],
      ['X-End: 1'],
    ],
    [
      'without what Connection names',
      'GET /',
      ['X-Mine: 1', 'Connection: x-mine, Host', 'X-End: 1'],
      ['X-End: 1'],
    ],
    [
      'with its key, which is for the upstream',
      'GET /',
      ['Authorization: Bearer secret-key', 'Cookie: a=b'],
      ['Authorization: Bearer secret-key', 'Cookie: a=b'],
    ],
    ['with a length', 'POST /v1/pets', ['Content-Length: 3'], ['Content-Length: 3'], 'abc', 'abc'],
    ['with a body of GET', 'GET /v1/pets', ['Content-Length: 3'], ['Content-Length: 3'], 'abc', 'abc'],
    ['without a body', 'POST /v1/pets', [], ['Content-Length: 0']],
    [
      'in chunks, with trailers',
      'PUT /',
      ['Transfer-Encoding: chunked', 'Trailer: X-Sum'],
      ['Trailer: X-Sum', 'Transfer-Encoding: chunked'],
      '3\r\nabc\r\n0\r\nX-Sum: 7\r\n\r\n',
      '3\r\nabc\r\n0\r\nX-Sum: 7\r\n\r\n',
    ],
    [
      'asking for trailers where the client does',
      'GET /',
      ['TE: trailers'],
      ['TE: trailers', 'Connection: TE'],
    ],
    ['in absolute form, for the upstream and nobody else', 'GET http://localhost/v1/pets?a=b', [], []],
    ['with the asterisk', 'OPTIONS *', [], []],
    ['by a method of its own', 'PURGE /v1/pets', [], ['Content-Length: 0']],
    [
      'with an offer of HTTP/2, which is passed over',
      'GET /',
      ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk'],
      [],
    ],
  ])('%s', async (_, line, lines, got, body = '', gotBody = '') => {
    const { line: gotLine, headers, body: rest, port } = await passUp(lastRequest(line, ...lines) + body)
    expect(gotLine).toBe(`${line.replace('http://localhost', '')} HTTP/1.1`)
    expect(headers).toEqual([`Host: 127.0.0.1:${port}`, ...got])
    expect(rest).toBe(gotBody)
  })
})

describe('an answer gets to the client', () => {
  const ok = 'HTTP/1.1 200 OK'
  test.each<
    [
      about: string,
      answer: string,
      status: string,
      headers: readonly string[],
      body: string,
      request?: string,
    ]
  >([
    [
      'with its headers in their order and spelling',
      `${ok}\r\nx-b: 1\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nContent-Length: 2\r\n\r\nhi`,
      ok,
      ['x-b: 1', 'Set-Cookie: a=1', 'Set-Cookie: b=2', 'Content-Length: 2'],
      'hi',
    ],
    [
      'without what is of the connection',
      `${ok}\r\nKeep-Alive: timeout=9\r\nX-Own: 1\r\nConnection: close, X-Own\r\nContent-Length: 0\r\n\r\n`,
      ok,
      ['Content-Length: 0'],
      '',
    ],
    [
      'in chunks, with trailers',
      `${ok}\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n2\r\nhi\r\n0\r\nX-Sum: 7\r\n\r\n`,
      ok,
      ['Trailer: X-Sum', 'Transfer-Encoding: chunked'],
      '2\r\nhi\r\n0\r\nX-Sum: 7\r\n\r\n',
    ],
    ['without a length', `${ok}\r\n\r\nhi`, ok, ['Transfer-Encoding: chunked'], '2\r\nhi\r\n0\r\n\r\n'],
    [
      'with a header for trailers and a length',
      `${ok}\r\nTrailer: X-Sum\r\nContent-Length: 2\r\n\r\nhi`,
      ok,
      ['Content-Length: 2'],
      'hi',
    ],
    [
      'to HEAD, with the length that GET would have',
      `${ok}\r\nContent-Length: 500\r\n\r\n`,
      ok,
      ['Content-Length: 500'],
      '',
      lastRequest('HEAD /v1/pets'),
    ],
    [
      'to HEAD, of chunks',
      `${ok}\r\nTransfer-Encoding: chunked\r\n\r\n`,
      ok,
      [],
      '',
      lastRequest('HEAD /v1/pets'),
    ],
    ['204', 'HTTP/1.1 204 No Content\r\nX-A: 1\r\n\r\n', 'HTTP/1.1 204 No Content', ['X-A: 1'], ''],
    [
      '304 with a length',
      'HTTP/1.1 304 Not Modified\r\nETag: "x"\r\nContent-Length: 9\r\n\r\n',
      'HTTP/1.1 304 Not Modified',
      ['ETag: "x"', 'Content-Length: 9'],
      '',
    ],
    [
      'a redirect, which is not followed',
      'HTTP/1.1 302 Found\r\nLocation: http://elsewhere.test/\r\nContent-Length: 0\r\n\r\n',
      'HTTP/1.1 302 Found',
      ['Location: http://elsewhere.test/', 'Content-Length: 0'],
      '',
    ],
    [
      'a status that nobody knows',
      'HTTP/1.1 299 Quite Fine\r\nContent-Length: 0\r\n\r\n',
      'HTTP/1.1 299 Quite Fine',
      ['Content-Length: 0'],
      '',
    ],
    [
      '429 with what it says of the wait',
      'HTTP/1.1 429 Slow Down\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n',
      'HTTP/1.1 429 Slow Down',
      ['Retry-After: 7', 'Content-Length: 0'],
      '',
    ],
    [
      'bytes that are no text',
      `${ok}\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\n\x1f\x8b\x00\xff`,
      ok,
      ['Content-Encoding: gzip', 'Content-Length: 4'],
      '\x1f\x8b\x00\xff',
    ],
    ['from HTTP/1.0', 'HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi', ok, ['Content-Length: 2'], 'hi'],
    [
      'to HTTP/1.0, of chunks',
      `${ok}\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n2\r\nhi\r\n0\r\nX-Sum: 7\r\n\r\n`,
      ok,
      [],
      'hi',
      'GET / HTTP/1.0\r\n\r\n',
    ],
    [
      'to HTTP/1.0, without a hint before',
      `HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n${ok}\r\nContent-Length: 2\r\n\r\nhi`,
      ok,
      ['Content-Length: 2'],
      'hi',
      'GET / HTTP/1.0\r\n\r\n',
    ],
  ])('%s', async (_, answer, status, headers, body, request) => {
    const got = await pass(answer, request)
    expect(got.status).toBe(status)
    expect(got.headers.filter(header => !/^connection: close$/i.test(header))).toEqual(headers)
    expect(got.body).toBe(body)
    expect(got.isReset).toBe(false)
  })

  test.each([
    [
      '103',
      'HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n',
      /^HTTP\/1\.1 103 Early Hints\r\nLink: <\/a>; rel=preload\r\n\r\nHTTP\/1\.1 200 OK/i,
    ],
    ['102', 'HTTP/1.1 102 Processing\r\n\r\n', /^HTTP\/1\.1 102 Processing\r\n\r\nHTTP\/1\.1 200 OK/],
  ])('after %s', async (_, before, shape) => {
    const upstream = await handMade(socket => socket.end(`${before}${ok}\r\nContent-Length: 0\r\n\r\n`))
    const { port } = await openProxy(`http://127.0.0.1:${upstream.port}`)
    expect((await talk(port, lastRequest('GET /'))).text).toMatch(shape)
  })

  test('more and larger headers than Node allows by default', async () => {
    const many = Array.from({ length: 2_500 }, (_, index) => `X-${index}: ${'v'.repeat(20)}`)
    const { headers } = await pass([ok, ...many, 'Content-Length: 0', '', ''].join('\r\n'))
    expect(headers.slice(0, -1)).toEqual([...many, 'Content-Length: 0'])
  })

  test('piece by piece, before it is complete', async () => {
    const upstream = await handMade((socket, request) => {
      if (request.startsWith('GET')) socket.write(`${ok}\r\nContent-Length: 4\r\n\r\nfi`)
    })
    const proxy = await openProxy(`http://127.0.0.1:${upstream.port}`)
    const response = await fetch(`http://127.0.0.1:${proxy.port}/events`)
    const reader = response.body?.getReader()
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('fi')
    await reader?.cancel()
    await upstream.ended
    await proxy.untilGivenUp()
    expect(proxy.calls).toEqual([])
  })

  test('its head alone, before the body', async () => {
    const upstream = await handMade(socket =>
      socket.write(`${ok}\r\nContent-Type: text/event-stream\r\n\r\n`),
    )
    const proxy = await openProxy(`http://127.0.0.1:${upstream.port}`)
    const aborting = new AbortController()
    const response = await fetch(`http://127.0.0.1:${proxy.port}/events`, { signal: aborting.signal })
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    aborting.abort()
    await upstream.ended
  })
})
