import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { freePort } from '../../support/free-port.ts'
import { findProgram, needPosix, requireOrSkip } from '../../support/requirements.ts'
import { serveJson, spawnCommand } from '../../support/run-command.ts'

needPosix('signals')

const serving = ['--port', '0']

it('prints a ready line, then a line for each call', async () => {
  const { ready, child, until } = await serveJson(['--add-key', 'my-app=pro'])
  expect(ready).toEqual({
    event: 'ready',
    admin: ready.url.replace('/v1', '/__admin'),
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:[1-9]\d*\/v1$/),
    scenario: 'free-plan',
    key: 'demo-free',
    keys: {
      'demo-free': 'free',
      'demo-pro': 'pro',
      'demo-business': 'business',
      'demo-enterprise': 'enterprise',
      'my-app': 'pro',
    },
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    pid: child.pid,
  })
  const response = await fetch(`${ready.url}/pets?limit=3`, { headers: { Authorization: 'Bearer my-app' } })
  expect(await response.json()).toHaveLength(3)
  const [line] = await until(/^\{"event":"call".*(?=\n)/m)
  expect(JSON.parse(line)).toMatchObject({
    id: 1,
    target: '/v1/pets?limit=3',
    status: 200,
    key: 'my-a…',
    plan: 'pro',
  })
})

it('shows a curl command that works', async context => {
  requireOrSkip(context, 'curl', findProgram('curl'))
  const { until } = spawnCommand(serving)
  const [, curl = ''] = await until(/Try +(curl .*)\n/)
  const { stdout, stderr } = spawnSync('sh', ['-c', curl], { encoding: 'utf8' })
  expect(stdout, stderr).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  expect(JSON.parse(stdout.slice(stdout.indexOf('\r\n\r\n')))).toHaveLength(20)
  await until(/GET \/v1\/pets +200 {2}demo-f… free {2}59\/60 left this minute\n/)
})

it('writes no colours without a terminal', async () => {
  const { until, stdout } = spawnCommand(serving)
  await until(/Stop/)
  expect(stdout()).not.toContain('\x1b')
})

it('prints nothing when silent', async () => {
  const port = await freePort()
  const { child, ended } = spawnCommand(['--port', `${port}`, '--log-format', 'silent'])
  while (!(await isServed(port))) expect(child.exitCode).toBe(null)
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ code: 0, stdout: '', stderr: '' })
})

it('prints only its URL when silent on any free port', async () => {
  const { child, until, ended } = spawnCommand([...serving, '--log-format', 'silent'])
  const [url] = await until(/^.+(?=\n)/)
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/)
  expect((await fetch(`${url}/pets`, { headers: { Authorization: 'Bearer demo-free' } })).status).toBe(200)
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ code: 0, stdout: `${url}\n`, stderr: '' })
})

it.each(['json', 'pretty'])('masks keys in the targets of its log (%s)', async format => {
  const args = [...serving, '--log-format', format, '--add-key', 'a+b/c==free,demo-free-2=free']
  const { child, until, ended } = spawnCommand(args)
  const [url] = await until(/http:\/\/127\.0\.0\.1:\d+\/v1/)
  const keys = 'api_key=demo-free&token=a%2Bb%2Fc%3D&k=demo-free-2&x=demo-pro+w1'
  await fetch(`${url}/demo-free/x?${keys}&other=readable`)
  await fetch(`${url}/demo-pro/demo-freely`)
  await until(/demo-freely/)
  child.kill('SIGTERM')
  const log = (await ended).stdout
  expect(log).toContain('/v1/demo-f…/x?api_key=demo-f…&token=a+b/…&k=demo-f…#2&x=demo-p…+w1&other=readable')
  expect(log).toContain('/v1/demo-p…/demo-freely')
})

it('masks keys that were added later, in any sandbox', async () => {
  const { ready, child, until, ended } = await serveJson([])
  const admin = async (method: string, path: string, body: object) => {
    const headers = { 'Content-Type': 'application/json' }
    const asked = await fetch(ready.admin + path, { method, headers, body: JSON.stringify(body) })
    expect(asked.ok).toBe(true)
  }
  await admin('POST', '/keys', { key: 'late-one', plan: 'free' })
  await admin('POST', '/keys?sandbox=w1', { key: 'late-two', plan: 'free' })
  const scenario = { extends: 'free-plan', key: 'of-scenario', keys: { 'of-scenario': { plan: 'free' } } }
  await admin('PUT', '/scenario?sandbox=w2', { scenario })
  await fetch(`${ready.url}/x?a=late-one&b=late-two&c=of-scenario&d=demo-free&other=readable`)
  await until(/readable/)
  child.kill('SIGTERM')
  expect((await ended).stdout).toContain('/v1/x?a=late-o…&b=late-t…&c=of-sce…&d=demo-f…&other=readable')
})

