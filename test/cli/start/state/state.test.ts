import { randomUUID } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { describeOwner } from '../../../../src/cli/start/state/lock-owner.ts'
import { createEmulator } from '../../../../src/emulator/emulator.ts'
import { directoryWith } from '../../../support/directory.ts'
import { type Running, runCommand, serveJson, spawnCommand } from '../../../support/run-command.ts'
import { scenarioOf } from '../../../support/scenarios.ts'
import { takeSandboxesSnapshot, takeSnapshot } from '../../../support/snapshots.ts'

const { sandboxes } = createEmulator({ scenario: scenarioOf({ pets: { count: 3 } }), startedAt: 0 })
const all = JSON.stringify(takeSandboxesSnapshot(sandboxes))

async function call(url: string, key: string, name?: string, target = '/pets?limit=100') {
  const post = { method: 'POST', body: JSON.stringify({ name, categoryId: 1 }) }
  const response = await fetch(`${url}${name === undefined ? target : '/pets'}`, {
    ...(name === undefined ? {} : post),
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
  })
  const body = await response.json()
  return { status: response.status, body, remaining: response.headers.get('x-ratelimit-remaining') }
}

async function stop({ child, ended }: Running): Promise<string> {
  child.kill('SIGTERM')
  const { code, stderr } = await ended
  expect(code).toBe(0)
  return stderr
}

/** Resolves when the file matches. */
async function untilFile(path: string, pattern: RegExp): Promise<void> {
  while (!existsSync(path) || !pattern.test(readFileSync(path, 'utf8')))
    await new Promise(resolve => setTimeout(resolve, 20))
}

describe('--state FILE', () => {
  it.each<[how: string, end: (running: Running, file: string) => Promise<unknown>]>([
    ['is stopped', stop],
    [
      'is killed a while later',
      async ({ child, ended }, file) => {
        await untilFile(file, /"Rex"[\s\S]*"Tom"/)
        child.kill('SIGKILL')
        await ended
      },
    ],
  ])('keeps everything, of all sandboxes, when the server %s', async (_how, end) => {
    const file = join(directoryWith({}), 'pets.json')
    const args = ['--state', file, '--clock', 'frozen']
    const first = await serveJson(args)
    await call(first.ready.url, 'demo-free', 'Rex')
    await call(first.ready.url, 'demo-pro+worker-1', 'Tom')
    await end(first, file)

    const second = await serveJson(args)
    const { url } = second.ready
    expect(await call(url, 'demo-free', undefined, '/pets/101')).toMatchObject({
      body: { name: 'Rex' },
      remaining: '58',
    })
    expect(await call(url, 'demo-pro+worker-1', undefined, '/pets/101')).toMatchObject({
      body: { name: 'Tom' },
      remaining: '298',
    })
    expect(await call(url, 'demo-free+worker-2', undefined, '/pets/101')).toMatchObject({ status: 404 })
    expect(await stop(second)).toBe(`Restored from ${file}: free-plan, 101 pets, 1 more sandbox.\n`)
    expect(readdirSync(join(file, '..'))).toEqual(['pets.json'])
  })

  it('writes the file at the start, through a link, and reads PET_MOCK_STATE', async () => {
    const directory = directoryWith({ 'real/state.json': all })
    const [link, real] = [join(directory, 'link.json'), join(directory, 'real', 'state.json')]
    symlinkSync(real, link)
    const running = await serveJson([], { env: { PET_MOCK_STATE: link } })
    await call(running.ready.url, 'demo-free', 'Rex')
    await stop(running)
    expect(readFileSync(real, 'utf8')).toContain('"Rex"')
    const other = join(directory, 'new.json')
    await serveJson(['--state', other])
    await untilFile(other, /\n$/)
  })

  it('restores a snapshot of one sandbox as the default one', async () => {
    const directory = directoryWith({ 's.json': JSON.stringify(takeSnapshot(sandboxes.default)) })
    const running = await serveJson(['--state', 's.json'], { cwd: directory })
    expect((await call(running.ready.url, 'demo-free')).body).toHaveLength(3)
    expect(await stop(running)).toBe('Restored from s.json: test, 3 pets.\n')
  })

  it('removes the unfinished file of a killed process', async () => {
    const id = randomUUID()
    const owner = { ...describeOwner(process.pid), born: 'before', id }
    const directory = directoryWith({
      's.json.pet-mock.lock': JSON.stringify(owner),
      [`s.json.${id}.tmp`]: 'half',
      's.json.1.tmp.txt': '',
      'a.tmp': '',
    })
    await stop(await serveJson(['--state', 's.json'], { cwd: directory }))
    expect(readdirSync(directory).toSorted()).toEqual(['a.tmp', 's.json', 's.json.1.tmp.txt'])
  })
})

const advice = 's.json was not changed. Delete it to start over, or use another file.'

