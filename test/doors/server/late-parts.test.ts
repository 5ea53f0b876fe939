import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, readdirSync, renameSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished, type TestContext } from 'vitest'
import { directoryWith } from '../../support/directory.ts'
import { needPosix, requireOrSkip } from '../../support/requirements.ts'

needPosix('shell')

const dist = fileURLToPath(new URL('../../../dist', import.meta.url))

interface CopyOptions {
  readonly flags?: readonly string[]
  readonly descriptors?: number
  readonly files?: Readonly<Record<string, string>>
}

/** A server from a copy of the bundle, whose files a test may move away. */
async function serveCopy(context: TestContext, options: CopyOptions = {}) {
  if (process.env.PET_MOCK_TEST_COMMAND !== undefined) context.skip('files of an executable cannot go away')
  const { flags = [], descriptors = 1_024, files = {} } = options
  requireOrSkip(context, 'dist (npm run build)', existsSync(`${dist}/pet-mock.cjs`) ? dist : undefined)
  const directory = directoryWith({ 'package.json': '{ "type": "module" }', ...files })
  cpSync(dist, `${directory}/dist`, { recursive: true, filter: path => !path.includes('/types') })
  const line = `ulimit -n ${descriptors}; exec "$0" dist/pet-mock.cjs --port 0 --log-format json "$@"`
  const child = spawn('sh', ['-c', line, process.execPath, ...flags], {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const texts = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', text => {
      texts[name] += text
    })
  const until = async (name: keyof typeof texts, pattern: RegExp) => {
    while (!pattern.test(texts[name])) await once(child[name], 'data')
  }
  await until('stdout', /\n/)
  const [ready = ''] = texts.stdout.split('\n')
  const { url }: { url: string } = JSON.parse(ready)
  // One connection, which is there before descriptors run out.
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  const get = async (path: string) => {
    const headers = { Authorization: 'Bearer demo-free' }
    const [response] = await once(request(new URL(path, url), { agent, headers }).end(), 'response')
    const chunks: string[] = []
    for await (const chunk of response.setEncoding('utf8')) chunks.push(chunk)
    return { status: response.statusCode, text: chunks.join('') }
  }

  return { chunks: `${directory}/dist/commonjs/chunks`, port: Number(new URL(url).port), get, until, child }
}

describe('a part that could not be loaded is loaded by a later call', () => {
  it('all files were away, as during a build', async context => {
    const { chunks, get } = await serveCopy(context)
    renameSync(chunks, `${chunks}.away`)
    for (let time = 0; time < 2; time += 1) {
      const { status, text } = await get('/__admin/health')
      expect(status).toBe(500)
      expect(JSON.parse(text).message).toMatch(/^The files of pet-mock in .*chunks changed .* Restart it\.$/)
    }
    expect((await get('/v1/pets')).status).toBe(200)
    renameSync(`${chunks}.away`, chunks)
    expect((await get('/__admin/health')).status).toBe(200)
  })

  it('one file was away that others import', async context => {
    const { chunks, get } = await serveCopy(context)
    const [name = ''] = readdirSync(chunks).filter(name => name.startsWith('conduct-report-'))
    renameSync(`${chunks}/${name}`, `${chunks}.away`)
    expect((await get('/__admin/health')).status).toBe(500)
    renameSync(`${chunks}.away`, `${chunks}/${name}`)
    expect((await get('/__admin/health')).status).toBe(200)
  })

  it('all descriptors were taken by connections', async context => {
    const { port, get } = await serveCopy(context, { descriptors: 96 })
    await get('/v1/pets')
    const taken: Socket[] = []
    // The system closes a connection that the server has no descriptor for.
    for (let isFull = false; !isFull && taken.length < 200; ) {
      const socket = connect(port, '127.0.0.1').on('error', () => {})
      onTestFinished(() => {
        socket.destroy()
      })
      taken.push(socket)
      await once(socket, 'connect')
      isFull = await Promise.race([
        once(socket, 'close').then(() => true),
        new Promise<false>(resolve => setTimeout(resolve, 20, false)),
      ])
    }
    const { status, text } = await get('/__admin/health')
    expect(status).toBe(500)
    expect(JSON.parse(text).message).toMatch(/too many open files/)
    for (const socket of taken) socket.destroy()
    let last = 500
    for (let time = 0; time < 100 && last === 500; time += 1) last = (await get('/__admin/health')).status
    expect(last).toBe(200)
  })

  it('the contract: the call in between has no verdict, and the next one has', async context => {
    const broken = `extends: free-plan
rules: [{ match: { operation: getPet }, then: { status: 200, body: { id: 1, name: Rex } } }]
`
    const flags = ['--contract', '--scenario', 'broken.yaml']
    const { chunks, get, until } = await serveCopy(context, { flags, files: { 'broken.yaml': broken } })
    renameSync(chunks, `${chunks}.away`)
    await get('/v1/pets/1')
    await until('stderr', /no verdict on GET \/v1\/pets\/1 → 200: the judge failed: The files of pet-mock/)
    renameSync(`${chunks}.away`, chunks)
    await get('/v1/pets/1')
    await until('stdout', /^\{"event":"contract","id":2,/m)
  })
})
