import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { serveFor, startAgent } from '../support/mcp-client.ts'
import { installPackage } from '../support/package.ts'
import { findNode, requireOrSkip } from '../support/requirements.ts'

/* The package as users have it: packed, and installed into an empty folder. */
const { app, tarball, env, remove } = installPackage()
const bin = join(app, 'node_modules/.bin/pet-mock')
writeFileSync(join(app, 'mine.yaml'), 'extends: free-plan\nkeys: { demo-free: { used: { minute: 10 } } }\n')

afterAll(remove)

/** What a command that serves answers to four calls, the first of which is counted. */
async function fly(program: string, args: readonly string[], cwd = app): Promise<unknown> {
  const child = spawn(program, [...args, '--port', '0', '--log-format', 'json'], {
    cwd,
    env,
    // npx and its shell do not pass every signal on: the whole group is told.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const collect = (chunk: Buffer) => {
    output += chunk
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  const closed = once(child, 'close').then(() => 'closed')
  try {
    while (!/^\{"event":"ready".*\n/m.test(output)) {
      if ((await Promise.race([once(child.stdout, 'data'), closed])) === 'closed') return output
    }
    const { url, key } = JSON.parse(/^\{"event":"ready".*$/m.exec(output)?.[0] ?? '')
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    const list = await fetch(`${url}/pets?limit=2`, { headers })
    const rex = await fetch(`${url}/pets`, { method: 'POST', headers, body: '{"name":"Rex","categoryId":1}' })
    const incomplete = await fetch(`${url}/pets`, { method: 'POST', headers, body: '{"name":"Rex"}' })
    const keyless = await fetch(`${url}/pets`)
    const statuses = [list, rex, incomplete, keyless].map(({ status }) => status)
    return { statuses, remaining: list.headers.get('x-ratelimit-remaining') }
  } finally {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM')
    await closed
  }
}

const freePlan = { statuses: [200, 201, 400, 401], remaining: '59' }
const mine = { statuses: [200, 201, 400, 401], remaining: '49' }

it('is one package, and nothing beside it', () => {
  const packages = readdirSync(join(app, 'node_modules')).filter(name => !name.startsWith('.'))
  expect(packages).toEqual(['pet-mock'])
})

it('prints its help without files beside it', () => {
  const help = () => execFileSync(bin, ['--help'], { cwd: app, env, encoding: 'utf8' })
  const printed = help()
  // yargs would take its texts from these files.
  const locales = join(app, 'node_modules/pet-mock/locales')
  mkdirSync(locales)
  for (const name of ['en.json', 'en_US.json'])
    writeFileSync(join(locales, name), '{"Commands:":"Other text"}')
  expect(help()).toBe(printed)
  rmSync(locales, { recursive: true })
})

it('starts by its bin', async () => {
  expect(await fly(bin, ['--scenario', 'free-plan'])).toEqual(freePlan)
})

it('loads no part of Node for a plain start that it does not use', async () => {
  const list = join(app, 'loaded.json')
  writeFileSync(
    join(app, 'list-loaded.cjs'),
    `process.on('exit', () => require('fs').writeFileSync(${JSON.stringify(list)}, JSON.stringify(process.moduleLoadList)))`,
  )
  const command = join(app, 'node_modules/pet-mock/dist/pet-mock.cjs')
  expect(await fly(process.execPath, ['-r', './list-loaded.cjs', command])).toEqual(freePlan)
  const loaded: readonly string[] = JSON.parse(readFileSync(list, 'utf8'))
  expect(loaded).toContain('NativeModule http')
  // Each takes about a millisecond.
  const costly = ['internal/fs/promises', 'module', 'v8', 'crypto', 'worker_threads', 'inspector']
  expect(loaded.filter(name => costly.includes(name.replace('NativeModule ', '')))).toEqual([])
})

it('starts by npx, from the tarball', async () => {
  const args = ['--yes', `./${basename(tarball.path)}`, '--scenario', 'free-plan']
  expect(await fly('npx', args, dirname(tarball.path))).toEqual(freePlan)
})

describe('exec', () => {
  const list =
    "fetch(process.env.PET_MOCK_URL + '/pets', { headers: { Authorization: 'Bearer ' + process.env.PET_MOCK_KEY } })"
  const test = `${list}.then(({ status }) => { console.log('status', status, process.argv.slice(2).join()); process.exitCode = 6 })`
  writeFileSync(join(app, 'test.mjs'), test)
  const manifest = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8'))
  const scripts = { test: 'pet-mock exec -s ban -- node test.mjs --scenario' }
  writeFileSync(join(app, 'package.json'), JSON.stringify({ ...manifest, scripts }))
  const run = (program: string, args: readonly string[], cwd = app) => {
    const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: 'utf8' })
    return { status, told: stdout.split('\n').filter(line => line.startsWith('status')), stderr }
  }

  it('runs in a script of npm, and passes on what npm adds', () => {
    expect(run('npm', ['test', '--', 'x y'])).toMatchObject({
      status: 6,
      told: ['status 429 --scenario,x y'],
    })
  })

  it('runs npm, which runs pet-mock', () => {
    expect(run(bin, ['exec', '--', 'npm', 'test'])).toMatchObject({
      status: 6,
      told: ['status 429 --scenario'],
    })
  })

  it('runs by npx, from the tarball', () => {
    const args = ['--yes', `./${basename(tarball.path)}`, 'exec', '--', 'node', 'app/test.mjs', '--port']
    expect(run('npx', args, dirname(tarball.path))).toEqual({
      status: 6,
      told: ['status 200 --port'],
      stderr: '',
    })
  })
})

it('reads a scenario file, for which it loads what a plain start leaves alone', async () => {
  expect(await fly(bin, ['--scenario', 'mine.yaml'])).toEqual(mine)
})

it('gives a coding agent its tools', async () => {
  const { ready } = await serveFor(app)
  const { call } = await startAgent(app, [], {}, 'legacy', [process.execPath, bin])
  await expect.poll(() => call('get_status').catch(String)).toMatchObject({ url: ready.url })
  expect(await call('send_request', { call: 'GET /v1/pets' })).toMatchObject({ status: 200 })
})

it('has the files that others read', () => {
  for (const path of ['openapi.yaml', 'schemas/scenario.schema.json', 'package.json']) {
    const script = `console.log(import.meta.resolve('pet-mock/${path}'))`
    const args = ['--input-type=module', '--eval', script]
    const url = execFileSync(process.execPath, args, { cwd: app, encoding: 'utf8' })
    expect(readFileSync(new URL(url.trim()), 'utf8')).not.toBe('')
  }
})

/** `exec`, which runs `check` against itself: all of Prism and of the generated requests is loaded, twice. */
function checkItself(node: string): {
  readonly status: number | null
  readonly failed: unknown
  readonly warnings: string
} {
  const command = [node, 'node_modules/pet-mock/dist/pet-mock.cjs']
  const args = [...command.slice(1), 'exec', '--contract', '--', ...command, 'check', '--json']
  const { status, stdout, stderr } = spawnSync(node, args, { cwd: app, env, encoding: 'utf8' })
  const warnings = stderr
    .split('\n')
    .filter(line => /DEP\d|^\(node/.test(line))
    .join()
  return { status, failed: JSON.parse(stdout).failed, warnings }
}

const kept = { status: 0, failed: false, warnings: '' }

it('keeps its own contract, judged by itself', () => {
  expect(checkItself(process.execPath)).toEqual(kept)
})

describe.each(['22', '24', '26'])('on Node %s', version => {
  it('starts', { timeout: 300_000 }, async context => {
    const node = requireOrSkip(
      context,
      `Node ${version}, and no registry that has it`,
      findNode(version, app),
    )
    expect(await fly(node, ['node_modules/pet-mock/dist/pet-mock.cjs'])).toEqual(freePlan)
    expect(await fly(node, ['node_modules/pet-mock/dist/pet-mock.cjs', '-s', 'mine.yaml'])).toEqual(mine)
    expect(checkItself(node)).toEqual(kept)
  })
})
