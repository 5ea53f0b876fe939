import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { installPackage } from '../support/package.ts'

/* What docs/stability.md promises of the installed package. */
const installed = installPackage()
afterAll(installed.remove)
const app = realpathSync(installed.app)
/** The path that the page starts. */
const [, path = ''] = /^node --permission .* (\S+)$/m.exec(readFileSync('docs/stability.md', 'utf8')) ?? []
const program = join(app, path)
const major = Number.parseInt(process.versions.node, 10)

/** The flags of Node's permission model for a server, as the page lists them. */
const usual = [
  major < 22 ? '--experimental-permission' : '--permission',
  ...(major < 25 ? [] : ['--allow-net']),
  `--allow-fs-read=${join(app, 'node_modules/pet-mock/')}`,
]

function start(permissions: readonly string[], args: readonly string[], cwd = app) {
  const child = spawn(process.execPath, [...permissions, program, ...args], {
    cwd,
    env: { ...installed.env, INIT_CWD: undefined },
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', chunk => {
    stdout += chunk
  })
  child.stderr.on('data', chunk => {
    stderr += chunk
  })
  const ended = once(child, 'close').then(([code]) => ({ code, stdout, stderr: withoutNodesNotes(stderr) }))
  return { child, ended, stdout: () => stdout }
}

