import fc from 'fast-check'
import { anyBody, anyTarget, oneOf, textOf, words } from './any-request.ts'
import { wellFormed } from './well-formed.ts'

/** Bytes that are almost HTTP, as latin1 characters: each stream is sent on a connection of its own. */

const body = '{"name":"Rex","categoryId":1}'
const key = 'Host: localhost\r\nAuthorization: Bearer demo-pro\r\nContent-Type: application/json\r\n'
const length = body.length
const control = textOf(0, 0x1f)
const bytes = textOf(0, 0xff)

/** Framings that servers and proxies read differently (RFC 9112, section 11.2). */
const framings = oneOf(
  `Content-Length: ${length}\r\nTransfer-Encoding: chunked\r\n`,
  `Transfer-Encoding: chunked\r\nContent-Length: ${length}\r\n`,
  `Content-Length: ${length}\r\nContent-Length: ${length}\r\n`,
  `Content-Length: ${length}\r\nContent-Length: ${length + 1}\r\n`,
  `Content-Length: ${length}, ${length}\r\n`,
  ...['+29', '-1', '0x1d', '029', '29 ', '2 9', '1e1', '', '18446744073709551617', '9'.repeat(400)].map(
    text => `Content-Length: ${text}\r\n`,
  ),
  ...[
    'gzip, chunked',
    'chunked, gzip',
    'chunked, chunked',
    'xchunked',
    '\x0bchunked',
    'CHUNKED',
    'identity',
    '',
  ].map(text => `Transfer-Encoding: ${text}\r\n`),
  'Transfer-Encoding : chunked\r\n',
  'Transfer-Encoding:\tchunked\r\n',
  'Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n',
  'Transfer-Encoding:\r\n chunked\r\n',
  ` Content-Length: ${length}\r\n`,
  `Content-Length\0: ${length}\r\n`,
)
const chunked = oneOf(
  `1d\r\n${body}\r\n0\r\n\r\n`,
  `1D ; x="\r\n"\r\n${body}\r\n0\r\n\r\n`,
  `-1\r\n${body}\r\n0\r\n\r\n`,
  `fffffffffffffffff\r\n${body}\r\n0\r\n\r\n`,
  `1d\n${body}\n0\n\n`,
  `1d\r\n${body}XX0\r\n\r\n`,
  `0\r\n\r\n${body}`,
  `0x1d\r\n${body}\r\n0\r\n\r\n`,
  `1d\r\n${body}\r\n0\r\nContent-Length: 5\r\nHost: evil\r\n\r\n`,
  `1d;${'x'.repeat(20_000)}\r\n${body}\r\n0\r\n\r\n`,
)
const smuggling = fc
  .tuple(
    framings,
    fc.oneof(chunked, fc.constant(body)),
    oneOf('', 'GET /v1/pets?limit=1 HTTP/1.1\r\nHost: localhost\r\n\r\n'),
  )
  .map(([framing, sent, next]) => `POST /v1/pets HTTP/1.1\r\n${key}${framing}\r\n${sent}${next}`)

const versions = oneOf(
  ...'HTTP/1.0 HTTP/0.9 HTTP/2.0 HTTP/1.2 HTTP/1.10 http/1.1 HTTPS/1.1'.split(' '),
  'HTTP/1.1 ',
  '',
)
const targets = fc.oneof(
  anyTarget,
  bytes,
  words('* localhost:443 [::1]:80 http://localhost http://[::1/v1/pets //evil/v1/pets /v1/pets#x /\u00ff'),
  oneOf(17_000, 60_000).map(size => `/v1/${'a'.repeat(size)}`),
)
const lines = fc
  .tuple(
    oneOf('GET', 'POST', 'CONNECT', 'PRI', 'get', 'G\0T', ''),
    oneOf(' ', '  ', '\t', ''),
    targets,
    oneOf(' ', '\t'),
    versions,
  )
  .map(parts => `${parts.join('')}\r\n${key}\r\n`)

