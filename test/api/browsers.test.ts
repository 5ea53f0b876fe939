import { expect, test } from 'vitest'
import type { AllowedOrigins } from '../../src/emulator/replies/cors.ts'
import { describeDoors, type TestRequest } from '../support/doors.ts'
import { expectProblem, readLimits } from '../support/expectations.ts'
import { allowAnywhere } from '../support/methods.ts'

const from = (origin: string, request: TestRequest = {}): TestRequest => ({
  ...request,
  headers: [['Origin', origin]],
})
const preflight = (origin: string): TestRequest => ({
  method: 'OPTIONS',
  key: null,
  headers: [
    ['Origin', origin],
    ['Access-Control-Request-Method', 'POST'],
    ['Access-Control-Request-Headers', 'authorization,content-type'],
  ],
})

const loopback = [
  'http://localhost',
  'http://localhost:3000',
  'https://app.localhost:5173',
  'http://127.0.0.1:8080',
  'http://[::1]:3000',
]
const foreign = [
  'https://example.com',
  'http://localhost.evil.example',
  'http://evil-localhost:3000',
  'http://127.0.0.1.evil.example',
  'null',
  'file://',
  'http://localhost:3000/',
  '',
]

describeDoors('what browsers make of a reply', open => {
  test.each<TestRequest>([
    {},
    { method: 'HEAD' },
    { target: '/v1/pets/1' },
    { method: 'POST', body: { name: 'Rex', categoryId: 1 } },
    { method: 'POST' },
    { key: null },
    { target: '/v1/nothing' },
    { target: '/' },
    preflight('http://localhost:3000'),
    { headers: [['Host', 'pets.example']] },
  ])('%j: none may guess at its type', async request => {
    const { send } = await open()
    expect((await send(request)).headers['x-content-type-options']).toBe('nosniff')
  })
})

