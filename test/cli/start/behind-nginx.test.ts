import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, type TestContext } from 'vitest'
import { directoryWith } from '../../support/directory.ts'
import { freePort } from '../../support/free-port.ts'
import { findProgram, requireOrSkip } from '../../support/requirements.ts'
import { serveJson } from '../../support/run-command.ts'

const nginx = findProgram('/usr/sbin/nginx', 'nginx')

/** A real nginx until the test is over. `location` is the block of its only server. */
async function startNginx(context: TestContext, port: number, location: string): Promise<void> {
  const program = requireOrSkip(context, 'nginx', nginx)
  const config = `
    daemon off; master_process off; worker_processes 1; pid nginx.pid; error_log stderr warn;
    events { worker_connections 64; }
    http {
      access_log off;
      client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path f; uwsgi_temp_path u; scgi_temp_path s;
      server { listen 127.0.0.1:${port}; ${location} }
    }`
  const directory = directoryWith({ 'nginx.conf': config })
  const child: ChildProcess = spawn(program, ['-p', directory, '-c', join(directory, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr?.on('data', chunk => {
    said += chunk
  })
  context.onTestFinished(() => {
    child.kill('SIGKILL')
  })
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if (child.exitCode !== null) throw new Error(`nginx ended: ${said}`)
    if (await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)) return
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  throw new Error(`nginx does not listen: ${said}`)
}

const headers = { Authorization: 'Bearer demo-free' }

/** Follows all pages from a URL, and creates a pet there and reads it. */
async function useThrough(base: string) {
  const links: string[] = []
  let ids: number[] = []
  for (let url: string | undefined = `${base}/pets?limit=40`; url !== undefined; ) {
    const page = await fetch(url, { headers })
    ids = [...ids, ...((await page.json()) as readonly { id: number }[]).map(({ id }) => id)]
    url = /<([^>]*)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
    if (url !== undefined) links.push(url)
  }
  const created = await fetch(`${base}/pets`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Rex', categoryId: 1 }),
  })
  const location = created.headers.get('location') ?? ''
  const pet = await fetch(new URL(location, base), { headers })
  return { ids, links, location, pet: [pet.status, ((await pet.json()) as { name: string }).name] }
}

it('--base-url: clients stay behind a real nginx that serves the API at another path', async context => {
  const port = await freePort()
  const base = `http://localhost:${port}/api`
  const { ready } = await serveJson(['--base-url', base])
  expect(ready.baseUrl).toBe(base)
  expect(ready.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/)
  await startNginx(context, port, `location /api/ { proxy_pass ${ready.url}/; }`)
  const { ids, links, location, pet } = await useThrough(base)
  expect(ids).toHaveLength(100)
  expect(links).toEqual([expect.stringContaining(`${base}/pets?`), expect.stringContaining(`${base}/pets?`)])
  expect([location, pet]).toEqual([`${base}/pets/101`, [200, 'Rex']])
})

const [, says = ''] = /^```nginx\n([\s\S]*?)^```$/m.exec(readFileSync('docs/browser.md', 'utf8')) ?? []

it('--trust-proxy: links are what a real nginx says, and its names must be allowed', async context => {
  const port = await freePort()
  const { ready } = await serveJson(['--trust-proxy'])
  const { origin } = new URL(ready.url)
  expect(says).toContain('http://127.0.0.1:7387/')
  await startNginx(context, port, says.replace('http://127.0.0.1:7387', origin))
  const base = `http://localhost:${port}/mock/v1`
  const { ids, links, location, pet } = await useThrough(base)
  expect(ids).toHaveLength(100)
  expect(links[0]).toContain(`${base}/pets?`)
  expect([location, pet]).toEqual([`${base}/pets/101`, [200, 'Rex']])
  const rebound = new URL(`${base}/pets`)
  const status = await statusOf(rebound, 'evil.test')
  expect(status).toBe(403)
})

/** The status for a Host that fetch would not send. */
async function statusOf(url: URL, host: string): Promise<number | undefined> {
  const { get } = await import('node:http')
  const [response] = await once(get(url, { headers: { ...headers, Host: host } }), 'response')
  response.resume()
  return response.statusCode
}