test.each<[what: string, text: string | Uint8Array, ...complaints: string[]]>([
  ['is truncated', all.slice(0, 900), 's.json:1:901: not valid JSON: the text ends inside a string'],
  ['is empty', '', 's.json:1:1: not valid JSON: the text is empty'],
  [
    'has a syntax error',
    all.replace('"sandboxes":', '\n"sandboxes"'),
    's.json:2:12: not valid JSON: unexpected "["',
  ],
  [
    'is another kind of JSON',
    '{\n  "version": "1.2.3" }',
    's.json:1:1: this is JSON, but not a snapshot of pet-mock',
  ],
  [
    'is of a newer version',
    all.replace('"version":1', '"version":2'),
    's.json:1:12: version: expected 1, the newest version that this pet-mock reads. A newer pet-mock wrote this snapshot: update pet-mock, found 2',
  ],
  [
    'has invalid fields',
    all.replace('"categoryId":2', '\n"categoryId":"two"').replace('"nextExchange":1', '"nextExchagne":1'),
    's.json:1:55: sandboxes[0]: nextExchange is missing: expected a whole number from 1 to 2^52',
    's.json:1:905: sandboxes[0].nextExchagne: unknown field; did you mean nextExchange?',
    's.json:2:14: scenarios[0].pets.list[1].categoryId: expected a whole number of at most 64 bits, found "two"',
  ],
  [
    'contradicts itself',
    all.replace('"startsFrom":0', '"startsFrom":7'),
    's.json:1:27: startsFrom: there is no scenario with the index 7',
  ],
])('a file that %s is rejected and not changed', async (_what, text, ...complaints) => {
  const directory = directoryWith({})
  writeFileSync(join(directory, 's.json'), text)
  const { code, stdout, stderr } = await runCommand(['--port', '0', '--state', 's.json'], { cwd: directory })
  expect({ code, stdout, lines: stderr.trimEnd().split('\n') }).toEqual({
    code: 2,
    stdout: '',
    lines: [...complaints, advice, 'More: docs/admin.md#snapshots-and---state'],
  })
  expect(readFileSync(join(directory, 's.json'), 'utf8')).toBe(text)
  expect(readdirSync(directory)).toEqual(['s.json'])
})

test.each<[what: string, file: string, complaint: string]>([
  ['is in a missing directory', 'no/s.json', 'cannot write to no (no such directory)'],
  ['is a directory', 'directory', 'directory cannot be read (it is a directory)'],
  ['is in a file', 'a.txt/s.json', 'a.txt/s.json cannot be read (no such file)'],
  ['is not text', 'binary', 'binary cannot be read (it is not UTF-8)'],
])('a file that %s is rejected at the start', async (_what, file, complaint) => {
  const directory = directoryWith({ 'a.txt': '', 'directory/x': '' })
  writeFileSync(join(directory, 'binary'), new Uint8Array([0xff]))
  const options = { cwd: directory, env: { PET_MOCK_STATE: file } }
  expect(await runCommand(['--port', '0'], options)).toMatchObject({
    code: 2,
    stderr: `PET_MOCK_STATE: ${complaint}\n`,
  })
})

test('the banner says that a file is new, as one with a mistyped name is', async () => {
  const cwd = directoryWith({ 's.json': all })
  for (const [file, shown] of [
    ['pets.json', 'pets.json (new)'],
    ['s.json', 's.json'],
  ] as const) {
    const { child, until, ended } = spawnCommand(['--port', '0', '--state', file], { cwd })
    expect((await until(/State +(.+)/))[1]).toBe(shown)
    child.kill('SIGTERM')
    await ended
  }
})

test.each<[args: readonly string[], notice: string, pets: number, myKey: number]>([
  [['--scenario', 'mine.yaml'], 'Restored from s.json: mine.yaml, 5 pets.', 5, 401],
  [[], 'Restored from s.json: mine.yaml, 5 pets.', 5, 401],
  [
    ['--scenario', './mine.yaml', '--add-key', 'my-key=free', '--pets', '50'],
    'Restored from s.json: mine.yaml, 5 pets. ./mine.yaml has changed: its settings, plans, keys and rules apply now; pets, counters and the clock continue.',
    5,
    200,
  ],
  [
    ['--scenario', 'ban', '--add-key', 'my-key=free'],
    'Restored from s.json: mine.yaml, 5 pets. Ignored --scenario, --add-key: s.json takes precedence. To use them, name another state file.',
    5,
    401,
  ],
  [
    ['--scenario', 'ban'],
    'Restored from s.json: mine.yaml, 5 pets. Ignored --scenario: s.json takes precedence. To use it, name another state file.',
    5,
    401,
  ],
])('the saved state overrides %j', async (args, notice, pets, myKey) => {
  const directory = directoryWith({ 'mine.yaml': 'pets: { count: 4 }' })
  const options = { cwd: directory }
  const first = await serveJson(['--scenario', 'mine.yaml', '--state', 's.json'], options)
  await call(first.ready.url, 'demo-free', 'Rex')
  expect(await stop(first)).toBe('')
  const second = await serveJson([...args, '--state', 's.json'], options)
  expect((await call(second.ready.url, 'demo-free')).body).toHaveLength(pets)
  expect((await call(second.ready.url, 'my-key')).status).toBe(myKey)
  expect(await stop(second)).toBe(`${notice}\n`)
})

