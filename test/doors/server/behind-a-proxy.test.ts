import { expect } from 'vitest'
import { requestText, rex, serverTest as test } from '../../support/raw-http.ts'

const page = (...lines: string[]) => requestText('GET /v1/pets?limit=1', { lines })
const create = (...lines: string[]) => requestText('POST /v1/pets', { lines, body: rex })
const url = (link = '') => /^<(.*)\/pets\?/.exec(link)?.[1]

const forwarded = [
  'X-Forwarded-Proto: https',
  'X-Forwarded-Host: app.localhost',
  'X-Forwarded-Prefix: /api',
  'X-Forwarded-For: 192.0.2.1',
]

test('without settings, links name the Host, whatever else a call says', async ({ open }) => {
  const { ask } = await open()
  expect(url((await ask(page(...forwarded))).headers.link)).toBe('http://localhost/v1')
  expect((await ask(create(...forwarded))).headers.location).toBe('/v1/pets/101')
})

test.for(['https://pets.test/v1', 'http://localhost:5173/api'])(
  'baseUrl %s: Link and Location begin with it',
  async (baseUrl, { open }) => {
    const { ask } = await open({ baseUrl, trustProxy: true })
    expect(url((await ask(page(...forwarded))).headers.link)).toBe(baseUrl)
    expect((await ask(create(...forwarded))).headers.location).toBe(`${baseUrl}/pets/101`)
    expect((await ask(requestText('GET /v1/pets/1'))).headers.link).toContain(
      `<${baseUrl}/pets>; rel="successor-version"`,
    )
    expect((await ask(requestText('GET /pets'))).text).toContain(`at ${baseUrl} (pet-mock)`)
  },
)

test('trustProxy: links name what the proxy says', async ({ open }) => {
  const { ask } = await open({ trustProxy: true })
  expect(url((await ask(page(...forwarded))).headers.link)).toBe('https://app.localhost/api/v1')
  expect((await ask(create(...forwarded))).headers.location).toBe('https://app.localhost/api/v1/pets/101')
  expect(url((await ask(page('Forwarded: proto=https;host="127.0.0.1:8443"'))).headers.link)).toBe(
    'https://127.0.0.1:8443/v1',
  )
  expect(url((await ask(page())).headers.link)).toBe('http://localhost/v1')
  expect((await ask(create())).headers.location).toBe('/v1/pets/102')
})

test('trustProxy: both hosts must be allowed', async ({ open }) => {
  const { ask } = await open({ trustProxy: true, allowedHosts: ['pets.test'] })
  const status = async (...lines: string[]) => (await ask(page(...lines))).status
  expect(await status('X-Forwarded-Host: pets.test')).toBe(200)
  expect(await status('X-Forwarded-Host: evil.test')).toBe(403)
  expect(await status('Forwarded: host=evil.test')).toBe(403)
  expect(await status('Host: evil.test', 'X-Forwarded-Host: pets.test')).toBe(403)
  expect(await status('X-Forwarded-Host: a b')).toBe(400)
  const refused = await ask(page('X-Forwarded-Host: evil.test'))
  expect(refused.text).toContain('--allowed-hosts evil.test')
})

test('trustProxy: calls without a key count for the address of the client', async ({ open }) => {
  const { ask, emulator } = await open({ trustProxy: true })
  const clients: string[] = []
  emulator.observe(({ call }) => clients.push(call.client))
  const left = async (client: string) => {
    const lines = [`X-Forwarded-For: ${client}`]
    const reply = await ask(requestText('GET /v1/pets', { key: null, lines }))
    return reply.headers['x-ratelimit-remaining']
  }
  expect([await left('192.0.2.1'), await left('192.0.2.1'), await left('192.0.2.2')]).toEqual([
    '59',
    '58',
    '59',
  ])
  expect(clients).toEqual(['192.0.2.1', '192.0.2.1', '192.0.2.2'])
})

test('a page of the address that clients use is no foreign page', async ({ open }) => {
  const notices: string[] = []
  const { ask } = await open({
    baseUrl: 'https://pets.test/v1',
    trustProxy: true,
    allowedHosts: ['pets.test'],
    onNotice: text => notices.push(text),
  })
  await ask(page('Origin: https://pets.test'))
  await ask(page('Origin: https://localhost.test', 'Host: 127.0.0.1'))
  expect(notices).toHaveLength(1)
  await ask(page('Origin: https://10.0.0.1', 'X-Forwarded-Host: 10.0.0.1'))
  await ask(page('Origin: http://10.0.0.2:1', 'Host: 10.0.0.2:1'))
  expect(notices).toHaveLength(1)
})

const clock = (...lines: string[]) => requestText('GET /__admin/clock', { key: null, lines })

test('the admin plane behind a proxy is open to this machine alone, without a token', async ({ open }) => {
  const { ask } = await open({ trustProxy: true })
  const status = async (...lines: string[]) => (await ask(clock(...lines))).status
  expect(await status()).toBe(200)
  expect(await status('X-Forwarded-For: 127.0.0.1')).toBe(200)
  expect(await status('X-Forwarded-For: 192.0.2.1')).toBe(403)
  expect(await status('X-Forwarded-Host: evil.test')).toBe(403)
  const own = ['X-Forwarded-Host: app.localhost', 'X-Forwarded-For: ::ffff:127.0.0.1']
  expect(await status('Origin: https://app.localhost', ...own)).toBe(200)
  expect(await status('Origin: https://app.localhost')).toBe(403)
})

// Proxies add the address of their client to what it sent, in the same header or in another.
test.for([
  ['X-Forwarded-For: 127.0.0.1, 192.0.2.1'],
  ['X-Forwarded-For: 127.0.0.1', 'X-Forwarded-For: 192.0.2.1'],
  ['Forwarded: for=127.0.0.1', 'X-Forwarded-For: 192.0.2.1'],
  ['Forwarded: for=127.0.0.1, for=192.0.2.1'],
  ['Forwarded: for=127.0.0.1', 'Forwarded: for="[2001:db8::1]:80"'],
  ['Forwarded: for=127.0.0.1, nonsense, for=192.0.2.1'],
  ['Forwarded: for=127.0.0.1;for=192.0.2.1'],
  ['Forwarded: for=127.0.0.1, for=unknown'],
  ['Forwarded: for=_hidden'],
  ['Forwarded: proto=https'],
  ['X-Forwarded-For: localhost'],
  ['X-Forwarded-Proto: https'],
])('no client of another machine passes for one of this machine: %j', async (lines, { open }) => {
  const { ask } = await open({ trustProxy: true })
  expect((await ask(clock(...lines))).status).toBe(403)
})

test.for([
  ['X-Forwarded-Host: localhost, evil.test'],
  ['X-Forwarded-Host: localhost', 'X-Forwarded-Host: evil.test'],
  ['Forwarded: host=localhost', 'X-Forwarded-Host: evil.test'],
  ['Forwarded: host=localhost, host=evil.test'],
])('every host that proxies name must be allowed: %j', async (lines, { open }) => {
  const { ask } = await open({ trustProxy: true })
  expect((await ask(page(...lines))).status).toBe(403)
  expect((await ask(clock(...lines, 'X-Forwarded-For: 127.0.0.1'))).status).toBe(403)
})
