import { execFileSync, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  createReadStream,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createGzip, gunzipSync } from 'node:zlib'
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { complete } from '../support/doors/request.ts'
import { sendOverHttp } from '../support/doors.ts'
import { startAgent } from '../support/mcp-client.ts'
import { emptyFolder } from '../support/package.ts'
import { findNode, needPosix, requireOrSkip } from '../support/requirements.ts'

/*
 * The executable as people without Node have it: no environment, no PATH, an empty working directory that it may not
 * write to, and, where the tests run as root, a user without rights.
 */
const { path: folder, remove } = emptyFolder('binary')
afterAll(remove)
const binary = join(folder, 'pet-mock')
const [empty, own] = [join(folder, 'empty'), join(folder, 'own')]
const { version } = JSON.parse(readFileSync('package.json', 'utf8'))

const node = findNode('26', folder)
if (node !== undefined && process.platform !== 'win32') {
  execFileSync(node, ['tools/build/binary.ts'], { stdio: 'ignore' })
  copyFileSync('dist-binary/pet-mock', binary)
}
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
mkdirSync(empty, { mode: 0o555 })
mkdirSync(own)
chmodSync(own, 0o777)
chmodSync(folder, 0o755)

needPosix('shell')
beforeEach(context => void requireOrSkip(context, 'Node 26 from the registry', node))

function start(args: readonly string[], options: SpawnOptions = {}) {
  const child = spawn(binary, args, { cwd: empty, env: {}, ...nobody, ...options, stdio: 'pipe' })
  onTestFinished(() => void child.kill('SIGKILL'))
  child.stdin.end()
  return child
}

/** Runs the executable to its end. */
async function run(args: readonly string[], options?: SpawnOptions) {
  const child = start(args, options)
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { code, stdout, stderr }
}

/** Runs it as a server or a proxy. Resolves with its first line, and with its end by SIGTERM. */
async function serve(args: readonly string[]) {
  const child = start([...args, '--port', '0', '--log-format', 'json'])
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', piece => {
    printed += piece
  })
  const errors = text(child.stderr)
  const closed = once(child, 'close')
  while (!printed.includes('\n')) {
    const first = await Promise.race([once(child.stdout, 'data'), closed.then(() => 'closed')])
    if (first === 'closed') throw new Error(await errors)
  }
  const stop = async () => {
    child.kill()
    const [code] = await closed
    return { code, errors: await errors }
  }
  return { ...JSON.parse(printed.split('\n')[0] ?? ''), stop }
}

const headers = { Authorization: 'Bearer demo-free', 'Content-Type': 'application/json' }

it('has at most 60 MB, packed', async () => {
  let bytes = 0
  for await (const piece of createReadStream(binary).pipe(createGzip())) bytes += piece.length
  expect(bytes).toBeLessThan(60_000_000)
})

it.each([
  [['--version'], version],
  [['--help'], 'Serves the Pet Adoption Service'],
  [['completion', 'bash'], '_pet_mock'],
  [['scenarios', 'list'], 'rate-limit-exhaustion'],
  [['scenarios', 'show', 'outage'], 'title: An outage'],
  [['scenarios', 'play', 'ban'], '3 calls: passed'],
] as const)('prints %j', async (args, expected) => {
  expect(await run(args)).toEqual({ code: 0, stdout: expect.stringContaining(expected), stderr: '' })
})

