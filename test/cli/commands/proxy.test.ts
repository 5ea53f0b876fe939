import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { connect, createServer } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { directoryWith } from '../../support/directory.ts'
import { sendOverHttp } from '../../support/doors.ts'
import { handMade, lastRequest } from '../../support/proxies.ts'
import { type RunOptions, runCommand, serveJson, spawnCommand } from '../../support/run-command.ts'

/** A proxy before something, on a free port. */
async function startProxy(url: string, flags: readonly string[] = [], options?: RunOptions) {
  const running = spawnCommand(['proxy', url, '--port', '0', '--log-format', 'json', ...flags], options)
  const [line] = await running.until(/^.+(?=\n)/)
  const ready: { url: string; admin: string; upstream: string; event: string } = JSON.parse(line)
  // On one connection, so that a client knows of every answer before.
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  const call = async (target: string, key = 'demo-free', headers: Readonly<Record<string, string>> = {}) => {
    const sent = request(ready.url + target, {
      agent,
      headers: { Authorization: `Bearer ${key}`, ...headers },
    })
    const [response]: IncomingMessage[] = await once(sent.end(), 'response')
    if (response === undefined) throw new Error('no response')
    await once(response.resume(), 'end')
    return response.statusCode
  }
  const stop = async () => {
    running.child.kill('SIGTERM')
    return await running.ended
  }
  return { ...running, ready, call, stop }
}

/** The emulator behind a proxy. */
async function proxied(
  scenario: readonly string[] = [],
  flags: readonly string[] = [],
  options?: RunOptions,
) {
  const server = await serveJson(scenario)
  return { server, ...(await startProxy(server.ready.url, flags, options)) }
}

/** The limit headers of a first call, as lines. */
function limits(): string {
  const reset = Math.ceil(Date.now() / 1_000) + 60
  return `X-RateLimit-Limit: 60\r\nX-RateLimit-Remaining: 59\r\nX-RateLimit-Reset: ${reset}\r\n`
}

