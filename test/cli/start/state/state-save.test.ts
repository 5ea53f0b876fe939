import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { openStateFile } from '../../../../src/cli/start/state/state-file.ts'
import { writeWholeFile } from '../../../../src/cli/start/state/write-whole-file.ts'
import { adminOf } from '../../../support/admin.ts'
import { directoryWith } from '../../../support/directory.ts'
import { runCommand, serveJson } from '../../../support/run-command.ts'

async function serve(...args: readonly string[]) {
  const directory = join(directoryWith({ 'mine/x': '' }), 'mine')
  const file = join(directory, 's.json')
  const running = await serveJson(['--state', file, ...args])
  const { url, admin } = running.ready
  const kill = async () => {
    running.child.kill('SIGKILL')
    await once(running.child, 'exit')
  }
  const post = (name: string) =>
    fetch(`${url}/pets`, {
      method: 'POST',
      headers: { Authorization: 'Bearer demo-enterprise', 'Content-Type': 'application/json' },
      body: JSON.stringify({ name, categoryId: 1 }),
    })
  const read = () => (existsSync(file) ? readFileSync(file, 'utf8') : '')
  return { directory, file, url, admin, ask: adminOf(new URL(admin).host), kill, post, read }
}

it('POST /__admin/state/save answers when the disk has every call before it', async () => {
  const { ask, post, kill, file, read } = await serve()
  for (let turn = 0; turn < 20; turn += 1) {
    expect((await post(`Rex ${turn}`)).status).toBe(201)
    const { status, json } = await ask('POST /state/save')
    expect({ status, json }).toEqual({ status: 200, json: { file, bytes: Buffer.byteLength(read()) } })
    expect(read()).toContain(`"Rex ${turn}"`)
  }
  await kill()
  const again = await serveJson(['--state', file])
  expect(
    await (
      await fetch(`${again.ready.url}/pets/120`, { headers: { Authorization: 'Bearer demo-pro' } })
    ).json(),
  ).toMatchObject({ name: 'Rex 19' })
})

const rightsOf = (path: string) => statSync(path).mode & 0o777

it('only the user can read a state file: a new one, one that others could read before, and a copy elsewhere', async () => {
  const { directory, file, ask, post } = await serve()
  await ask('POST /state/save')
  expect(rightsOf(file)).toBe(0o600)
  chmodSync(file, 0o644)
  await post('Rex')
  await ask('POST /state/save')
  expect(rightsOf(file)).toBe(0o600)
  const opening = await openStateFile(join(directory, 'another.json'), '--state', process.pid)
  if (!opening.ok) throw new Error(opening.complaints.join())
  const copy = await opening.value.writeElsewhere(() => ['{}\n'])
  await opening.value.release()
  onTestFinished(() => rmSync(dirname(copy), { recursive: true }))
  expect(rightsOf(copy)).toBe(0o600)
  // A snapshot that the user asks for has the usual rights.
  writeFileSync(join(directory, 'usual'), '')
  await writeWholeFile(join(directory, 'other'), join(directory, 'temporary'), () => ['text'])
  expect(rightsOf(join(directory, 'other'))).toBe(rightsOf(join(directory, 'usual')))
})

it('pet-mock snapshot save prints the file and its size', async () => {
  const { url, post, file, read } = await serve()
  await post('Rex')
  const saved = await runCommand(['snapshot', 'save', '--url', url])
  expect(saved).toMatchObject({ code: 0, stderr: '' })
  expect(saved.stdout).toMatch(/^saved \S+s\.json {2}[\d,]+ bytes\n$/)
  expect(read()).toContain('"Rex"')
  const { stdout } = await runCommand(['snapshot', 'save', '--url', url, '--json'])
  expect(JSON.parse(stdout)).toEqual({ file, bytes: Buffer.byteLength(read()) })
})

it('a server without --state refuses with 409 state_off, and the command exits with 1', async () => {
  const { ready } = await serveJson()
  const { status, json } = await adminOf(new URL(ready.admin).host)('POST /state/save')
  const message = 'This server saves no state. Start it with --state FILE.'
  expect({ status, json }).toEqual({ status: 409, json: { code: 'state_off', message, status: 409 } })
  const { code, stderr } = await runCommand(['snapshot', 'save', '--url', ready.url])
  expect({ code, stderr }).toEqual({ code: 1, stderr: `${message}\n` })
})

it('a file that cannot be saved is refused with 500 state_not_saved, and works again later', async () => {
  const { directory, ask, file, read } = await serve()
  rmSync(directory, { recursive: true })
  const message = `Cannot save ${file} (no such file).`
  expect((await ask('POST /state/save')).json).toEqual({ code: 'state_not_saved', message, status: 500 })
  mkdirSync(directory)
  expect((await ask('POST /state/save')).status).toBe(200)
  expect(read()).toMatch(/"checksum":"[0-9a-f]{64}"\}\n$/)
})

it('a file and its directory are synced before writing resolves', async () => {
  const directory = directoryWith({})
  const handle = await open(directory)
  const synced: string[] = []
  const prototype = Object.getPrototypeOf(handle)
  await handle.close()
  const sync = vi.spyOn(prototype, 'sync').mockImplementation(async function (this: typeof handle) {
    synced.push((await this.stat()).isDirectory() ? 'directory' : 'file')
  })
  onTestFinished(() => sync.mockRestore())
  await writeWholeFile(join(directory, 'a'), join(directory, 'b'), () => ['text'])
  expect(synced).toEqual(['file', 'directory'])
})

it('--state-sync always: a write that was answered survives kill -9 at once, and reads do not wait', async () => {
  const { url, ask, post, kill, read } = await serve('--state-sync', 'always')
  for (let turn = 0; turn < 10; turn += 1) {
    expect((await post(`Rex ${turn}`)).status).toBe(201)
    expect(read()).toContain(`"Rex ${turn}"`)
  }
  expect((await ask('POST /pets', { name: 'Tom', categoryId: 1 })).status).toBe(201)
  expect(read()).toContain('"Tom"')
  const replies = await Promise.all(Array.from({ length: 200 }, (_, turn) => post(`Many ${turn}`)))
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]))
  for (let turn = 0; turn < 200; turn += 1) expect(read()).toContain(`"Many ${turn}"`)
  expect((await fetch(`${url}/pets`, { headers: { Authorization: 'Bearer demo-pro' } })).status).toBe(200)
  await kill()
})

it('--state-sync always: a write that cannot be saved gets 500, and one that can gets 201 again', async () => {
  const { directory, ask, post, read } = await serve('--state-sync', 'always')
  rmSync(directory, { recursive: true })
  const lost = await post('Rex')
  expect({ status: lost.status, json: await lost.json() }).toMatchObject({
    status: 500,
    json: {
      code: 'state_not_saved',
      message: expect.stringMatching(/^Cannot save .*The change is in memory only\.$/),
    },
  })
  expect((await ask('POST /reset')).json).toMatchObject({ code: 'state_not_saved' })
  mkdirSync(directory)
  expect((await post('Tom')).status).toBe(201)
  expect(read()).toContain('"Tom"')
})

it('--state-sync always without --state is wrong usage', async () => {
  expect(await runCommand(['--port', '0', '--state-sync', 'always'])).toMatchObject({
    code: 2,
    stderr: '--state-sync: nothing to save; add --state FILE\nMore: docs/admin.md#snapshots-and---state\n',
  })
})
