import { expect, test } from 'vitest'
import { describeDoors, type TestRequest } from '../support/doors.ts'
import { expectProblem, readLimits } from '../support/expectations.ts'

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
  'http://localhost.evil.com',
  'http://evil-localhost:3000',
  'http://127.0.0.1.evil.com',
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
      'access-control-allow-methods': 'GET, HEAD, POST, OPTIONS',
      'access-control-allow-headers': 'Authorization, Content-Type, Prefer',
      'access-control-max-age': '600',
      vary: 'Origin',
    })
  })

  test.each(foreign)('a foreign origin (%s) gets its answer without CORS headers', async origin => {
    const { send } = await open()
    for (const request of [from(origin), preflight(origin)]) {
      const reply = await send(request)
      expect(reply.status).toBe(request.method === 'OPTIONS' ? 204 : 200)
      expect(Object.keys(reply.headers).filter(name => name.startsWith('access-control'))).toEqual([])
    }
  })

  test('of a foreign origin the developer is told, once, and not for ever', async () => {
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

  test('a list of origins replaces the loopback ones', async () => {
    const { send } = await open({ cors: ['https://shop.example'] })
    expect((await send(from('https://shop.example'))).headers['access-control-allow-origin']).toBe(
      'https://shop.example',
    )
    expect((await send(from('http://localhost:3000'))).headers['access-control-allow-origin']).toBeUndefined()
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