const header = fc.oneof(
  fc
    .tuple(textOf(0x21, 0x7e), oneOf(':', ': ', ' : ', ''), fc.oneof(bytes, control))
    .map(parts => parts.join('')),
  oneOf(
    'X: a\r\n folded',
    'X: a\r\n\tfolded',
    'X: a\r\nb',
    'X: a\nY: b',
    'X: \x7f',
    'Host: a\r\nHost: b',
    'Host:',
    'Expect: x',
  ),
  oneOf(
    'Upgrade: websocket\r\nConnection: Upgrade',
    'Connection: close, keep-alive',
    'Upgrade: h2c\r\nHTTP2-Settings: AAA',
  ),
  oneOf(9_000, 17_000, 70_000).map(size => `X-Long: ${'v'.repeat(size)}`),
  oneOf(500, 3_000).map(count => `${'A: b\r\n'.repeat(count)}C: d`),
)
const headers = fc
  .tuple(
    oneOf('GET /v1/pets?limit=1', 'POST /v1/pets', 'GET /__admin/clock'),
    fc.array(header, { minLength: 1, maxLength: 3 }),
  )
  .map(([line, more]) => `${line} HTTP/1.1\r\n${key}${more.join('\r\n')}\r\n\r\n`)

const bodies = fc
  .oneof(
    anyBody.map(given => Buffer.from(given).toString('latin1')),
    oneOf('[', '{"a":').chain(open => oneOf(60, 70, 5_000, 200_000).map(depth => open.repeat(depth))),
    oneOf(400, 4_000, 100_000).map(digits => `{"name":"x","categoryId":${'9'.repeat(digits)}}`),
    oneOf(
      '{"name":"\\ud800","categoryId":1}',
      '{"name":"\xed\xa0\x80","categoryId":1}',
      '{"name":"\xff\xfe","categoryId":1}',
    ),
    oneOf(
      '{"__proto__":{"name":"x"},"categoryId":1}',
      '{"constructor":{"prototype":{"x":1}},"name":"x","categoryId":1e400}',
    ),
    fc.constant(`{"name":"${'x'.repeat(1_048_576)}","categoryId":1}`),
  )
  .map(sent => `POST /v1/pets HTTP/1.1\r\n${key}Content-Length: ${sent.length}\r\n\r\n${sent}`)

const change = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  cut: fc.nat(6),
  put: fc.oneof(
    bytes,
    oneOf(
      '\r\n',
      '\r\n\r\n',
      ':',
      ' ',
      '0',
      '\0',
      '\n',
      'Content-Length: 3\r\n',
      'Transfer-Encoding: chunked\r\n',
    ),
  ),
})
const changed = fc
  .tuple(
    fc.array(wellFormed, { minLength: 1, maxLength: 3 }),
    fc.array(change, { minLength: 1, maxLength: 3 }),
  )
  .map(([requests, changes]) => {
    const whole = requests.map(request => request.bytes).join('')
    return changes.reduce((text, { at, cut, put }) => {
      const place = Math.floor(at * text.length)
      return text.slice(0, place) + put + text.slice(place + cut)
    }, whole)
  })

const others = fc.oneof(
  bytes,
  oneOf(
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    '\r\n\r\n\r\n',
    '\0'.repeat(50),
    '',
  ),
  oneOf(
    'CONNECT localhost:443 HTTP/1.1\r\nHost: localhost\r\n\r\nGET / HTTP/1.1\r\n\r\n',
    'GET / HTTP/1.1\n\nGET /v1 HTTP/1.1\n\n',
  ),
)

export const mangled: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: changed },
  { weight: 3, arbitrary: smuggling },
  { weight: 3, arbitrary: headers },
  { weight: 2, arbitrary: lines },
  { weight: 1, arbitrary: bodies },
  { weight: 1, arbitrary: others },
)