describe('both reports', () => {
  it('say so where there is nothing to say, and the exit code is 0', async () => {
    const { call, stop, ready, server } = await proxied()
    expect(ready).toMatchObject({ event: 'ready', upstream: server.ready.url })
    expect(ready.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/)
    for (const target of ['/pets', '/pets?status=sold', '/pets/999', '/nothing', '/store/orders'])
      await call(target)
    const { code, stderr } = await stop()
    expect(stderr).toContain('Conduct of the client: 1 warning')
    expect(stderr).toContain('The contract: no findings')
    expect(stderr).toContain('5 calls; 0 broke the contract')
    expect(stderr).toMatch(/\nFailing findings: none\.\n$/)
    expect(code).toBe(0)
  })

  it('a client that retries too early makes the exit code 1', async () => {
    const { call, stop } = await proxied(['-s', 'rate-limit-exhaustion'])
    const statuses: unknown[] = []
    for (let made = 0; made < 5; made += 1) statuses.push(await call('/pets'))
    expect(statuses).toEqual([200, 200, 200, 429, 429])
    const { code, stderr } = await stop()
    expect(stderr).toMatch(
      /✕ error {2}early-retry\n[\s\S]*GET \/v1\/pets → 429 {2}[\d.]+ s before Retry-After was over/,
    )
    expect(stderr).toMatch(
      /demo-f… \(free\) +5 calls, 2 refused; at peak 3 of 60 \(besides 57 at the start\) in a minute/,
    )
    expect(code).toBe(1)
  })

  it('a client that goes on until it is banned, and then', async () => {
    const { call, stop } = await proxied(['-s', 'ban'])
    for (let made = 0; made < 3; made += 1) await call('/pets')
    const { stderr } = await stop()
    expect(stderr).toContain('call-during-ban')
  })

  it.each<[about: string, answer: string, flags: readonly string[], code: number, told: RegExp]>([
    ['a body', '[{"id":1}]', [], 1, /✕ error {2}contract-body[\s\S]*GET \/v1\/pets → 200 {2}Response body/],
    ['a header', '[]', [], 1, /✕ error {2}contract-header/],
    ['a body, which is let pass', '[{"id":1}]', ['--fail-on', 'never'], 0, /✕ error {2}contract-body/],
    ['a body, which nobody looks at', '[{"id":1}]', ['--no-contract'], 0, /^(?![\s\S]*contract)/],
  ])('%s of the service that breaks the contract', async (about, body, flags, exitCode, told) => {
    const headers = about === 'a header' ? '' : limits()
    const upstream = await handMade(socket =>
      socket.end(
        `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`,
      ),
    )
    const { call, stop } = await startProxy(`http://127.0.0.1:${upstream.port}/v1`, flags)
    await call('/pets')
    const { code, stderr } = await stop()
    expect(stderr).toMatch(told)
    expect(code).toBe(exitCode)
  })

  it.each<[flags: readonly string[], code: number]>([
    [[], 1],
    [['--fail-on', 'error-status=never'], 0],
    [['--fail-on', 'never', '--fail-on', 'error-status'], 1],
    [['--fail-on', 'never'], 0],
  ])('judge the service by its answers, with %j', async (flags, exitCode) => {
    const body = '{"code":"a","message":"b","status":400}'
    const head = `HTTP/1.1 404 Not Found\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`
    const upstream = await handMade(socket => socket.end(`${head}${limits()}\r\n${body}`))
    const url = `http://127.0.0.1:${upstream.port}/v1`
    const { call, stop } = await startProxy(url, ['--no-contract', ...flags])
    await call('/pets/9')
    const { code, stderr } = await stop()
    expect(stderr).toMatch(/The service: 1 error[\s\S]*error-status[\s\S]*GET \/v1\/pets\/9 → 404/)
    expect(stderr).not.toMatch(/The service ignores/)
    expect(code).toBe(exitCode)
  })

  it('are given by a contract of the user, below a base path of its own', async () => {
    const contract = {
      openapi: '3.1.0',
      info: { title: 'Mine', version: '1' },
      paths: {
        '/things': {
          get: {
            responses: {
              200: { description: 'ok', content: { 'application/json': { schema: { type: 'array' } } } },
            },
          },
        },
      },
    }
    const cwd = directoryWith({ 'mine.json': JSON.stringify(contract) })
    const upstream = await handMade(socket =>
      socket.end('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}'),
    )
    const url = `http://127.0.0.1:${upstream.port}/api/v2/`
    const { call, stop, ready } = await startProxy(url, ['--openapi', 'mine.json'], { cwd })
    expect(ready.url).toMatch(/:\d+\/api\/v2$/)
    await call('/things')
    expect((await stop()).stderr).toMatch(
      /contract-body[\s\S]*GET \/api\/v2\/things → 200 {2}Response body must be array/,
    )
  })

  it('are written into reports', async () => {
    const cwd = directoryWith({})
    const { call, stop } = await proxied([], ['--report', 'flight.html', '--report', 'flight.json'], { cwd })
    await call('/pets')
    await stop()
    const { reports } = JSON.parse(readFileSync(`${cwd}/flight.json`, 'utf8'))
    expect(reports).toMatchObject([
      {
        judge: 'conduct',
        calls: 1,
        flights: [{ calls: [{ status: 200, left: { minute: [59, 60], day: [999, 1000] } }] }],
      },
      { judge: 'contract' },
      { judge: 'service', findings: [] },
    ])
    expect(readFileSync(`${cwd}/flight.html`, 'utf8')).toContain('<svg')
  })
})

