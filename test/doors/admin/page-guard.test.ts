import { expect } from 'vitest'
import { adminOf } from '../../support/admin.ts'
import { type ServerOptions, serverTest as test } from '../../support/raw-http.ts'
import { toyPages } from '../../support/toy-pages.ts'

type Header = readonly [string, string]

const pages: ServerOptions = { pages: toyPages }
const html = ['Accept', 'text/html'] as const
const crossSite = (dest: string, mode = 'navigate'): readonly Header[] => [
  html,
  ['Sec-Fetch-Site', 'cross-site'],
  ['Sec-Fetch-Mode', mode],
  ['Sec-Fetch-Dest', dest],
]
const foreign: Header = ['Origin', 'https://evil.example']

test.for<[what: string, path: string, headers: readonly Header[], status: number]>([
  ['a link to the shell', '/', crossSite('document'), 200],
  ['a link to the panel', '/panel', crossSite('document'), 200],
  ['a frame of the panel', '/panel', crossSite('iframe'), 200],
  ['a script of the panel', '/panel.js', [...crossSite('script', 'cors'), foreign], 200],
  ['a script of the panel without CORS', '/panel.js', crossSite('script', 'no-cors'), 200],
  ['a frame of the shell', '/', crossSite('iframe'), 403],
  ['an embedded shell', '/', crossSite('embed'), 403],
  ['an object of the panel', '/panel', crossSite('object'), 403],
  ['a fetch of the shell', '/', [html, foreign], 403],
  ['a fetch of the panel', '/panel', [...crossSite('empty', 'cors'), foreign], 403],
  ['a script of the shell', '/assets/app-1.js', crossSite('script', 'no-cors'), 403],
  ['a link to a script of the shell', '/assets/app-1.js', crossSite('document'), 403],
  ['a link to the keys', '/keys', crossSite('document'), 403],
  ['a frame of the keys', '/keys', crossSite('iframe'), 403],
  ['a link to the events', '/events', crossSite('document'), 403],
  ['a name that leads here', '/', [...crossSite('document'), ['Host', 'evil.example']], 403],
  ['a name that leads here, for the script', '/panel.js', [['Host', 'evil.example']], 403],
])('from another site: %s', async ([, path, headers, status], { open }) => {
  const { host } = await open(pages)
  const reply = await adminOf(host)(`GET ${path}`, undefined, headers)
  expect(reply.status).toBe(status)
  if (status === 403) expect(reply.json?.code).toMatch(/^(?:origin|host)_not_allowed$/)
  const readable = Object.keys(reply.headers).filter(name => name.startsWith('access-control'))
  expect(readable).toEqual(path === '/panel.js' && status === 200 ? ['access-control-allow-origin'] : [])
})

test('a form of another site changes nothing', async ({ open }) => {
  const { host, emulator } = await open(pages)
  const before = emulator.revision()
  for (const path of ['/', '/panel', '/reset'])
    expect((await adminOf(host)(`POST ${path}`, undefined, crossSite('document'))).status).not.toBe(200)
  expect(emulator.revision()).toBe(before)
})

test.for<[what: string, options: ServerOptions, refusal: number]>([
  ['with a token', { token: 'open-sesame' }, 401],
  ['where other machines can call', { listen: '0.0.0.0' }, 403],
])('%s, the files need none, and hold nothing', async ([, options, refusal], { open }) => {
  const { host } = await open({ ...pages, ...options })
  const admin = adminOf(host)
  for (const path of ['/', '/panel', '/panel.js', '/assets/app-1.js']) {
    for (const headers of [[html], [html, ['Authorization', 'Basic cHJveHk6cGFzcw==']]] as const)
      expect([path, (await admin(`GET ${path}`, undefined, headers)).status]).toEqual([path, 200])
  }
  expect((await admin('GET /docs', undefined, [html])).status).toBe(302)
  expect((await admin('GET /docs')).status).toBe(refusal)
  for (const path of ['/keys', '/health', '/events', '/openapi.json'])
    expect([path, (await admin(`GET ${path}?token=open-sesame`, undefined, [html])).status]).toEqual([
      path,
      path === '/health' ? 200 : refusal,
    ])
})

test.for<[what: string, cors: ServerOptions['cors'], frames: string]>([
  [
    'pages of this machine',
    undefined,
    "'self' http://localhost:* https://localhost:* http://*.localhost:* https://*.localhost:* http://127.0.0.1:* https://127.0.0.1:*",
  ],
  [
    'and of --cors',
    { loopback: true, listed: ['https://shop.example', "https://x'; script-src *"] },
    "'self' http://localhost:* https://localhost:* http://*.localhost:* https://*.localhost:* http://127.0.0.1:* https://127.0.0.1:* https://shop.example",
  ],
  ['its own with --cors none', { loopback: false, listed: [] }, "'self'"],
  [
    'pages of this machine with --cors *',
    '*',
    "'self' http://localhost:* https://localhost:* http://*.localhost:* https://*.localhost:* http://127.0.0.1:* https://127.0.0.1:*",
  ],
])('the panel may be framed by %s', async ([, cors, frames], { open }) => {
  const { host } = await open({ ...pages, ...(cors && { cors }) })
  const admin = adminOf(host)
  const panel = await admin('GET /panel', undefined, [html])
  expect(panel.headers['content-security-policy']).toMatch(/; frame-ancestors [^;]*$/)
  expect(panel.headers['content-security-policy']?.split('frame-ancestors ')[1]).toBe(frames)
  const shell = await admin('GET /', undefined, [html])
  expect(shell.headers['content-security-policy']).toMatch(/; frame-ancestors 'none'$/)
})

test('no page may frame an answer of the plane, not even a page of this machine', async ({ open }) => {
  const { host } = await open(pages)
  const beside = [
    html,
    ['Sec-Fetch-Site', 'same-site'],
    ['Sec-Fetch-Mode', 'navigate'],
    ['Sec-Fetch-Dest', 'iframe'],
  ] as const
  for (const path of ['/keys', '/requests.har', '/situation.yaml', '/docs', '/nothing', '/assets/none.js']) {
    const { headers } = await adminOf(host)(`GET ${path}`, undefined, beside)
    expect([path, headers['content-security-policy']]).toEqual([
      path,
      expect.stringContaining("frame-ancestors 'none'"),
    ])
  }
})
