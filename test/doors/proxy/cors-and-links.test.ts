import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { needPosix } from '../../support/requirements.ts'
import { runCommand, spawnCommand } from '../../support/run-command.ts'

/** A service without CORS, unless it is given headers for every answer. */
async function service(
  headers: Readonly<Record<string, string>> = {},
  links?: (origin: string) => Record<string, string>,
) {
  const seen: string[] = []
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    seen.push(`${request.method} ${request.url}`)
    const own = links?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`) ?? {}
    response.writeHead(request.method === 'OPTIONS' ? 405 : 200, {
      'Content-Type': 'application/json',
      ...headers,
      ...own,
    })
    response.end('[]')
  }
  const server = createServer(answer)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, seen }
}

async function proxy(url: string, ...flags: readonly string[]) {
  const running = spawnCommand([
    'proxy',
    url,
    '--port',
    '0',
    '--log-format',
    'json',
    '--no-contract',
    ...flags,
  ])
  const [line] = await running.until(/^.+(?=\n)/)
  const ready: { url: string } = JSON.parse(line)
  return { ...running, url: ready.url }
}

const page = 'https://shop.example'
const local = { Origin: 'http://localhost:5173' }
const preflight = {
  Origin: page,
  'Access-Control-Request-Method': 'POST',
  'Access-Control-Request-Headers': 'authorization, traceparent',
}

describe('--cors', () => {
  it('adds CORS to a service that has none, and answers its preflights', async () => {
    const { url, seen } = await service()
    const at = await proxy(url, '--cors', page)
    const asked = await fetch(`${at.url}/pets`, { method: 'OPTIONS', headers: preflight })
    expect(asked.status).toBe(204)
    expect(Object.fromEntries(asked.headers)).toMatchObject({
      'access-control-allow-origin': page,
      'access-control-allow-headers': 'authorization, traceparent',
      'access-control-allow-methods': 'POST',
      vary: 'Origin, Access-Control-Request-Headers',
      'x-pet-mock': 'proxy',
    })
    const got = await fetch(`${at.url}/pets`, { headers: { Origin: page } })
    expect([got.status, await got.text()]).toEqual([200, '[]'])
    expect(got.headers.get('access-control-allow-origin')).toBe(page)
    expect(got.headers.get('access-control-expose-headers')).toContain('Retry-After')
    expect(got.headers.has('access-control-allow-credentials')).toBe(false)
    expect(seen).toEqual(['OPTIONS /v1/pets', 'GET /v1/pets'])
    const foreign = await fetch(`${at.url}/pets`, { headers: { Origin: 'https://evil.example' } })
    expect(foreign.headers.has('access-control-allow-origin')).toBe(false)
  })

  it("passes the service's own CORS", async () => {
    const { url } = await service({ 'Access-Control-Allow-Origin': 'https://prod.example', Vary: 'Origin' })
    const at = await proxy(url, '--cors', '*')
    for (const init of [{ headers: { Origin: page } }, { method: 'OPTIONS', headers: preflight }]) {
      const got = await fetch(`${at.url}/pets`, init)
      expect(got.headers.get('access-control-allow-origin')).toBe('https://prod.example')
    }
  })

  it('adds nothing to the service without the flag', async () => {
    const { url } = await service()
    const plain = await proxy(url)
    const got = await fetch(`${plain.url}/pets`, { headers: local })
    expect(got.headers.has('access-control-allow-origin')).toBe(false)
    const asked = await fetch(`${plain.url}/pets`, { method: 'OPTIONS', headers: { ...preflight, ...local } })
    expect(asked.status).toBe(405)
  })

  it('adds nothing to the answers of the proxy with none', async () => {
    const off = await proxy('http://127.0.0.1:9/v1', '--cors', 'none')
    const failed = await fetch(`${off.url}/pets`, { headers: local })
    expect([failed.status, failed.headers.has('access-control-allow-origin')]).toEqual([502, false])
  })
})

it('lets pages of this machine read its 502, also after a preflight', async () => {
  const at = await proxy('http://127.0.0.1:9/v1')
  const asked = await fetch(`${at.url}/pets`, { method: 'OPTIONS', headers: { ...preflight, ...local } })
  expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([204, local.Origin])
  const failed = await fetch(`${at.url}/pets`, { headers: local })
  expect([failed.status, failed.headers.get('access-control-allow-origin')]).toEqual([502, local.Origin])
  expect(failed.headers.get('access-control-expose-headers')).toContain('X-Pet-Mock')
  expect(await failed.json()).toMatchObject({ code: 'upstream_failed' })
  const foreign = await fetch(`${at.url}/pets`, { method: 'OPTIONS', headers: preflight })
  expect([foreign.status, foreign.headers.has('access-control-allow-origin')]).toEqual([502, false])
})

describe('--rewrite-links', () => {
  needPosix('signals')

  const links = (origin: string) => ({
    Link: `<${origin}/v1/pets?cursor=a%2Cb>; rel="next", <https://docs.example/>; rel="help", </v1/pets>; rel="first"`,
    Location: `${origin.replace('http:', '')}/v1/pets/7#x`,
  })

  it('keeps links on the proxy, under the name that the client called', async () => {
    const { url } = await service({}, links)
    const at = await proxy(url, '--rewrite-links')
    for (const own of [at.url, at.url.replace('127.0.0.1', 'localhost')]) {
      const { headers } = await fetch(`${own}/pets`, { redirect: 'manual' })
      expect(headers.get('link')).toBe(
        `<${own}/pets?cursor=a%2Cb>; rel="next", <https://docs.example/>; rel="help", </v1/pets>; rel="first"`,
      )
      expect(headers.get('location')).toBe(`${own}/pets/7#x`)
    }
    at.child.kill('SIGTERM')
    expect((await at.ended).stderr).not.toContain('bypasses the proxy')
  })

  it('changes nothing without the flag, which the notice names', async () => {
    const { url } = await service({}, links)
    const at = await proxy(url)
    const { headers } = await fetch(`${at.url}/pets`, { redirect: 'manual' })
    expect(headers.get('link')).toContain(`<${url}/pets?cursor`)
    at.child.kill('SIGTERM')
    const { stdout, stderr } = await at.ended
    expect(stdout + stderr).toContain('use --rewrite-links.')
  })
})

it('rejects origins that are none', async () => {
  expect(await runCommand(['proxy', 'http://127.0.0.1:9/v1', '--cors', 'shop.example'])).toMatchObject({
    code: 2,
  })
})

describe('what a browser could run at the address of the API', () => {
  const script = { 'Service-Worker': 'script', 'Sec-Fetch-Mode': 'same-origin' }
  it.each<[string, Record<string, string>, string | undefined]>([
    ['a page', { 'Sec-Fetch-Mode': 'navigate' }, 'sandbox'],
    ['a page that a browser asks for over plain HTTP', { Accept: 'text/html,*/*' }, 'sandbox'],
    ['a service worker', script, 'sandbox'],
    ['the data that a page reads', { 'Sec-Fetch-Mode': 'cors', Accept: 'text/html' }, undefined],
    ['the data that a program reads', {}, undefined],
  ])('%s', async (_, headers, policy) => {
    const { url } = await service({ 'Content-Type': 'text/html', 'Service-Worker-Allowed': '/' })
    const at = await proxy(url)
    // `fetch` would send its own Sec-Fetch-Mode.
    const got = await new Promise<IncomingMessage>(resolve => get(`${at.url}/pets`, { headers }, resolve))
    got.resume()
    expect(got.headers['content-security-policy']).toBe(policy)
    expect(Object.keys(got.headers)).not.toContain('service-worker-allowed')
  })
})
