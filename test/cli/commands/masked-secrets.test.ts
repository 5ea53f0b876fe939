import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { directoryWith } from '../../support/directory.ts'
import { listenHttp } from '../../support/listen.ts'
import { needPosix } from '../../support/requirements.ts'
import { runCommand, serveJson, spawnCommand } from '../../support/run-command.ts'

needPosix('signals')

/** Each secret has a mark of its own that no mask shows. */
const sent: Readonly<Record<string, string>> = {
  Authorization: 'Bearer demo-free',
  Cookie: 'theme=ck1-secret-9d; session=ck2-secret-9d',
  'X-Auth-Token': 'xat-secret-9d',
  'X-Access-Token': 'xac-secret-9d',
  'X-Amz-Security-Token': 'amz-secret-9d',
  'Ocp-Apim-Subscription-Key': 'ocp-secret-9d',
  'X-Tenant': 'ten-secret-9d',
  Referer: 'https://user:ref-secret-9d@app.test/?access_token=rft-secret-9d',
  'X-Call-Site': 'src/app.ts?token=site-secret-9d',
  'Idempotency-Key': 'idem-visible',
}
const target =
  '/pets?limit=1&password=pw-secret-9d&sig=sig-secret-9d&jwt=jwt-secret-9d&cursor=cursor-visible&next_token=next-visible'
const body = JSON.stringify({
  name: 'Rex',
  categoryId: 1,
  client_secret: 'cs-secret-9d',
  nested: [{ deep: { refresh_token: 'rt-secret-9d', page_token: 'page-visible' } }],
})
const answer = {
  id: 1,
  name: 'echo of it-secret-9d and demo-free',
  id_token: 'it-secret-9d',
  access_token: 'at-secret-9d',
}

const hidden = /secret-9d|demo-free(?!\w)/
const flags = ['--port', '0', '--mask', 'X-Tenant', '--contract', '--log-format']

/** A service that answers every call with secrets. */
async function startService(): Promise<{ readonly url: string; readonly received: () => string }> {
  let received = ''
  const { origin } = await listenHttp(async (request, response) => {
    received += `${request.url} ${request.rawHeaders.join('\n')}`
    for await (const chunk of request) received += chunk
    response.setHeader('Set-Cookie', [
      'session=sc1-secret-9d; Path=/; Expires=Wed, 21 Oct 2035 07:28:00 GMT; HttpOnly',
      'other=sc2-secret-9d',
    ])
    response.setHeader('Location', '/v1/pets/1?token=loc-secret-9d')
    response.setHeader('X-Refresh-Token', 'xrt-secret-9d')
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify(answer))
  })
  return { url: `${origin}/v1`, received: () => received }
}

async function callAll(base: string): Promise<void> {
  const headers = { ...sent, 'Content-Type': 'application/json' }
  await (await fetch(`${base}${target}`, { headers: sent })).text()
  await (await fetch(`${base}/pets?api_key=query-secret-9d`, { method: 'POST', headers, body })).text()
  const form = new URLSearchParams({ password: 'form-secret-9d', page_token: 'form-visible' })
  await (await fetch(`${base}/pets`, { method: 'POST', headers: sent, body: form })).text()
  // Without a key, conduct names the place of the call.
  const { Authorization: _, ...others } = sent
  await (await fetch(`${base}/pets/1`, { headers: others })).text()
  await (await fetch(`${base}/pets/1`, { headers: sent })).text()
}