test('a second server on the same port does not touch the file', async () => {
  const directory = directoryWith({ 's.json': all })
  const first = await serveJson([], { cwd: directory })
  const { port } = new URL(first.ready.url)
  const second = await runCommand(['--port', port, '--state', 's.json', '--add-key', 'my-key=free'], {
    cwd: directory,
  })
  expect(second.code).toBe(3)
  expect(readFileSync(join(directory, 's.json'), 'utf8')).toBe(all)
})

test('a missing file is created where a link points', async () => {
  const directory = directoryWith({ 'real/x': '' })
  symlinkSync('real/s.json', join(directory, 'link.json'))
  await stop(await serveJson(['--state', 'link.json'], { cwd: directory }))
  expect(readdirSync(join(directory, 'real')).toSorted()).toEqual(['s.json', 'x'])
  expect(readlinkSync(join(directory, 'link.json'))).toBe('real/s.json')
})

test.each<[by: string, file: string]>([
  ['the same name', 's.json'],
  ['a link to it', 'link.json'],
  ['another path to it', '../real/s.json'],
])('a second server on the same file, by %s, does not start and changes nothing', async (_by, file) => {
  const parent = directoryWith({ 'real/x': '' })
  const directory = join(parent, 'real')
  symlinkSync('s.json', join(directory, 'link.json'))
  const first = await serveJson(['--state', 's.json'], { cwd: directory })
  await call(first.ready.url, 'demo-free', 'Rex')
  await untilFile(join(directory, 's.json'), /"Rex"/)
  const before = readFileSync(join(directory, 's.json'), 'utf8')
  const { pid } = first.child
  expect(await runCommand(['--port', '0', '--state', file], { cwd: directory })).toEqual({
    code: 3,
    signal: null,
    stdout: '',
    stderr: `${file} is in use by another pet-mock, process ${pid}. Stop it, or use another file. If process ${pid} is not a pet-mock, delete s.json.pet-mock.lock.\n`,
  })
  expect(readFileSync(join(directory, 's.json'), 'utf8')).toBe(before)
  await stop(first)
  expect(readdirSync(directory).toSorted()).toEqual(['link.json', 's.json', 'x'])
  const third = await serveJson(['--state', file], { cwd: directory })
  expect(await stop(third)).toBe(`Restored from ${file}: free-plan, 101 pets.\n`)
})

test('a file in use and a wrong flag: both are reported, as wrong usage', async () => {
  const owner = { ...describeOwner(process.pid), id: randomUUID() }
  const directory = directoryWith({ 's.json.pet-mock.lock': JSON.stringify(owner) })
  const options = { cwd: directory }
  const { code, stderr } = await runCommand(['--port', '0', '--state', 's.json', '-s', 'baan'], options)
  expect(code).toBe(2)
  expect(stderr).toMatch(/Did you mean ban\?[\s\S]*s\.json is in use by another pet-mock/)
})

test('a server that does not start unlocks the file', async () => {
  const directory = directoryWith({})
  for (const args of [
    ['-s', 'baan'],
    ['--host', '192.0.2.1'],
  ])
    expect(
      (await runCommand(['--port', '0', '--state', 's.json', ...args], { cwd: directory })).code,
    ).not.toBe(0)
  expect(readdirSync(directory)).toEqual([])
})

test('a directory that disappears is reported once, and saving continues when it is back', async () => {
  const directory = join(directoryWith({}), 'away')
  mkdirSync(directory)
  const running = await serveJson(['--state', join(directory, 's.json')])
  const { url } = running.ready
  await untilFile(join(directory, 's.json'), /\n$/)
  rmSync(directory, { recursive: true })
  expect((await call(url, 'demo-pro', 'Rex')).status).toBe(201)
  await running.untilTold(/Cannot save.*\n/)
  expect((await call(url, 'demo-pro', 'Tom')).status).toBe(201)
  mkdirSync(directory)
  await running.untilTold(/works again/)
  await untilFile(join(directory, 's.json'), /"Rex"[\s\S]*"Tom"/)
  expect((await stop(running)).trimEnd().split('\n')).toEqual([
    `Cannot save ${join(directory, 's.json')} (no such file). The server keeps running, and tries again to save.`,
    `Saving ${join(directory, 's.json')} works again.`,
  ])
})