it.each([
  ['json', /^\{"event":"change","at":"[^"]+","do":"banKey","key":"demo-f…","for":"90s"\}$/],
  ['pretty', /^\d\d:\d\d:\d\d {2}banKey key=demo-f… for=90s$/],
])('logs changes through the admin plane, and no refused one (%s)', async (format, line) => {
  const { until, child, ended } = spawnCommand([...serving, '--log-format', format])
  const [, port] = await until(/http:\/\/127\.0\.0\.1:(\d+)\/v1/)
  const headers = { 'Content-Type': 'application/json' }
  const ban = (key: string) =>
    fetch(`http://127.0.0.1:${port}/__admin/keys/${key}/ban`, {
      method: 'POST',
      body: '{"for":"90s"}',
      headers,
    })
  expect((await ban('nobody')).status).toBe(404)
  expect((await ban('demo-free')).status).toBe(200)
  await until(new RegExp(line.source, 'm'))
  child.kill('SIGTERM')
  expect((await ended).stdout).not.toContain('nobody')
})

it.each([
  [
    'json',
    /^\{"event":"refused","at":"[^"]+","status":400,"code":"bad_request",.*"client":"127\.0\.0\.1"\}$/,
  ],
  ['pretty', /^\d\d:\d\d:\d\d {2}rejected 127\.0\.0\.1 +400 {2}This is not a valid HTTP\/1\.1 request\.$/],
])('logs requests that never became a call (%s)', async (format, line) => {
  const { until } = spawnCommand([...serving, '--log-format', format])
  const [, port] = await until(/http:\/\/127\.0\.0\.1:(\d+)\/v1/)
  const socket = connect(Number(port), '127.0.0.1').end('hello\r\n\r\n')
  await until(new RegExp(line.source, 'm'))
  socket.destroy()
})

it('warns about unknown variables', async () => {
  const env = {
    PET_MOCK_PROT: '1',
    PET_MOCK_ZZZZZZZZ: '',
    PET_MOCK_URL: 'x',
    PET_MOCK_KEY: 'x',
    PET_MOCK_ADMIN: 'x',
    PET_MOCK_TEST_REQUIRE: 'all',
  }
  const { child, until, ended } = spawnCommand(serving, { env })
  await until(/Stop/)
  child.kill('SIGTERM')
  expect((await ended).stderr.split('\n')).toEqual([
    'PET_MOCK_PROT is not a variable of pet-mock; did you mean PET_MOCK_PORT?',
    'PET_MOCK_ZZZZZZZZ is not a variable of pet-mock; see --help',
    '',
  ])
})

it('warns about the name of --key in the environment', async () => {
  const { child, until, ended } = spawnCommand(serving, { env: { PET_MOCK_KEY: 'my-app=pro' } })
  await until(/Stop/)
  child.kill('SIGTERM')
  expect((await ended).stderr.split('\n')).toEqual([
    'PET_MOCK_KEY adds no key: it names the key of a client; did you mean PET_MOCK_ADD_KEY=my-app=pro?',
    '',
  ])
})

it('reads its environment variables, and ignores those that exec sets', async () => {
  const env = {
    PET_MOCK_SCENARIO: 'ban',
    PET_MOCK_ADD_KEY: 'a=free,b=pro',
    PET_MOCK_KEY: 'not-known',
    PET_MOCK_URL: 'http://127.0.0.1:1/v1',
    PET_MOCK_ADMIN: 'http://127.0.0.1:1/__admin',
  }
  const { ready } = await serveJson([], { env })
  expect(ready).toMatchObject({ scenario: 'ban', key: 'demo-free', keys: { a: 'free', b: 'pro' } })
})

it('accepts the allowed host names only', async () => {
  const { ready } = await serveJson(['--allowed-hosts', 'pets.test'])
  const { port } = new URL(ready.url)
  // fetch sends no custom Host.
  const statusOf = async (host: string) => {
    const request = get(ready.url, { headers: { Host: host, Authorization: 'Bearer demo-free' } })
    const [response] = await once(request, 'response')
    response.resume()
    return response.statusCode
  }
  expect([await statusOf(`pets.test:${port}`), await statusOf(`evil.test:${port}`)]).toEqual([404, 403])
})

it('lets pages of allowed origins read its responses', async () => {
  const both = await serveJson(['--cors', 'https://a.example,https://b.example'])
  const alone = await serveJson(['--cors', 'none,https://b.example'])
  const allowed = async (url: string, origin: string) => {
    const response = await fetch(`${url}/pets`, { headers: { Origin: origin } })
    return response.headers.get('access-control-allow-origin')
  }
  const local = 'http://localhost:5173'
  expect(await allowed(both.ready.url, 'https://b.example')).toBe('https://b.example')
  expect(await allowed(both.ready.url, local)).toBe(local)
  expect(await allowed(alone.ready.url, 'https://b.example')).toBe('https://b.example')
  expect(await allowed(alone.ready.url, local)).toBe(null)
})

function isServed(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/v1/pets`).then(
    () => true,
    () => new Promise(resolve => setTimeout(resolve, 20, false)),
  )
}