it('no key is in the log, the journal, the reports or the messages', async () => {
  const cwd = directoryWith({})
  const secret = 'pk_live_4f9a7c21d0e8'
  const other = 'pk_live_77777777cafe'
  const upstream = await handMade(socket => {
    const body = JSON.stringify({ code: `no_${secret}`, message: `${secret} has no access`, status: 403 })
    socket.end(`HTTP/1.1 403 Forbidden\r\nX-Key: ${secret}\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
  })
  const { call, stop, ready } = await startProxy(
    `http://127.0.0.1:${upstream.port}/v1`,
    ['--report', 'a.json', '--report', 'a.html', '--report', 'a.xml', '--report', 'a.md'],
    { cwd },
  )
  await call('/pets', secret)
  await call(`/pets/${secret}?key=${other}`, secret)
  await call(`/pets?api_key=${secret}`, other, { 'X-Trace': secret })
  const seen = await Promise.all(
    ['requests', 'requests.har', 'conduct?flights=true'].map(async path =>
      (await fetch(`${ready.admin}/${path}`)).text(),
    ),
  )
  expect(upstream.received()).toContain(secret)
  const { stdout, stderr } = await stop()
  const files = ['a.json', 'a.html', 'a.xml', 'a.md'].map(file => readFileSync(`${cwd}/${file}`, 'utf8'))
  expect(seen[0]).toContain('pk_liv…')
  for (const text of [stdout, stderr, ...seen, ...files]) {
    expect(text).not.toContain(secret)
    expect(text).not.toContain(other)
  }
})

describe('the admin plane of a running proxy', () => {
  it('by the commands for a running server', async () => {
    const { call, ready } = await proxied(['-s', 'rate-limit-exhaustion'])
    for (let made = 0; made < 5; made += 1) await call('/pets')
    const list = await runCommand(['requests', '--url', ready.url, '--status', '429'])
    expect(list.stdout).toMatch(/429 {2}demo-f… free/)
    const conduct = await runCommand(['conduct', '--url', ready.url])
    expect(conduct).toMatchObject({ code: 1, stdout: expect.stringContaining('early-retry') })
  })

  it.each([
    ['/health', {}, 200, { name: 'pet-mock', status: 'ok' }],
    ['/requests?limit=1', {}, 200, { requests: [{ id: 2, status: 404 }], meta: { total: 2 } }],
    ['/requests?status=2xx', {}, 200, { requests: [{ id: 1, operation: 'listPets', key: 'demo-f…' }] }],
    ['/requests?limit=none', {}, 400, { code: 'invalid_parameter' }],
    ['/requests?keys=shown', {}, 400, { code: 'invalid_parameter' }],
    ['/clock', {}, 404, { code: 'not_found' }],
    ['/requests', { method: 'DELETE' }, 405, { code: 'method_not_allowed' }],
    ['/requests', { headers: { Origin: 'https://shop.example' } }, 403, { code: 'origin_not_allowed' }],
  ])('%s with %j is %i', async (path, init, status, body) => {
    const { call, ready } = await proxied()
    await call('/pets')
    await call('/pets/999')
    const response = await fetch(ready.admin + path, init)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject(body)
  })

  it('a page for browsers says that the proxy has no dashboard, and what it has', async () => {
    const { ready } = await proxied()
    const { host } = new URL(ready.admin)
    const headers: [string, string][] = [['Accept', 'text/html']]
    const reply = await sendOverHttp(host, { method: 'GET', target: '/__admin/', headers, body: undefined })
    expect([reply.status, reply.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    expect(reply.text).toContain('<h1>A proxy has no dashboard</h1>')
    expect(reply.text).toContain('<a href="/__admin/conduct">')
  })
})

describe('SIGTERM', () => {
  it('lets calls under way have their answer, and judges them', async () => {
    const held: (() => void)[] = []
    const upstream = await handMade(socket =>
      held.push(() => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]')),
    )
    const { child, ended, ready, call, stderr } = await startProxy(`http://127.0.0.1:${upstream.port}/v1`)
    const answer = call('/pets')
    await upstream.until(/\r\n\r\n/)
    child.kill('SIGTERM')
    // It takes no further connections from then on.
    for (;;) {
      const socket = connect(Number(new URL(ready.url).port), '127.0.0.1')
      const isOpen = await new Promise(resolve =>
        socket.once('connect', () => resolve(true)).once('error', () => resolve(false)),
      )
      socket.destroy()
      if (!isOpen) break
    }
    for (const answerNow of held) answerNow()
    expect(await answer).toBe(200)
    expect((await ended).code).toBe(1)
    expect(stderr()).toContain('1 call; 1 broke the contract')
  })

  it('does not wait for ever', async () => {
    const upstream = await handMade(() => {})
    const { child, ended, call } = await startProxy(`http://127.0.0.1:${upstream.port}/v1`)
    const answer = call('/pets').catch(() => 'broken off')
    await upstream.until(/\r\n\r\n/)
    child.kill('SIGTERM')
    expect((await ended).stderr).toContain('1 call  the client left before the answer was complete')
    expect(await answer).toBe('broken off')
  })
})

it('bodies that are too large for a verdict pass, and are counted', async () => {
  const body = JSON.stringify([{ id: 1, name: 'x'.repeat(2_000_000), categoryId: 1 }])
  const upstream = await handMade(socket =>
    socket.end(
      `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n${limits()}Content-Length: ${body.length}\r\n\r\n${body}`,
    ),
  )
  const { ready, stop } = await startProxy(`http://127.0.0.1:${upstream.port}/v1`)
  const headers = { Authorization: 'Bearer demo-free' }
  expect((await (await fetch(`${ready.url}/pets`, { headers })).text()).length).toBe(body.length)
  const { code, stderr } = await stop()
  expect(stderr).toMatch(/\nFailing findings: unjudged\. Not judged: 1 call\. More: docs\/findings\.md\n$/)
  expect(code).toBe(1)
})

describe('a banner for people', () => {
  it('prints its URL, the service, and where the findings are', async () => {
    const { stdout, child, ended, until } = spawnCommand([
      'proxy',
      'https://api.example.test/v1',
      '--port',
      '0',
    ])
    await until(/Stop +Ctrl\+C, which also prints the findings\n/)
    expect(stdout()).toMatch(
      /API +http:\/\/127\.0\.0\.1:\d+\/v1\n +➜ +Service +https:\/\/api\.example\.test\/v1\n +➜ +Findings +http:\/\/127\.0\.0\.1:\d+\/__admin\/conduct\n/,
    )
    child.kill('SIGTERM')
    expect((await ended).code).toBe(0)
  })
})

describe('wrong usage', () => {
  it.each([
    [[], /^Expected: pet-mock proxy URL, such as http:\/\/127\.0\.0\.1:7387\/v1\n$/],
    [['http://a.test', 'http://b.test'], /^Expected: pet-mock proxy \[URL\]/],
    [['ftp://a.test'], /^URL: expected a URL, such as/],
    [
      ['http://me:pw@a.test/v1'],
      /^URL: expected scheme, host, port and path, without user, query and fragment\n$/,
    ],
    [['http://a.test/v1?key=x'], /without user, query and fragment/],
    [
      ['http://127.0.0.1:7388/v1'],
      /would listen on port 7388 and call itself; choose another port with --port/,
    ],
    [['http://a.test', '--openapi', 'nowhere.yaml'], /nowhere\.yaml/],
    [['http://a.test', '--fail-on', 'early-retri'], /did you mean early-retry\?/],
    [['http://a.test', '--pets', '3'], /--pets is not a flag of this command/],
  ])('%j is 2', async (args, told) => {
    expect(await runCommand(['proxy', ...args])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(told),
    })
  })

  it('a port that is taken is 3', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const address = taken.address()
    const port = typeof address === 'object' ? `${address?.port}` : ''
    const ended = await runCommand(['proxy', 'http://a.test/v1', '--port', port])
    taken.close()
    expect(ended).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^Port \d+ on 127\.0\.0\.1 is in use/),
    })
  })
})

it('speaks to raw clients as the service would: nothing is added', async () => {
  const upstream = await handMade(socket => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]'))
  const { ready } = await startProxy(`http://127.0.0.1:${upstream.port}/v1`)
  const socket = connect(Number(new URL(ready.url).port), '127.0.0.1').setEncoding('latin1')
  socket.write(lastRequest('GET /v1/pets'))
  expect((await once(socket, 'data'))[0]).toBe(
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n[]',
  )
})
