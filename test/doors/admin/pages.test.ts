import { expect } from 'vitest'
import { sendOverHttp, type TestReply } from '../../support/doors.ts'
import { type ServerOptions, type TestServer, serverTest as test } from '../../support/raw-http.ts'
import { toyPages } from '../../support/toy-pages.ts'

const pages: ServerOptions = { pages: toyPages }
const person = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const shellPolicy =
  "default-src 'self'; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'; frame-ancestors"

/** Not `fetch`: Node's sends `Sec-Fetch-Mode: cors`, as scripts of pages do. */
function send(
  { host }: TestServer,
  target: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
): Promise<TestReply> {
  return sendOverHttp(host, { method, target, headers: Object.entries(headers), body: undefined })
}

const headersOf = ({ headers }: TestReply, ...names: readonly string[]) => names.map(name => headers[name])

test.for(['/__admin/', '/__admin/?reset=true&key=demo-free'])(
  'a person who opens %s gets the shell, and changes nothing',
  async (path, { open }) => {
    const server = await open(pages)
    const revision = server.emulator.revision()
    const response = await send(server, path, person)
    expect(response.status).toBe(200)
    expect(response.text).toContain('./assets/app-1.js')
    expect(headersOf(response, 'content-type', 'cache-control', 'etag', 'vary')).toEqual([
      'text/html; charset=utf-8',
      'no-cache',
      '"index.html"',
      'Accept, Accept-Encoding',
    ])
    expect(
      headersOf(
        response,
        'content-security-policy',
        'x-content-type-options',
        'referrer-policy',
        'cross-origin-resource-policy',
        'cross-origin-opener-policy',
        'access-control-allow-origin',
      ),
    ).toEqual([`${shellPolicy} 'none'`, 'nosniff', 'no-referrer', 'same-origin', 'same-origin', undefined])
    expect(server.emulator.revision()).toBe(revision)
  },
)

test('a program at the same address is led to the reference', async ({ open }) => {
  const server = await open(pages)
  for (const headers of [{}, { Accept: '*/*' }, { Accept: 'application/json' }]) {
    const response = await send(server, '/__admin/', headers)
    expect([response.status, response.headers.location]).toEqual([302, '/__admin/openapi.json'])
  }
})

test('the address of the reference leads a person to the dashboard, and a program to its file', async ({
  open,
}) => {
  const server = await open(pages)
  for (const [headers, place] of [
    [person, './#/docs/admin'],
    [{}, './openapi.json'],
    [{ Accept: '*/*' }, './openapi.json'],
  ] as const) {
    const response = await send(server, '/__admin/docs', headers)
    expect([response.status, response.headers.location]).toEqual([302, place])
  }
  const bare = await send(await open({ pages: async () => undefined }), '/__admin/docs', person)
  expect(bare.headers.location).toBe('./openapi.json')
})

test('the address without its slash leads to the one with it, below any prefix', async ({ open }) => {
  const response = await send(await open(pages), '/__admin', person)
  expect([response.status, response.headers.location]).toEqual([302, './__admin/'])
})

test('the root leads a person to the dashboard, and nobody else', async ({ open }) => {
  const server = await open(pages)
  const led = await send(server, '/', person)
  expect([led.status, led.headers.location]).toEqual([302, './__admin/'])
  expect((await send(server, '/', person, 'HEAD')).status).toBe(302)
  for (const [headers, method] of [
    [{}, 'GET'],
    [{ Accept: '*/*' }, 'GET'],
    [{ Accept: 'application/json' }, 'GET'],
    [{ ...person, 'Sec-Fetch-Mode': 'cors' }, 'GET'],
    [person, 'POST'],
  ] as const) {
    const response = await send(server, '/', headers, method)
    expect([headers, response.status, JSON.parse(response.text).code]).toEqual([
      headers,
      404,
      'route_not_found',
    ])
  }
  expect((await send(server, '/pets', person)).status).toBe(404)
})

