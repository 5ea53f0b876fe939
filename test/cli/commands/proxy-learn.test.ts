import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { directoryWith } from '../../support/directory.ts'
import { runCommand, serveJson, spawnCommand } from '../../support/run-command.ts'

/** A proxy that learns, and a function that sends calls through it. */
async function learningProxy(url: string, cwd: string, ...flags: readonly string[]) {
  const all = ['--port', '0', '--log-format', 'json', '--fail-on', 'never', '--learn', 'pets.yaml', ...flags]
  const running = spawnCommand(['proxy', url, ...all], { cwd })
  const [line] = await running.until(/^.+(?=\n)/)
  const ready: { url: string } = JSON.parse(line)
  const call = async (target: string, key = 'demo-free') => {
    const response = await fetch(ready.url + target, { headers: { Authorization: `Bearer ${key}` } })
    return await response.text()
  }
  const stop = async () => {
    running.child.kill('SIGTERM')
    return await running.ended
  }
  return { call, stop }
}

const service = `
keys: { demo-free: { used: { minute: 52 } } }
limits: { retryAfter: http-date }
pageSize: clamp
bans: { after: 5, for: 900s, status: 403 }
errors: { pet_not_found: { code: not_found, message: 'No pet {id}' } }
`

it('learns what the traffic shows, and adds it to the profile', async () => {
  const cwd = directoryWith({ 'service.yaml': service })
  const server = await serveJson(['-s', `${cwd}/service.yaml`])
  const { call, stop } = await learningProxy(server.ready.url, cwd)
  for (const target of [
    '/pets',
    '/pets',
    '/pets',
    '/pets',
    '/pets?limit=101',
    '/pets/1',
    '/pets/987001',
    '/pets/987002',
  ])
    await call(target)
  for (let refused = 0; refused < 6; refused += 1) await call('/pets')
  expect(await stop()).toMatchObject({ code: 0 })
  const text = readFileSync(`${cwd}/pets.yaml`, 'utf8')
  expect(text).toContain(`service: ${server.ready.url}`)
  for (const line of [
    /^ {2}limits\.retryAfter: .*value: http-date, state: observed/m,
    /^ {2}pageSize: .*value: clamp, state: observed/m,
    /^ {2}bans\.status: .*value: 403, state: observed/m,
    /^ {2}bans\.after: .*atMost: 5, state: bounded, seen: 1/m,
    /^ {2}bans\.for: .*value: 900s, state: inferred, seen: 1/m,
    /^ {2}errors\.pet_not_found: .*code: not_found, message: "No pet \{id\}", state: observed, seen: 2/m,
  ])
    expect(text).toMatch(line)
  expect(text).not.toContain('demo-free')
  const again = await learningProxy(server.ready.url, cwd)
  await again.call('/pets/987001', 'demo-pro')
  await again.call('/pets?limit=1000', 'demo-pro')
  await again.stop()
  expect(readFileSync(`${cwd}/pets.yaml`, 'utf8')).toMatch(/^ {2}pageSize: .*seen: 2/m)
})

it('learns nothing from what a rule answers', async () => {
  const cwd = directoryWith({
    'rules.yaml': `rules: [{ name: odd, then: { status: 400, body: { code: odd, message: Odd } } }]`,
  })
  const server = await serveJson(['-s', 'free-plan'])
  const { call, stop } = await learningProxy(server.ready.url, cwd, '--rules', 'rules.yaml')
  await call('/pets?limit=0')
  await stop()
  expect(existsSync(`${cwd}/pets.yaml`) && readFileSync(`${cwd}/pets.yaml`, 'utf8')).not.toContain('odd')
})

it('refuses the profile of another service at the start', async () => {
  const profile = 'profile: 1\nservice: https://other.example/v1\nlearned: {}\nunknown: []\n'
  const cwd = directoryWith({ 'pets.yaml': profile })
  const { code, stderr } = await runCommand(['proxy', 'http://127.0.0.1:9/v1', '--learn', 'pets.yaml'], {
    cwd,
  })
  expect(code).toBe(2)
  expect(stderr).toContain('the profile is of https://other.example/v1, not of http://127.0.0.1:9/v1')
  expect(readFileSync(`${cwd}/pets.yaml`, 'utf8')).toBe(profile)
})