describe('serve', () => {
  it('answers calls, also those of an OpenAPI file', async () => {
    const operation = { get: { responses: { 200: { description: 'The charges.' } } } }
    const info = { title: 'Charges', version: '1' }
    const file = join(folder, 'charges.json')
    writeFileSync(file, JSON.stringify({ openapi: '3.0.3', info, paths: { '/v1/charges': operation } }))
    const { url, stop } = await serve(['--openapi', file])
    const body = JSON.stringify({ name: 'Rex', categoryId: 1 })
    expect((await fetch(`${url}/pets`, { method: 'POST', headers, body })).status).toBe(201)
    for (const path of ['/pets/101', '/charges', '/../openapi.yaml'])
      expect([path, (await fetch(url + path, { headers })).status]).toEqual([path, 200])
    expect(await stop()).toEqual({ code: 0, errors: expect.stringContaining('GET /v1/charges') })
  })

  it('judges by --contract', async () => {
    const file = join(folder, 'broken.yaml')
    const then = '{ status: 200, body: { id: 1, name: Rex, categoryId: 1, status: lost } }'
    writeFileSync(file, `extends: free-plan\nrules: [{ match: { operation: getPet }, then: ${then} }]\n`)
    const { url, admin } = await serve(['--contract', '--scenario', file])
    await fetch(`${url}/pets/1`, { headers })
    const breaches = [{ side: 'response', place: 'status' }]
    expect(await (await fetch(`${admin}/requests`)).json()).toMatchObject({ requests: [{ breaches }] })
  })

  it('shows the dashboard, with all of its files', async () => {
    const { admin, stop } = await serve([])
    const asked = complete({ target: '/__admin/', headers: [['Accept', 'text/html']] })
    expect((await sendOverHttp(new URL(admin).host, asked)).text).toBe(
      readFileSync('dist/dashboard/index.html', 'utf8'),
    )
    for (const name of readdirSync('dist/dashboard/assets')) {
      const bytes = readFileSync(`dist/dashboard/assets/${name}`)
      const served = await fetch(`${admin}/assets/${name.replace(/\.gz$/, '')}`)
      expect(`${name}: ${Buffer.from(await served.arrayBuffer()).toString('base64')}`).toBe(
        `${name}: ${(name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('base64')}`,
      )
    }
    expect(await stop()).toMatchObject({ code: 0, errors: '' })
  })

  it('passes check, and answers through proxy', async () => {
    const { url, stop } = await serve([])
    expect(await run(['check', url, '--key', 'demo-free'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Checks +\d/m),
    })
    const proxy = await serve(['proxy', url])
    expect((await fetch(`${proxy.url}/pets`, { headers })).status).toBe(200)
    expect([await proxy.stop(), await stop()]).toMatchObject([{ code: 0 }, { code: 0 }])
  })

  it('gives an agent its tools', async () => {
    const { url } = await serve([])
    const agent = await startAgent(empty, [], { PATH: '', PET_MOCK_URL: url }, 'legacy', [binary])
    await expect.poll(() => agent.call('get_status').catch(String)).toMatchObject({ url })
  })
})

describe('other programs and files', () => {
  it('runs a shell script, and ends as it does', async () => {
    const script = 'echo "$PET_MOCK_URL $PET_MOCK_KEY"; exit 6'
    const { code, stdout } = await run(['exec', '--', '/bin/sh', '-c', script])
    expect([code, stdout]).toEqual([6, expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/v1 demo-free\n/)])
  })

  it('rehearses a client in two situations at a time', async () => {
    const client = `${binary} check "$PET_MOCK_URL" --key "$PET_MOCK_KEY"; exit 0`
    const flags = ['--jobs', '2', '--only', 'outage', '--only', 'ban', '--', '/bin/sh', '-c', client]
    expect(await run(['rehearse', ...flags])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('2 of 2 situations passed.'),
    })
  })

  it('says what it may not write', async () => {
    const { code, stderr } = await run(['init'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('cannot be written (permission denied)')])
  })

  it('copies files of the package', async () => {
    expect(await run(['init'], { cwd: own })).toEqual({
      code: 0,
      stdout: expect.stringContaining(`Serve it: ${binary}\n`),
      stderr: '',
    })
    expect(readFileSync(join(own, 'pet-mock/project.schema.json'), 'utf8')).toBe(
      readFileSync('schemas/project.schema.json', 'utf8'),
    )
    const recorded = ['exec', '--box', 'run.petbox', '--', '/bin/sh', '-c', 'exit 1']
    expect(await run(recorded, { cwd: own })).toMatchObject({ code: 1 })
    const exported = ['box', 'export', 'run.petbox', '--html', 'run.html']
    expect(await run(exported, { cwd: own })).toMatchObject({ code: 0, stderr: '' })
    expect(readFileSync(join(own, 'run.html'), 'utf8')).toContain('<!doctype html>')
  })

  it.each([
    ['policy.mjs', ''],
    ['policy.ts', ': { now: () => number }'],
  ])('runs a policy of the user, %s', async (name, type) => {
    const create = `export const create = ({ now }${type}) => ({ next: () => now() + 1_000, seen: () => undefined })\n`
    writeFileSync(join(folder, name), create)
    const fleet = ['fleet', '--policy', join(folder, name), '--instances', '3', '--demand', '10/m']
    expect(await run(fleet)).toMatchObject({ code: 0, stderr: '' })
  })

  it('ends a policy that never returns', async () => {
    const policy = join(folder, 'loop.mjs')
    writeFileSync(policy, 'export const create = () => ({ next: () => { for (;;); }, seen: () => {} })\n')
    const fleet = ['fleet', '--policy', policy, '--instances', '3', '--demand', '10/m']
    expect(await run(fleet)).toMatchObject({ code: 2, stderr: expect.stringContaining('took over 5 s') })
  })
})
