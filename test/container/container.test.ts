import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { parse } from 'yaml'
import { buildContext, carryOut, type Stage, wordsOf } from '../support/dockerfile.ts'
import { inContainer, openNetwork } from '../support/network.ts'
import { emptyFolder } from '../support/package.ts'
import { findProgram, requireOrSkip } from '../support/requirements.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = emptyFolder('container')
let image: Stage

/** There is no Docker here: the steps of the Dockerfile run in folders, and its command in namespaces of Linux. */
beforeAll(() => {
  const context = join(folder.path, 'context')
  for (const file of buildContext(root)) {
    mkdirSync(dirname(join(context, file)), { recursive: true })
    cpSync(join(root, file), join(context, file))
  }
  image = carryOut(join(root, 'Dockerfile'), context, folder.path)
  chmodSync(folder.path, 0o755)
}, 300_000)
afterAll(folder.remove, 120_000)

/** The words of instructions, with paths in the folder of the image. */
const wordsIn = (...keywords: readonly string[]) =>
  keywords
    .flatMap(keyword => wordsOf(image.last.get(keyword)))
    .map(word => (word.startsWith('/') ? join(image.root, word) : word))

describe('the Dockerfile', () => {
  it('builds an image with the command and no more', () => {
    const files = execFileSync('find', ['opt/pet-mock', '-maxdepth', '1'], {
      cwd: image.root,
      encoding: 'utf8',
    })
    expect(files.trim().split('\n').sort()).toEqual([
      'opt/pet-mock',
      'opt/pet-mock/dist',
      'opt/pet-mock/openapi.yaml',
      'opt/pet-mock/package.json',
      'opt/pet-mock/schemas',
    ])
    const [program = '', ...args] = wordsIn('ENTRYPOINT')
    expect(`${execFileSync(program, [...args, '--version'])}`).toMatch(/^\d+\.\d+\.\d+(?:-rc\.\d+)?\n$/)
  })

  it('runs as a user without rights, and checks its health by the command', () => {
    expect(image.last.get('USER')?.getArgumentsContent()).toBe('node')
    expect(wordsIn('HEALTHCHECK')).toEqual([...wordsIn('ENTRYPOINT'), 'health'])
    expect(image.last.get('EXPOSE')?.getArgumentsContent()).toBe('7387')
  })
})

describe('compose.yaml', () => {
  it('publishes the port on this machine only, passes the token on, and has the settings of the image', () => {
    const { services } = parse(readFileSync(join(root, 'compose.yaml'), 'utf8'))
    const { 'pet-mock': service } = services
    expect(service).toMatchObject({ build: '.', ports: ['127.0.0.1:7387:7387'], tmpfs: ['/tmp'] })
    const { PET_MOCK_ADMIN_TOKEN: token, ...settings } = service.environment
    expect(token).toMatch(/^\$\{PET_MOCK_ADMIN_TOKEN:-\}$/)
    expect(image.env).toMatchObject(settings)
    const hosts = [...Object.keys(services), 'host.docker.internal']
    expect(settings.PET_MOCK_ALLOWED_HOSTS.split(',')).toEqual(hosts)
  })
})

describe('a container', () => {
  /** Runs the image as process 1 of a network of its own. `curl` runs in another container. */
  async function start(context: TestContext, settings: Readonly<Record<string, string>>) {
    const tools = process.getuid?.() === 0 && existsSync('/proc/self/ns') && findProgram('ip')
    requireOrSkip(context, 'root on Linux with iproute2', tools || undefined)
    const network = openNetwork()
    const temporary = join(folder.path, `tmp-${network.name}`)
    mkdirSync(temporary)
    chmodSync(temporary, 0o777)
    const env = { ...image.env, TMPDIR: temporary, ...settings }
    const workdir = join(image.root, image.workdir)
    const [program = '', ...args] = inContainer(network.server, env, workdir, wordsIn('ENTRYPOINT', 'CMD'))
    const outer = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let log = ''
    for (const stream of [outer.stdout, outer.stderr])
      stream.on('data', chunk => {
        log += chunk
      })
    const ended = once(outer, 'exit')
    await expect.poll(() => log).toMatch(/Ctrl\+C|"ready"/)
    // Its process 1, as this machine sees it.
    const pid = `${execFileSync('pgrep', ['-P', `${outer.pid}`])}`.trim()
    const enter = [
      '--target',
      pid,
      '--net',
      '--pid',
      'setpriv',
      '--reuid=1000',
      '--regid=1000',
      '--clear-groups',
    ]
    const inside = (words: readonly string[]) =>
      execFileSync('nsenter', [...enter, ...words], {
        env: { PATH: process.env.PATH, ...env },
        encoding: 'utf8',
      })
    const outside = ['netns', 'exec', network.client, 'curl', '-sS', '--max-time', '10']
    const curl = (...words: readonly string[]) =>
      JSON.parse(execFileSync('ip', [...outside, ...words], { encoding: 'utf8' }))
    const stop = async () => {
      process.kill(Number(pid), 'SIGTERM')
      return await ended
    }
    return { network, inside, curl, stop, log: () => log, close: () => network.close(outer) }
  }

  it('serves others by its names only, is healthy, and ends as process 1', async context => {
    const { network, inside, curl, stop, log, close } = await start(context, { PET_MOCK_LOG_FORMAT: 'json' })
    try {
      const names = ['pet-mock', 'host.docker.internal', 'evil.example']
      const found = names.flatMap(name => ['--resolve', `${name}:7387:${network.address}`])
      const get = (host: string, path: string) =>
        curl(...found, '-H', 'Authorization: Bearer demo-free', `http://${host}:7387${path}`)
      expect(JSON.parse(/^\{.*"ready".*$/m.exec(log())?.[0] ?? '{}')).toMatchObject({ pid: 1 })
      for (const host of ['pet-mock', 'host.docker.internal', network.address])
        expect(get(host, '/v1/pets?limit=1')).toHaveLength(1)
      expect(get('evil.example', '/v1/pets')).toMatchObject({ code: 'host_not_allowed' })
      // Closed without a token, which is said once.
      expect(get('pet-mock', '/__admin/keys')).toMatchObject({ code: 'admin_plane_closed' })
      expect(log().match(/The admin plane is closed/g)).toHaveLength(1)
      const health = (host: string) => curl(...found, `http://${host}:7387/__admin/health`)
      expect(Object.keys(health('pet-mock'))).toEqual(['status', 'name', 'start'])
      expect(health('evil.example')).toMatchObject({ code: 'host_not_allowed' })
      expect(inside(wordsIn('HEALTHCHECK'))).toMatch(/^up /)
      expect(await stop()).toEqual([0, null])
    } finally {
      close()
    }
  })

  it('opens its admin plane with a token', async context => {
    const { network, curl, stop, close } = await start(context, { PET_MOCK_ADMIN_TOKEN: 'open-sesame' })
    try {
      const url = `http://${network.address}:7387/__admin/keys`
      expect(curl(url)).toMatchObject({ code: 'invalid_admin_token' })
      expect(curl('-H', 'Authorization: Bearer open-sesame', url)).toHaveProperty('keys')
      expect(await stop()).toEqual([0, null])
    } finally {
      close()
    }
  })
})