test.each(['json', 'pretty'])(
  'the proxy shows no secret, its log being %s, and passes all on',
  async format => {
    const { url, received } = await startService()
    const folder = directoryWith({})
    const files = ['.json', '.xml', '.md', '.html'].map(extension => `${folder}/report${extension}`)
    const reports = files.flatMap(file => ['--report', file])
    const proxy = spawnCommand(['proxy', url, ...flags, format, ...reports], {
      env: { GITHUB_ACTIONS: 'true' },
    })
    const [base = ''] = await proxy.until(/http:\/\/127\.0\.0\.1:\d+\/v1/)
    await callAll(base)
    const admin = base.replace('/v1', '/__admin')
    const paths = ['/requests', '/requests.har', '/conduct?flights=true']
    const views = await Promise.all(paths.map(async path => (await fetch(admin + path)).text()))
    const list = await runCommand(['requests', '--url', base])
    const json = await runCommand(['requests', '--json', '--url', base])
    proxy.child.kill('SIGTERM')
    const { stdout, stderr } = await proxy.ended
    const outputs = [
      ...views,
      list.stdout,
      json.stdout,
      stdout,
      stderr,
      ...files.map(file => readFileSync(file, 'utf8')),
    ]
    for (const output of outputs) {
      expect(output).not.toMatch(hidden)
      expect(output.length).toBeGreaterThan(100)
    }
    for (const text of ['idem-visible', 'cursor-visible', 'next-visible', 'page-visible', 'form-visible'])
      expect(views[1]).toContain(text)
    expect(views[0]).toContain('Bearer demo-f…')
    expect(views[0]).toMatch(/theme=[^;"]*…(#\d+)?; session=[^;"]*…#?\d*"/)
    expect(views[0]).toMatch(
      /session=[^;"]*…(#\d+)?; Path=\/; Expires=Wed, 21 Oct 2035 07:28:00 GMT; HttpOnly/,
    )
    // The service and the judges see everything.
    for (const [, value] of Object.entries(sent)) expect(received()).toContain(value)
    expect(received()).toContain('cs-secret-9d')
    expect(views[2]).toContain('key-in-query')
  },
)

test('serve and its client commands show no secret', async () => {
  const server = await serveJson(['--mask', 'X-Tenant', '--contract', '--add-key', 'demo-frost=free'])
  await callAll(server.ready.url)
  await fetch(`${server.ready.url}/pets/rt-secret-9d`, { headers: { Authorization: 'Bearer rt-secret-9d' } })
  await fetch(`${server.ready.url}/pets`, { headers: { Authorization: 'Bearer demo-frost' } })
  const at = ['--url', server.ready.url]
  const commands = [
    ['requests'],
    ['requests', '--json'],
    ['requests', 'explain', '1'],
    ['requests', 'explain', '2', '--json'],
    ['requests', 'explain', '4'],
    ['conduct', '--json'],
    ['conduct'],
  ]
  const ran = await Promise.all(commands.map(words => runCommand([...words, ...at])))
  const har = await (await fetch(`${server.ready.admin}/requests.har`)).text()
  const [ready = '', ...log] = server.stdout().trim().split('\n')
  expect(ready).toContain('demo-free')
  const outputs = [...ran.map(({ stdout, stderr }) => stdout + stderr), har, log.join('\n')]
  for (const output of outputs) expect(output).not.toMatch(hidden)
  // Two keys that begin alike differ, by the same labels everywhere.
  expect(log.join('\n')).toContain('"key":"demo-f…#2"')
  expect(outputs[0]).toContain('demo-f…#2 free')
  expect(outputs[6]).toContain('demo-f…#2')
  const open = await runCommand(['requests', '--show-keys', '--json', ...at])
  expect(open.stdout).toContain('ck2-secret-9d')
})

test('exec shows no secret in its reports', async () => {
  const script = `
    const headers = ${JSON.stringify(sent)}
    await fetch(process.env.PET_MOCK_URL + ${JSON.stringify(target)}, { headers })
    await fetch(process.env.PET_MOCK_URL + '/pets/1?auth_token=q-secret-9d', { headers: { ...headers, Authorization: 'Bearer x-secret-9d' } })
    await fetch(process.env.PET_MOCK_URL + '/pets/1', { headers })
  `
  const folder = directoryWith({})
  const file = `${folder}/report.json`
  const args = [
    'exec',
    '--contract',
    '--report',
    file,
    '--log-format',
    'json',
    '--env',
    'K=key',
    '--mask',
    'X-Tenant',
  ]
  const command = [process.execPath, '--input-type=module', '-e', script]
  const { stderr, stdout } = await runCommand([...args, '--', ...command])
  const [, ...lines] = stderr.split('\n')
  for (const output of [lines.join('\n'), stdout, readFileSync(file, 'utf8')])
    expect(output).not.toMatch(hidden)
  expect(readFileSync(file, 'utf8')).toContain('src/app.ts?token=')
})

test('a repeated secret flag is not repeated in the complaint', async () => {
  const { code, stderr } = await runCommand([
    '--admin-token',
    'one-secret-9d',
    '--admin-token',
    'two-secret-9d',
  ])
  expect(code).toBe(2)
  expect(stderr).not.toMatch(hidden)
})

test('a URL with a password is refused without it', async () => {
  for (const url of ['htp://user:pw-secret-9d@host/v1', 'http://user:pw-secret-9d@host:x/v1']) {
    for (const words of [
      ['clock', '--url', url],
      ['proxy', url],
      ['check', url, '--key', 'k'],
    ]) {
      const { code, stderr } = await runCommand(words)
      expect(code).toBe(2)
      expect(stderr).not.toMatch(hidden)
    }
  }
})
