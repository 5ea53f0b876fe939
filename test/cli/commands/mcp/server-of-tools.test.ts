import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { directoryWith } from '../../../support/directory.ts'
import { serveFor, startAgent } from '../../../support/mcp-client.ts'
import { commandWords, runCommand } from '../../../support/run-command.ts'

/** A server is found a moment after its ready line. */
const patience = { timeout: 100_000, interval: 50 }

test('finds a server that starts later, and says so when it ends', async () => {
  const TMPDIR = directoryWith({})
  const { fails, call, stderr } = await startAgent(TMPDIR)
  expect(await fails('get_status')).toBe(
    'No pet-mock runs on this machine. Start one in another shell, for example: npx pet-mock. The next call of a tool finds it.',
  )
  const { ready, child, ended } = await serveFor(TMPDIR)
  await expect.poll(() => call('get_status').catch(String), patience).toMatchObject({ url: ready.url })
  child.kill('SIGKILL')
  await ended
  expect(await fails('send_request', { call: 'GET /v1/pets' })).toContain('No pet-mock runs on this machine')
  const next = await serveFor(TMPDIR)
  await expect.poll(() => call('get_status').catch(String), patience).toMatchObject({ url: next.ready.url })
  expect(stderr()).toBe('')
  // It starts no server and writes no file.
  expect(readdirSync(TMPDIR, { recursive: true }).filter(name => `${name}`.endsWith('.json'))).toHaveLength(1)
})

test('asks which server is meant, and goes to no other address', async () => {
  const TMPDIR = directoryWith({})
  const [one, two] = [await serveFor(TMPDIR), await serveFor(TMPDIR, ['-s', 'ban'])]
  const elsewhere = await serveFor(directoryWith({}))
  const { fails, call } = await startAgent(TMPDIR, [], { PET_MOCK_ADMIN_TOKEN: 'secret' })
  const question = await fails('reset')
  expect(question).toContain('2 servers run on this machine. Name one of them in the field url:')
  for (const { ready } of [one, two]) expect(question).toContain(ready.url)
  expect((await call('get_status', { url: two.ready.url })).scenario.name).toBe('ban')
  expect((await call('get_status', { url: one.ready.admin })).scenario.name).toBe('free-plan')
  expect(await fails('get_status', { url: elsewhere.ready.url })).toContain('no pet-mock runs there')
  expect(await fails('get_status', { url: 'nonsense' })).toContain('expected the URL of a server')

  const fixed = await startAgent(TMPDIR, ['--url', elsewhere.ready.url])
  expect((await fixed.call('get_status')).url).toBe(elsewhere.ready.url)
  expect(await fixed.fails('get_status', { url: one.ready.url })).toContain(`is for`)
})

test('trusts the certificate of a server with --tls', async () => {
  const TMPDIR = directoryWith({})
  const { ready } = await serveFor(TMPDIR, ['--tls'], { XDG_CACHE_HOME: directoryWith({}) })
  const { call } = await startAgent(TMPDIR)
  await expect.poll(() => call('get_status').catch(String), patience).toMatchObject({ url: ready.url })
  expect(ready.url).toMatch(/^https:/)
  expect(await call('send_request', { call: 'GET /v1/pets' })).toMatchObject({ status: 200 })
})

test('sends the admin token, and says which one is missing', async () => {
  const TMPDIR = directoryWith({})
  await serveFor(TMPDIR, ['--admin-token', 'open-sesame'])
  const stranger = await startAgent(TMPDIR)
  expect(await stranger.fails('get_status')).toMatch(/token/i)
  const { call } = await startAgent(TMPDIR, [], { PET_MOCK_ADMIN_TOKEN: 'open-sesame' })
  expect((await call('get_status')).scenario.name).toBe('free-plan')
})

test.each(['SIGTERM', 'SIGINT'] as const)('%s ends it', async signal => {
  const { client, pid, stderr } = await startAgent(directoryWith({}))
  const closed = new Promise<void>(resolve => {
    client.onclose = resolve
  })
  process.kill(pid, signal)
  await closed
  expect(stderr()).toBe('')
})

test('the end of its input ends it, with the exit code 0 and nothing on stdout but the protocol', async () => {
  const [program = '', ...first] = commandWords
  const child = spawn(program, [...first, 'mcp'], { stdio: ['pipe', 'pipe', 'ignore'] })
  let stdout = ''
  child.stdout.on('data', chunk => {
    stdout += chunk
  })
  const ended = once(child, 'close')
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'old', version: '1' } },
  }
  child.stdin.write(`${JSON.stringify(initialize)}\nno JSON\n`)
  await once(child.stdout, 'data')
  child.stdin.end()
  const [code] = await ended
  expect(code).toBe(0)
  const lines = stdout.trim().split('\n')
  expect(lines.map(line => JSON.parse(line))).toMatchObject([
    { jsonrpc: '2.0', id: 1, result: { protocolVersion: '2024-11-05', serverInfo: { name: 'pet-mock' } } },
  ])
})

test('a wrong flag prints the usage, with the exit code 2', async () => {
  for (const flags of [
    ['--prot', '1'],
    ['--url', 'http://127.0.0.1:1', '--port', '1'],
  ])
    expect(await runCommand(['mcp', ...flags])).toMatchObject({ code: 2, stdout: '' })
})
