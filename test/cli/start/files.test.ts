import { execFileSync } from 'node:child_process'
import { closeSync, ftruncateSync, mkdirSync, openSync } from 'node:fs'
import { createServer } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { directoryWith } from '../../support/directory.ts'
import { needPosix } from '../../support/requirements.ts'
import { runCommand, withoutPages } from '../../support/run-command.ts'

/** A file of this many bytes that takes no space on the disk. */
function hollow(path: string, bytes: number): void {
  const file = openSync(path, 'w')
  ftruncateSync(file, bytes)
  closeSync(file)
}

const commands: readonly (readonly [what: string, line: string])[] = [
  ['a scenario', 'serve --scenario file.yaml'],
  ['a contract', 'serve --openapi file.yaml'],
  ['a contract to check by', 'check http://127.0.0.1:9/v1 --key k --openapi file.yaml'],
  ['a contract of the proxy', 'proxy http://127.0.0.1:9/v1 --openapi file.yaml'],
  ['a file that a contract names', 'proxy http://127.0.0.1:9/v1 --openapi root.yaml'],
  ['a scenario that another extends', 'serve --scenario extends.yaml'],
  ['a scenario to check', 'scenarios validate file.yaml'],
  ['a fixture', 'serve --fixtures fixtures'],
  ['a state file', 'serve --state file.yaml'],
]

/** The commands in a directory where `make` made the file that they read. */
function run(line: string, make: (path: string) => void) {
  const cwd = directoryWith({
    'root.yaml': `openapi: 3.1.0
info: { title: Mine, version: '1' }
paths: { /pets: { get: { responses: { 200: { $ref: './file.yaml' } } } } }
`,
    'extends.yaml': 'extends: ./file.yaml\n',
    'itself.yaml': 'extends: ./\n',
  })
  mkdirSync(`${cwd}/fixtures`)
  make(line.includes('--fixtures') ? `${cwd}/fixtures/pets.yaml` : `${cwd}/file.yaml`)
  return runCommand([...line.split(' '), ...(line.startsWith('serve') ? ['--port', '0'] : [])], {
    cwd,
    // A command that read the file would not survive.
    env: { NODE_OPTIONS: '--max-old-space-size=256' },
  })
}

const limits: Readonly<Record<string, RegExp>> = {
  state: /the limit is [\d,]+ \(511\.9 MiB\)/,
  openapi: /the limit is 16,777,216 \(16 MiB\)/,
  others: /the limit is 1,048,576 \(1 MiB\)/,
}

const mib600 = 600 * 2 ** 20

describe('a file of 600 MiB', () => {
  it.each(commands)('%s: it is refused with the limit, unread', async (_, line) => {
    const { code, stdout, stderr } = await run(line, path => hollow(path, mib600))
    expect(stdout + stderr).toMatch(/629,145,600 bytes/)
    const limit = /--(state|openapi)/.exec(line)?.[1] ?? 'others'
    expect(stdout + stderr).toMatch(limits[limit] ?? /^$/)
    expect(code).toBe(2)
  })
})

describe('what is no file', () => {
  needPosix('pipes')

  const some = commands.filter(([what]) => /^a (?:scenario|fixture|state file)$/.test(what))
  it.each(some)('%s: a pipe is refused, and nobody waits for it', async (_, line) => {
    const { code, stdout, stderr } = await run(line, path => execFileSync('mkfifo', [path]))
    expect(stdout + stderr).toMatch(/it is a pipe, not a file/)
    expect(code).toBe(2)
  })

  it('a socket', async () => {
    const server = createServer()
    onTestFinished(() => {
      server.close()
    })
    const { code, stderr } = await run('serve --scenario file.yaml', path => server.listen(path))
    expect(stderr).toMatch(/it is a socket, not a file/)
    expect(code).toBe(2)
  })

  it.each([
    ['serve --scenario /dev/zero', /cannot be read \(it is a device, not a file\)/],
    ['serve --scenario ./fixtures', /is a directory, not a file/],
    ['serve --scenario itself.yaml', /extends: \.\/ is .+ \(it is a directory\)/],
  ])('%s', async (line, told) => {
    const { code, stderr } = await run(line, () => {})
    expect(stderr).toMatch(told)
    expect(code).toBe(2)
  })
})

it('--fixtures reads only the files whose names it knows', async () => {
  const cwd = directoryWith({ 'fixtures/pets.yaml': '- { name: Rex, categoryId: 1 }\n' })
  execFileSync('mkfifo', [`${cwd}/fixtures/pipe.yaml`])
  hollow(`${cwd}/fixtures/dump.json`, mib600)
  const { code, stderr } = await runCommand(['serve', '--port', '0', '--fixtures', 'fixtures'], { cwd })
  expect(stderr).toContain('fixtures/dump.json:1:1: not the name of a fixture file')
  expect(stderr).toContain('fixtures/pipe.yaml:1:1: not the name of a fixture file')
  expect(code).toBe(2)
})

it('a fixture that is a directory is refused', async () => {
  const cwd = directoryWith({ 'fixtures/pets.yaml/readme.txt': '' })
  const { code, stderr } = await runCommand(['serve', '--port', '0', '--fixtures', 'fixtures'], { cwd })
  expect(withoutPages(stderr)).toBe('--fixtures: fixtures/pets.yaml cannot be read (it is a directory)\n')
  expect(code).toBe(2)
})