test('a person who is led to the dashboard made no call of the API', async ({ open }) => {
  const server = await open(pages)
  const seen: string[] = []
  server.emulator.observe(({ call }) => void seen.push(call.target))
  const before = server.emulator.revision()
  await send(server, '/', person)
  expect(server.emulator.revision()).toBe(before)
  await send(server, '/', {})
  await send(server, '/v1/pets', person)
  expect(seen).toEqual(['/', '/v1/pets'])
  const { journal } = server.emulator.sandboxes.default
  expect([...journal].map(({ id, call }) => [id, call.target])).toEqual([
    [1, '/'],
    [2, '/v1/pets'],
  ])
  expect(server.emulator.metrics.calls.total).toBe(2)
})

test('a file of the shell is kept for good, compressed, and asked for once', async ({ open }) => {
  const server = await open(pages)
  const path = '/__admin/assets/app-1.js'
  const [plain, packed] = await Promise.all([
    send(server, path, { 'Accept-Encoding': 'br, gzip;q=0' }),
    send(server, path, { 'Accept-Encoding': 'br;q=0.5, gzip' }),
  ])
  for (const response of [plain, packed])
    expect(headersOf(response, 'content-type', 'cache-control', 'vary', 'referrer-policy')).toEqual([
      'text/javascript; charset=utf-8',
      'public, max-age=31536000, immutable',
      'Accept-Encoding',
      'no-referrer',
    ])
  expect(headersOf(plain, 'content-encoding', 'etag')).toEqual([undefined, '"assets-app-1.js"'])
  expect(headersOf(packed, 'content-encoding', 'etag')).toEqual(['gzip', '"assets-app-1.js-gzip"'])
  const { text } = plain
  expect([Number(packed.headers['content-length']) > 0, plain.headers['content-length']]).toEqual([
    true,
    `${text.length}`,
  ])
  const head = await send(server, path, { 'Accept-Encoding': 'identity' }, 'HEAD')
  expect([head.status, head.headers['content-length'], head.text]).toEqual([200, `${text.length}`, ''])
  for (const tag of ['"assets-app-1.js"', 'W/"assets-app-1.js"', '"other", "assets-app-1.js"', '*']) {
    const again = await send(server, path, { 'If-None-Match': tag, 'Accept-Encoding': 'identity' })
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', '"assets-app-1.js"'])
  }
  expect((await send(server, path, { 'If-None-Match': '"other"' })).status).toBe(200)
})

test.for([
  ['GET', '/__admin/assets/none.js', 404, 'not_found'],
  ['GET', '/__admin/assets/..%2findex.html', 404, 'not_found'],
  ['GET', '/__admin/assets/.env', 404, 'not_found'],
  ['GET', '/__admin/assets/', 404, 'not_found'],
  ['GET', '/__admin/index.html', 404, 'not_found'],
  ['POST', '/__admin/assets/app-1.js', 405, 'method_not_allowed'],
  ['DELETE', '/__admin/panel', 405, 'method_not_allowed'],
] as const)('%s %s: %i %s', async ([method, path, status, code], { open }) => {
  const response = await send(await open(pages), path, person, method)
  expect([response.status, JSON.parse(response.text).code]).toEqual([status, code])
})

test('a server without the files keeps its reference', async ({ open }) => {
  const server = await open({ pages: async () => undefined })
  const response = await send(server, '/__admin/', person)
  expect([response.status, response.headers.location]).toEqual([302, '/__admin/openapi.json'])
  expect((await send(server, '/__admin/panel', person)).status).toBe(404)
})

test.for(['/__admin', '/__admin/', '/__admin/docs'])('%s can only be read', async (path, { open }) => {
  for (const options of [pages, {}]) {
    const server = await open(options)
    for (const method of ['POST', 'DELETE', 'OPTIONS']) {
      const response = await send(server, path, person, method)
      expect([response.status, response.headers.allow]).toEqual([
        method === 'OPTIONS' ? 204 : 405,
        'GET, HEAD, OPTIONS',
      ])
    }
  }
})

test('the plane has the contract, and reading it there is no call of the API', async ({ open }) => {
  const server = await open(pages)
  const there = await send(server, '/__admin/contract.json')
  expect([there.status, there.headers['content-type']]).toEqual([200, 'application/json'])
  expect(server.emulator.sandboxes.default.journal.size).toBe(0)
  expect(there.text).toBe((await send(server, '/openapi.json')).text)
})
