import { describe, expect } from 'vitest'
import { equalsSecret } from '../../../src/doors/admin/guard.ts'
import { adminOf } from '../../support/admin.ts'
import { type ServerOptions, type TestServer, serverTest as test } from '../../support/raw-http.ts'

type Header = readonly [string, string]

/** Everything that a call could change. */
function stateOf({ emulator }: TestServer): unknown {
  const { clock, pets, keys } = emulator.sandboxes.default
  return { clock, pets: pets.revision, keys: [...keys.keys()], names: emulator.sandboxes.names() }
}

const changes: readonly (readonly [call: string, body?: object])[] = [
  ['POST /clock/advance', { by: '60s' }],
  ['POST /reset'],
  ['DELETE /keys/demo-free'],
  ['PUT /scenario', { scenario: 'ban' }],
]

test.for<[what: string, headers: readonly Header[], status: number, code: string]>([
  ['a name that leads here (DNS rebinding)', [['Host', 'evil.example']], 403, 'host_not_allowed'],
  ['a name that begins as ours', [['Host', 'localhost.evil.example:7387']], 403, 'host_not_allowed'],
  ['an empty Host', [['Host', '']], 400, 'bad_request'],
  ['a page of another origin', [['Origin', 'https://evil.example']], 403, 'origin_not_allowed'],
  [
    'a page of this machine on another port',
    [['Origin', 'http://127.0.0.1:5173']],
    403,
    'origin_not_allowed',
  ],
  ['a page of localhost, where the API lets it', [['Origin', 'http://localhost']], 403, 'origin_not_allowed'],
  ['a page without an origin: a file, a sandboxed frame', [['Origin', 'null']], 403, 'origin_not_allowed'],
  ['an empty Origin', [['Origin', '']], 403, 'origin_not_allowed'],
  [
    'two origins',
    [
      ['Origin', 'http://127.0.0.1'],
      ['Origin', 'http://127.0.0.1'],
    ],
    403,
    'origin_not_allowed',
  ],
  ['a fetch without CORS from another site', [['Sec-Fetch-Site', 'cross-site']], 403, 'origin_not_allowed'],
  ['a word that no browser says', [['Sec-Fetch-Site', 'elsewhere']], 403, 'origin_not_allowed'],
])('refused, and nothing changed: %s', async ([, headers, status, code], { open }) => {
  const server = await open()
  const admin = adminOf(server.host)
  const before = stateOf(server)
  for (const [call, body] of [...changes, ['GET /keys'] as const]) {
    const { status: got, json } = await admin(call, body, headers)
    expect([call, got, json?.code]).toEqual([call, status, code])
  }
  expect(stateOf(server)).toEqual(before)
})

test.for<[what: string, headers: (host: string) => readonly Header[]]>([
  ['a program', () => []],
  ['a page of its own', host => [['Origin', `http://${host}`]]],
  ['a page of its own, as the browser says', () => [['Sec-Fetch-Site', 'same-origin']]],
  ['an address that was typed', () => [['Sec-Fetch-Site', 'none']]],
  ['another name of this machine', host => [['Host', `localhost:${host.split(':')[1]}`]]],
])('let in: %s', async ([, headers], { open }) => {
  const { host } = await open()
  expect((await adminOf(host)('POST /reset', undefined, headers(host))).status).toBe(200)
})

test.for<[what: string, type: readonly Header[], body: string, code: string]>([
  ['a form', [['Content-Type', 'application/x-www-form-urlencoded']], 'by=60s', 'unsupported_media_type'],
  [
    'a form of files',
    [['Content-Type', 'multipart/form-data; boundary=x']],
    '--x--',
    'unsupported_media_type',
  ],
  ['a text', [['Content-Type', 'text/plain']], '{"by":"60s"}', 'unsupported_media_type'],
  ['an unlabelled body', [], '{"by":"60s"}', 'unsupported_media_type'],
  ['broken JSON', [['Content-Type', 'application/json']], '{"by":', 'invalid_json'],
])('a change by %s: 400, and nothing changed', async ([, headers, body, code], { open }) => {
  const server = await open()
  const before = stateOf(server)
  const refused = await adminOf(server.host)('POST /clock/advance', body, headers)
  expect([refused.status, refused.json?.code]).toEqual([400, code])
  expect(stateOf(server)).toEqual(before)
})