describeDoors('CORS', open => {
  test.each(loopback)('a page of %s may read replies and their headers, refusals included', async origin => {
    const { send } = await open()
    for (const request of [
      {},
      { key: null },
      { target: '/v1/nothing' },
      { method: 'PUT' },
      { target: '/pets' },
    ]) {
      const { headers } = await send(from(origin, request))
      expect(headers['access-control-allow-origin']).toBe(origin)
      expect(headers.vary).toBe('Origin')
      const exposed = headers['access-control-expose-headers']?.split(', ')
      expect(exposed).toEqual(
        expect.arrayContaining([
          'X-RateLimit-Limit',
          'X-RateLimit-Remaining',
          'X-RateLimit-Reset',
          'Retry-After',
          'WWW-Authenticate',
          'Link',
          'Location',
          'Deprecation',
          'Sunset',
          'X-Pet-Mock',
        ]),
      )
      expect(headers['access-control-allow-credentials']).toBeUndefined()
    }
  })

  test.each(loopback)('a preflight from %s: what it may send', async origin => {
    const { send } = await open()
    const reply = await send(preflight(origin))
    expect(reply.status).toBe(204)
    expect(reply.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': allowAnywhere,
      'access-control-allow-headers': 'authorization, content-type',
      'access-control-max-age': '600',
      vary: 'Origin, Access-Control-Request-Headers',
    })
    expect(reply.headers['access-control-allow-credentials']).toBeUndefined()
  })

  const many = (count: number, name = 'x-header') => Array.from({ length: count }, (_, at) => `${name}-${at}`)
  test.each<[what: string, asked: string | undefined, allowed: string]>([
    ['none', undefined, 'Authorization, Content-Type, Prefer'],
    ['an empty list', '', 'Authorization, Content-Type, Prefer'],
    [
      'those of tracing and of libraries',
      'authorization,cache-control,traceparent,x-call-site,x-requested-with',
      'authorization, cache-control, traceparent, x-call-site, x-requested-with',
    ],
    ['any case and spaces', ' X-A ,x-B', 'X-A, x-B'],
    ['names that are none', 'x-a,b c,d(e),"f",x-g;h,é,x-i', 'x-a, x-i'],
    ['64 names', many(64).join(','), many(64).join(', ')],
    ['65 names', many(65).join(','), many(64).join(', ')],
    ['more than 4 KiB', many(40, 'x'.repeat(200)).join(','), many(20, 'x'.repeat(200)).join(', ')],
  ])('a preflight that asks for %s', async (_, asked, allowed) => {
    for (const cors of [undefined, '*'] as const) {
      const { send } = await open(cors && { cors })
      const reply = await send({
        method: 'OPTIONS',
        key: null,
        headers: [
          ['Origin', 'http://localhost:3000'],
          ['Access-Control-Request-Method', 'POST'],
          ...(asked === undefined ? [] : [['Access-Control-Request-Headers', asked] as const]),
        ],
      })
      expect(reply.headers).toMatchObject({
        'access-control-allow-headers': allowed,
        vary: 'Origin, Access-Control-Request-Headers',
      })
    }
  })

  test.each(foreign)('a foreign origin (%s) gets its answer without CORS headers', async origin => {
    const { send } = await open()
    for (const request of [from(origin), preflight(origin)]) {
      const reply = await send(request)
      expect(reply.status).toBe(request.method === 'OPTIONS' ? 204 : 200)
      expect(Object.keys(reply.headers).filter(name => name.startsWith('access-control'))).toEqual([])
    }
  })

  test('a foreign origin is reported once to the developer', async () => {
    const notices: string[] = []
    const { send } = await open({ onNotice: text => notices.push(text) })
    for (const origin of ['http://shop.example', 'null', 'http://shop.example', 'http://localhost:5173']) {
      await send(preflight(origin))
      await send(from(origin))
    }
    expect(notices).toEqual([
      "A page from the origin http://shop.example called, but its browser blocks the reply. Start pet-mock with --cors 'http://shop.example' to allow it.",
      "A page from the origin null called, but its browser blocks the reply. Start pet-mock with --cors '*' to allow it.",
    ])
    for (let shop = 1; shop <= 100; shop += 1) await send(preflight(`http://shop-${shop}.example`))
    expect(notices).toHaveLength(20)
  })

  test.each<[origin: string, suggestion: string | undefined]>([
    ["http://a'$(reboot)'.example", `'http://a'\\''$(reboot)'\\''.example'`],
    ['http://a;reboot', "'http://a;reboot'"],
    ['http://a,*', undefined],
    ['http://a b', undefined],
    ['javascript:alert(1)', undefined],
    [`http://${'a'.repeat(400)}`, undefined],
  ])('the suggestion for the origin %s is one word of a shell, or none', async (origin, suggestion) => {
    const notices: string[] = []
    const { send } = await open({ onNotice: text => notices.push(text) })
    await send(from(origin))
    const [, word] = /--cors (.*) to allow it\.$/.exec(notices[0] ?? '') ?? []
    expect(word).toBe(suggestion)
    expect(notices[0]?.length).toBeLessThan(1_000)
  })

  const allows = async (cors: AllowedOrigins, ...origins: string[]) => {
    const { send } = await open({ cors })
    const replies = await Promise.all(origins.map(origin => send(from(origin))))
    return replies.map(({ headers }) => headers['access-control-allow-origin'])
  }
  const [shop, local] = ['https://shop.example', 'http://localhost:3000']

  test('a list of origins adds to the loopback ones', async () => {
    const cors = { loopback: true, listed: [shop] }
    expect(await allows(cors, shop, local, 'https://other.example')).toEqual([shop, local, undefined])
  })

  test('without loopback, the listed origins alone, or none', async () => {
    expect(await allows({ loopback: false, listed: [shop] }, shop, local)).toEqual([shop, undefined])
    expect(await allows({ loopback: false, listed: [] }, shop, local)).toEqual([undefined, undefined])
  })

  test.each<[cors: AllowedOrigins, flag: string]>([
    [{ loopback: false, listed: [] }, "--cors 'none,https://pets.example'"],
    [{ loopback: false, listed: [shop] }, "--cors 'none,https://shop.example,https://pets.example'"],
    [{ loopback: true, listed: [shop] }, "--cors 'https://shop.example,https://pets.example'"],
  ])('with %j, the suggestion keeps what is allowed: %s', async (cors, flag) => {
    const notices: string[] = []
    const { send } = await open({ cors, onNotice: text => notices.push(text) })
    await send(preflight('https://pets.example'))
    expect(notices).toEqual([
      `A page from the origin https://pets.example called, but its browser blocks the reply. Start pet-mock with ${flag} to allow it.`,
    ])
  })

  test('the journal says why a preflight was refused, or cut', async () => {
    const { send, emulator } = await open()
    const mismatches: unknown[] = []
    emulator.observe(({ trace }) => mismatches.push(trace.mismatches))
    await send(preflight(shop))
    await send(preflight(local))
    const asked = many(65).join(',')
    const headers = [
      ['Origin', local],
      ['Access-Control-Request-Method', 'GET'],
      ['Access-Control-Request-Headers', asked],
    ] as const
    await send({ method: 'OPTIONS', key: null, headers })
    expect(mismatches).toEqual([
      [{ what: 'Origin', asked: shop, expected: "an allowed origin (--cors 'https://shop.example')" }],
      undefined,
      [
        {
          what: 'Access-Control-Request-Headers',
          asked: `65 names of ${asked.length} characters`,
          expected: 'at most 64 names of 4096 characters in all',
        },
      ],
    ])
  })

  test('*: every origin', async () => {
    const { send } = await open({ cors: '*' })
    const { headers } = await send(from('https://example.com'))
    expect([headers['access-control-allow-origin'], headers.vary]).toEqual(['*', undefined])
    expect(
      (await send(preflight('https://example.com'))).headers['access-control-allow-methods'],
    ).toBeDefined()
  })
})

