import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { directoryWith } from '../../support/directory.ts'
import { listenHttp } from '../../support/listen.ts'
import { runCommand, serveJson, spawnCommand } from '../../support/run-command.ts'

async function proxy(url: string, cwd: string, ...flags: readonly string[]) {
  const running = spawnCommand(
    ['proxy', url, '--port', '0', '--log-format', 'json', '--record', 'calls.yaml', ...flags],
    { cwd },
  )
  const [line] = await running.until(/^.+(?=\n)/)
  const ready: { url: string } = JSON.parse(line)
  const call = async (target: string, key: string, init: RequestInit = {}) => {
    const response = await fetch(ready.url + target, {
      ...init,
      headers: { ...init.headers, Authorization: `Bearer ${key}` },
    })
    return await response.text()
  }
  const stop = async () => {
    running.child.kill('SIGTERM')
    return await running.ended
  }
  return { call, stop }
}

const secret = 'live_4f9a8c71b2e3d5f6'

it('writes the traffic as a scenario that passes', async () => {
  const server = await serveJson(['-s', 'rate-limit-exhaustion', '--add-key', `${secret}=pro`])
  const cwd = directoryWith({})
  const { call, stop } = await proxy(server.ready.url, cwd)
  for (let made = 0; made < 4; made += 1) await call('/pets', 'demo-free')
  const json = { 'Content-Type': 'application/json', Cookie: 'sid=abcdefgh12345678' }
  await call('/pets', secret, {
    method: 'POST',
    body: '{"name":"Rex","categoryId":9007199254740993}',
    headers: json,
  })
  await call('/pets/101', secret)
  await call('/pets?status=sold', secret)
  await call('/pets', 'wrong_key_12345678')
  const { stderr } = await stop()
  expect(stderr).toMatch(/Recorded 8 calls to .*calls\.yaml\./)
  expect(stderr).toMatch(/\d steps, 8 calls: passed/)
  const text = readFileSync(`${cwd}/calls.yaml`, 'utf8')
  for (const hidden of [secret, 'wrong_key', 'abcdefgh']) expect(text + stderr).not.toContain(hidden)
  expect(text).toContain('categoryId: 9007199254740993')
  expect(text).toContain('call: GET /v1/pets/${pet1}')
  expect(await runCommand(['scenarios', 'play', 'calls.yaml'], { cwd })).toMatchObject({ code: 0 })
})

it('lists what differs from the emulator, and exits with 1', async () => {
  const { origin } = await listenHttp((_request, response) => {
    response.setHeader('Content-Type', 'application/json')
    response.end('{"odd":true}')
  })
  const cwd = directoryWith({})
  const { call, stop } = await proxy(`${origin}/api`, cwd, '--no-contract', '--fail-on', 'never')
  await call('/nothing', secret)
  await call('/pets/none', secret)
  const { stderr, code } = await stop()
  expect(stderr).toContain('- 1 × the answer of an operation that the API does not have (GET /v1/nothing)')
  expect(stderr).toMatch(/✗ GET \/v1\/pets\/none[\s\S]*status +200 +404[\s\S]*1 step differs/)
  expect(code).toBe(1)
})

it('writes no file without calls, and replaces none', async () => {
  const cwd = directoryWith({})
  const { stop } = await proxy('http://127.0.0.1:9/v1', cwd)
  expect(await stop()).toMatchObject({ code: 0, stderr: expect.stringContaining('No call was recorded') })
  expect(existsSync(`${cwd}/calls.yaml`)).toBe(false)
  const there = directoryWith({ 'calls.yaml': 'mine' })
  const refused = await runCommand(['proxy', 'http://127.0.0.1:9/v1', '--record', 'calls.yaml'], {
    cwd: there,
  })
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('already exists') })
  expect(readFileSync(`${there}/calls.yaml`, 'utf8')).toBe('mine')
})