test('no reply lets a page of another origin read it', async ({ open }) => {
  const { host } = await open({ cors: '*' })
  const preflight = [
    ['Origin', 'http://localhost:5173'],
    ['Access-Control-Request-Method', 'POST'],
  ] as const
  for (const [call, headers] of [
    ['GET /clock', []],
    ['OPTIONS /reset', []],
    ['OPTIONS /reset', preflight],
  ] as const) {
    const names = Object.keys((await adminOf(host)(call, undefined, headers)).headers)
    expect(names.filter(name => name.startsWith('access-control'))).toEqual([])
    expect(names).toEqual(expect.arrayContaining(['x-content-type-options', 'cross-origin-resource-policy']))
  }
})

describe('a token', () => {
  const bearer = (token: string) => [['Authorization', `Bearer ${token}`]] as const
  const closed: ServerOptions = { listen: '0.0.0.0' }
  const guarded: ServerOptions = { token: 'open-sesame' }

  test.for<[what: string, options: ServerOptions, headers: readonly Header[], status: number]>([
    ['none is asked for on this machine', {}, [], 200],
    ['a token that nobody asks for', {}, bearer('any'), 200],
    ['the right one', guarded, bearer('open-sesame'), 200],
    ['the right one, from beyond', { ...guarded, ...closed }, bearer('open-sesame'), 200],
    ['none', guarded, [], 401],
    ['none, from beyond', { ...guarded, ...closed }, [], 401],
    ['another one', guarded, bearer('open-sesamf'), 401],
    ['the beginning of it', guarded, bearer('open-sesam'), 401],
    ['more than it', guarded, bearer('open-sesame1'), 401],
    ['in another case', guarded, bearer('Open-Sesame'), 401],
    ['by another scheme', guarded, [['Authorization', 'Basic open-sesame']], 401],
    ['an API key', guarded, bearer('demo-free'), 401],
    ['there is none, and other machines can call', closed, bearer('any'), 403],
    ['there is none, and nothing is shown', closed, [], 403],
  ])('%s', async ([, options, headers, status], { open }) => {
    const server = await open(options)
    const before = stateOf(server)
    const reply = await adminOf(server.host)('POST /clock/advance', { by: '60s' }, headers)
    expect(reply.status).toBe(status)
    if (status === 200) return
    expect(stateOf(server)).toEqual(before)
    expect(reply.json?.code).toBe(status === 401 ? 'invalid_admin_token' : 'admin_plane_closed')
    // No credential opens a closed plane.
    if (status === 401) expect(reply.headers['www-authenticate']).toMatch(/^Bearer realm="pet-mock admin"/)
    expect(reply.text).not.toContain('open-sesame')
  })

  test('says what opens a closed plane', async ({ open }) => {
    const { host } = await open(closed)
    expect((await adminOf(host)('GET /clock')).json?.message).toBe(
      'The admin plane is closed, because other machines can reach this server. Start pet-mock with --admin-token, or listen on 127.0.0.1.',
    )
  })

  test.for<
    [what: string, options: ServerOptions, headers: readonly Header[], status: number, fields: string[]]
  >([
    [
      'all of it on this machine',
      {},
      [],
      200,
      ['status', 'name', 'start', 'version', 'scenario', 'snapshotLimit'],
    ],
    ['a part of it from beyond', closed, [], 200, ['status', 'name', 'start']],
    ['a part of it without the token', guarded, [], 200, ['status', 'name', 'start']],
    [
      'all of it with the token',
      guarded,
      bearer('open-sesame'),
      200,
      ['status', 'name', 'start', 'version', 'scenario', 'snapshotLimit'],
    ],
    ['nothing with another one', guarded, bearer('open-sesamf'), 401, ['code', 'message', 'status']],
    ['nothing to another name', closed, [['Host', 'evil.example']], 403, ['code', 'message', 'status']],
    [
      'nothing to a page of another site',
      closed,
      [['Origin', 'https://evil.example']],
      403,
      ['code', 'message', 'status'],
    ],
  ])('shows health: %s', async ([, options, headers, status, fields], { open }) => {
    const { host } = await open(options)
    const reply = await adminOf(host)('GET /health', undefined, headers)
    expect([reply.status, Object.keys(reply.json ?? {})]).toEqual([status, fields])
    if (options !== guarded || headers.length > 0) return
    expect((await fetch(`http://${host}/__admin/health`, { method: 'HEAD' })).status).toBe(200)
    expect((await adminOf(host)('POST /health', {})).status).toBe(401)
  })

  test.for([
    ['', 'a', false],
    ['a', 'a', true],
    ['aa', 'a', false],
    ['a', 'aa', false],
    ['ab', 'ba', false],
    ['\u0161', 'a', false],
  ] as const)('%j is %j: %j', ([text, secret, same]) => expect(equalsSecret(text, secret)).toBe(same))
})