/** Node 20 says that its model is an experiment. */
function withoutNodesNotes(text: string): string {
  return text.replace(/^\(node:\d+\) ExperimentalWarning: .*\n|^\(Use `node --trace-warnings.*\n/gm, '')
}

const serving = ['--port', '0', '--log-format', 'json']
const headers = { Authorization: 'Bearer demo-free', 'Content-Type': 'application/json' }

async function readyOf({ stdout, ended }: ReturnType<typeof start>): Promise<{ url: string; admin: string }> {
  let isOver = false
  ended.then(() => {
    isOver = true
  })
  await expect.poll(() => isOver || stdout().includes('\n')).toBe(true)
  if (isOver) throw new Error((await ended).stderr)
  return JSON.parse(stdout().split('\n')[0] ?? '')
}

it('serves with the package as all that it may read', async () => {
  const outside = join(app, 'empty')
  mkdirSync(outside)
  const server = start(usual, [...serving, '--contract', '--scenario', 'ban'], outside)
  const { url, admin } = await readyOf(server)
  expect((await fetch(`${url}/pets`, { headers })).status).toBe(429)
  expect(
    (await fetch(`${admin}/clock/advance`, { method: 'POST', headers, body: '{"by":"1h"}' })).status,
  ).toBe(200)
  expect((await fetch(`${url}/pets`, { headers })).status).toBe(200)
  expect((await fetch(`${admin}/`)).status).toBe(200)
  expect(await (await fetch(`${admin}/conduct`)).json()).toHaveProperty('findings')
  server.child.kill('SIGTERM')
  expect(await server.ended).toMatchObject({ code: 0, stderr: '' })
})

it('reads and writes the folders that are allowed', async () => {
  mkdirSync(join(app, 'mine/data'), { recursive: true })
  writeFileSync(join(app, 'mine/mine.yaml'), 'extends: free-plan\npets: { count: 3 }\n')
  writeFileSync(join(app, 'mine/pet-mock.yaml'), 'scenario: mine.yaml\n')
  const permissions = [...usual, `--allow-fs-read=${app}/mine/`, `--allow-fs-write=${app}/mine/data/`]
  const server = start(permissions, [...serving, '--state', 'data/pets.json'], join(app, 'mine'))
  const { url } = await readyOf(server)
  const body = '{"name":"Rex","categoryId":1}'
  const created = await fetch(`${url}/pets`, { method: 'POST', headers, body })
  expect(created.headers.get('location')).toMatch(/\/pets\/4$/)
  server.child.kill('SIGTERM')
  expect(await server.ended).toMatchObject({ code: 0, stderr: '' })
  expect(readFileSync(join(app, 'mine/data/pets.json'), 'utf8')).toContain('"Rex"')
})

it('runs a command, which has the same permissions from Node 22 on', async () => {
  const look = `try { require('fs').readdirSync('/'); console.log('all') } catch (error) { console.log(error.code) }`
  const command = ['exec', '--', process.execPath, '-e', look]
  const { code, stdout } = await start([...usual, '--allow-child-process'], command).ended
  expect({ code, stdout }).toEqual({ code: 0, stdout: major < 22 ? 'all\n' : 'ERR_ACCESS_DENIED\n' })
})

it('explains that it may not run a command', async () => {
  const { code, stderr } = await start(usual, ['exec', '--log-format', 'silent', '--', 'true']).ended
  expect([code, stderr]).toEqual([
    126,
    "true cannot be run: Node's permission model allows no other programs; add --allow-child-process.\n",
  ])
})

it('explains what it may not read or write, and does not start', async ({ skip }) => {
  skip(major < 22, 'on Node 20 the permission model is an experiment, and a refusal ends the process')
  writeFileSync(join(app, 'secret.yaml'), 'title: Secret\n')
  const cases = [
    ['--scenario', 'secret.yaml'],
    ['--state', 'pets.json'],
  ]
  for (const flags of cases) {
    const { code, stdout, stderr } = await start(usual, [...serving, ...flags]).ended
    expect([flags, code, stdout]).toEqual([flags, 2, ''])
    expect(stderr).toMatch(/--allow-fs-(?:read|write)/)
    expect(stderr).not.toMatch(/\n\s+at /)
  }
})

/** Notes each connection, name look-up, datagram socket and process that Node starts for the program. */
writeFileSync(
  join(app, 'watch.mjs'),
  `import childProcess from 'node:child_process'
import dgram from 'node:dgram'
import dns from 'node:dns'
import { appendFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
const watch = (object, name, isNoted = () => true) => {
  const plain = object[name]
  object[name] = function (...args) {
    if (isNoted(args[0])) appendFileSync('attempts.txt', name + ' ' + JSON.stringify(args[0]) + '\\n')
    return plain.apply(this, args)
  }
}
watch(net.Socket.prototype, 'connect')
watch(childProcess.ChildProcess.prototype, 'spawn')
watch(dgram, 'createSocket')
const isName = host => net.isIP(host) === 0
for (const name of ['lookup', 'resolve', 'resolve4', 'resolve6', 'resolveTxt']) {
  watch(dns, name, isName)
  watch(dns.promises, name, isName)
}
syncBuiltinESMExports()
`,
)
const attempts = () =>
  existsSync(join(app, 'attempts.txt')) ? readFileSync(join(app, 'attempts.txt'), 'utf8') : ''
const watched = ['--import', './watch.mjs']

it('opens no connection, asks for no name and starts no process of its own', async () => {
  execFileSync(process.execPath, [...watched, program, '--help'], { cwd: app, env: installed.env })
  const flags = [...serving, '--contract', '--state', 'pets.json']
  const server = start(watched, flags)
  const { url, admin } = await readyOf(server)
  expect((await fetch(`${url}/pets`, { headers })).status).toBe(200)
  for (const path of ['/', '/requests', '/conduct', '/metrics', '/requests.har'])
    expect([path, (await fetch(admin + path)).status]).toEqual([path, 200])
  server.child.kill('SIGTERM')
  expect(await server.ended).toMatchObject({ code: 0, stderr: '' })
  expect(attempts()).toBe('')
  // The same watch sees a program that does.
  const script = `await fetch('http://127.0.0.1:59999').catch(() => {}); await import('node:dns').then(({ lookup }) => lookup('localhost', () => {}))`
  execFileSync(process.execPath, [...watched, '--input-type=module', '--eval', script], { cwd: app })
  expect(attempts()).toMatch(/^connect .*\n[\s\S]*lookup "localhost"\n/)
})

it('installs without running any script', () => {
  const folder = join(app, 'without-scripts')
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{}')
  const args = ['install', '--ignore-scripts', installed.tarball.path]
  execFileSync('npm', args, { cwd: folder, env: installed.env, stdio: 'ignore' })
  const bin = join(folder, 'node_modules/.bin/pet-mock')
  expect(execFileSync(bin, ['--version'], { encoding: 'utf8' })).toMatch(/^\d+\.\d+\.\d+(?:-rc\.\d+)?\n$/)
  const list = execFileSync(bin, ['scenarios', 'list', '--json'], { encoding: 'utf8' })
  expect(JSON.parse(list).scenarios.length).toBeGreaterThan(10)
})