const host = (...values: string[]): TestRequest => ({
  headers: values.map(value => ['Host', value] as const),
})

describeDoors('Host', open => {
  test.each([
    'localhost',
    'localhost:7387',
    'LOCALHOST',
    'app.localhost',
    'localhost.',
    '127.0.0.1',
    '192.168.1.7:80',
    '[::1]:7387',
    '[fe80::1]',
  ])('%s is this machine’s', async name => {
    const { send } = await open()
    expect((await send(host(name))).status).toBe(200)
  })

  test.each([
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'evil.example:7387',
    'notlocalhost',
    '1.2.3',
  ])('%s: 403 host_not_allowed that says what to do, without CORS headers', async name => {
    const { send } = await open()
    const request = host(name)
    const reply = await send({
      ...request,
      headers: [...(request.headers ?? []), ['Origin', 'http://localhost']],
    })
    expect(expectProblem(reply, 403, 'host_not_allowed')).toContain('--allowed-hosts')
    expect(reply.headers['access-control-allow-origin']).toBeUndefined()
    expect(readLimits(reply)).toMatchObject({ limit: 60, remaining: 60 })
    expect((await send()).headers['x-ratelimit-remaining']).toBe('59')
  })

  test.each([
    ['two of them', ['localhost', 'localhost']],
    ['a malformed one', ['a b']],
    ['one with a path', ['localhost/x']],
    ['one with a user', ['x@localhost']],
    ['one that would end a link', ['x>;rel="next",<localhost']],
    ['one in quotes', ['"localhost"']],
  ])('%s: 400 bad_request', async (_, values) => {
    const { send } = await open()
    expectProblem(await send(host(...values)), 400, 'bad_request')
  })

  test('the authority of an absolute-form target takes its place', async () => {
    const { send } = await open()
    expectProblem(await send({ target: 'http://evil.example/v1/pets' }), 403, 'host_not_allowed')
  })

  test('but not that of two Host lines (RFC 9112, section 3.2)', async () => {
    const { send } = await open()
    const request = { ...host('localhost', 'localhost'), target: 'http://localhost/v1/pets' }
    expectProblem(await send(request), 400, 'bad_request')
  })

  test('configured names, in any case', async () => {
    const { send } = await open({ allowedHosts: ['Pets.Test'] })
    expect((await send(host('pets.test:7387'))).status).toBe(200)
    expectProblem(await send(host('other.test')), 403, 'host_not_allowed')
  })

  test('*: every name, but nothing malformed', async () => {
    const { send } = await open({ allowedHosts: '*' })
    expect((await send(host('evil.example'))).status).toBe(200)
    expect((await send(host("a-b.c_d~!$&'()*+,;=%20"))).status).toBe(200)
    for (const name of ['a b', '<evil>', 'é.example', 'a"b', 'a|b'])
      expectProblem(await send(host(name)), 400, 'bad_request')
  })
})
