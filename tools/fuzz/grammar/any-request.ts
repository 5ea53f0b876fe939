import fc from 'fast-check'

/** Parts of requests: mostly good ones, so that calls come through to what is behind the gates, and any others. */

const ascii = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => String.fromCharCode(from + index))
export const oneOf = <T>(...values: readonly T[]) => fc.constantFrom(...values)
export const words = (text: string) => oneOf(...text.split(' '))
/** A text of latin1 characters, as bytes on the wire are. */
export const textOf = (first: number, last: number) =>
  fc.string({ unit: oneOf(...ascii(first, last)), maxLength: 40 })
const visible = textOf(0x21, 0x7e)

function mostly<T>(good: fc.Arbitrary<T>, bad: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ weight: 6, arbitrary: good }, { weight: 1, arbitrary: bad })
}

export const anyMethod = mostly(
  words('GET GET GET POST POST POST HEAD OPTIONS PUT PATCH DELETE QUERY PROPFIND TRACE M-SEARCH'),
  textOf(0x41, 0x5a),
)

const segment = fc.oneof(
  words(
    'v1 pets store orders 1 999 -1 9223372036854775808 . .. %2F %2e%2e %31 % %zz %00 %ff __proto__ __admin',
  ),
  visible,
)
const path = mostly(
  words('/v1/pets /v1/pets /v1/pets /v1/pets/1 /v1/pets/999 /v1/store/orders'),
  fc.array(segment, { maxLength: 4 }).map(segments => `/${segments.join('/')}`),
)
const pair = fc.oneof(
  words('limit=1 limit=100 limit=0 limit limit=%zz status=sold status= status=Sold cursor= cursor=eA &= =&'),
  visible.map(value => `limit=${value}`),
  visible.map(value => `cursor=${value}`),
  visible,
)
const query = mostly(
  oneOf(''),
  fc.array(pair, { maxLength: 3 }).map(pairs => `?${pairs.join('&')}`),
)
const origin = mostly(
  oneOf(''),
  words('http://localhost HTTPS://[::1]:1 http:// x://a@b http://"<>.localhost'),
)
export const anyTarget = mostly(
  fc.tuple(origin, path, query).map(parts => parts.join('')),
  fc.oneof(visible, words('* / localhost:80')),
)

const anyValue = fc.oneof(textOf(0x20, 0x7e), textOf(0xa1, 0xff), oneOf('', ' ', ',', '"', '\t'))
const header = (name: string, good: fc.Arbitrary<string>, ...bad: readonly string[]) =>
  fc.tuple(oneOf(name, name, name.toUpperCase()), mostly(good, fc.oneof(oneOf(...bad), anyValue)))
/** Names that pet-mock does not read, or reads only behind a proxy. */
const strangers = fc.tuple(
  fc.oneof(
    words(
      'Accept-Language Cookie Idempotency-Key If-Modified-Since If-None-Match Range Traceparent User-Agent X-Forwarded-For X-HTTP-Method-Override',
    ),
    fc.stringMatching(/^X-[A-Za-z0-9!#$%&'*+.^_`|~-]{1,30}$/),
  ),
  anyValue,
)
const others = fc.array(
  fc.oneof(
    strangers,
    header('Host', words('localhost [::1]:1'), 'evil.example', 'a"<>.localhost', '..localhost'),
    header('Authorization', oneOf('Bearer demo-business'), 'Bearer demo-free'),
    header('Content-Type', oneOf('text/plain'), 'multipart/form-data; boundary=x'),
    header('Content-Encoding', words('gzip identity'), 'gzip, br'),
    header('Origin', oneOf('http://localhost:3000'), 'null', 'http://evil.example', 'http://\xe9.localhost'),
    header('Access-Control-Request-Method', oneOf('POST'), ''),
    header('Accept', words('*/* text/html'), ''),
    header('Prefer', words('code=503 delay=0'), 'code=;'),
  ),
  { maxLength: 3 },
)

/** Names and values, those of Host, Authorization and Content-Type mostly among them, repeated ones sometimes. */
export const anyHeaders = fc
  .tuple(
    header(
      'Host',
      words('localhost localhost 127.0.0.1:7387 [::1]'),
      'evil.example',
      'a"<>.localhost',
      'a/b',
    ),
    header(
      'Authorization',
      oneOf('Bearer demo-pro', 'bearer demo-pro+x'),
      'Bearer demo-pro+',
      'Bearer demo-free',
      'Basic eDp5',
      'Bearer',
    ),
    header(
      'Content-Type',
      oneOf('application/json', 'application/json; charset=utf-8'),
      'text/plain',
      'application/json;charset="',
    ),
    mostly(oneOf([]), others),
  )
  .map(([host, authorization, type, more]) => [host, authorization, type, ...more])

const fields = fc.record(
  {
    name: mostly(oneOf('"Rex"', '""', '"\\ud800"', '"\\u0000"'), fc.json()),
    categoryId: mostly(
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(id => `${id}`),
      fc.oneof(fc.json(), oneOf('1.0', '1.5', '1e999', '9223372036854775808')),
    ),
    status: mostly(oneOf('"sold"', '"available"'), fc.json()),
    __proto__x: fc.json(),
  },
  { requiredKeys: ['name', 'categoryId'] },
)
const json = fc.oneof(
  {
    weight: 3,
    arbitrary: fields.map(named => {
      const pairs = Object.entries(named).map(([name, value]) => `"${name.replace('x', '')}":${value}`)
      return `{${pairs.join(',')}}`
    }),
  },
  { weight: 1, arbitrary: fc.json() },
  {
    weight: 1,
    arbitrary: oneOf(
      '{"name":"Rex","categoryId":1}',
      '[['.repeat(99),
      '\ufeff{}',
      '{"__proto__":{}}',
      '1e999',
      '-0',
      '',
    ),
  },
)
export const anyBody = mostly(
  json.map(text => new Uint8Array(Buffer.from(text))),
  fc.uint8Array({ maxLength: 200 }),
)
