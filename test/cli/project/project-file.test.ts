import { chmodSync, lchownSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, it, test } from 'vitest'
import { parse } from 'yaml'
import { execFlags } from '../../../src/cli/commands/exec/flags.ts'
import { createPetMock } from '../../../src/library/testing/entry.ts'
import { projectJsonSchema } from '../../../tools/build/project-schema.ts'
import { directoryWith } from '../../support/directory.ts'
import { runCommand, serveJson, spawnCommand, withoutPages } from '../../support/run-command.ts'

const nearly = 'title: Nearly\nkeys: { demo-free: { used: { minute: 59 } } }\n'
const project = { 'package.json': '{}', 'mine/nearly.yaml': nearly }

describe('pet-mock.yaml', () => {
  it('gives flags to serve, by paths relative to itself, from a folder below it', async () => {
    const file = 'scenario: mine/nearly.yaml\nseed: 7\nadd-key: [my-app=pro, other=free]\nno-marks: true\n'
    const root = directoryWith({ ...project, 'pet-mock.yaml': file })
    mkdirSync(join(root, 'src/deep'), { recursive: true })
    const { ready } = await serveJson([], { cwd: join(root, 'src/deep') })
    expect(ready).toMatchObject({
      config: '../../pet-mock.yaml',
      scenario: '../../mine/nearly.yaml',
      keys: { 'my-app': 'pro', other: 'free' },
    })
    const headers = { Authorization: 'Bearer demo-free' }
    const { headers: limits } = await fetch(`${ready.url}/pets`, { headers })
    expect(limits.get('X-RateLimit-Remaining')).toBe('0')
  })

  it('is overridden by the environment, which a flag overrides', async () => {
    const cwd = directoryWith({ ...project, 'pet-mock.yaml': 'scenario: ban\n' })
    const scenario = async (args: readonly string[], env: Readonly<Record<string, string>>) =>
      (await serveJson(args, { cwd, env })).ready.scenario
    expect(await scenario([], {})).toBe('ban')
    expect(await scenario([], { PET_MOCK_SCENARIO: 'outage' })).toBe('outage')
    expect(await scenario(['-s', 'slow'], { PET_MOCK_SCENARIO: 'outage' })).toBe('slow')
    for (const [args, env] of [
      [['--no-config'], {}],
      [[], { PET_MOCK_NO_CONFIG: '1' }],
    ] as const) {
      const { ready } = await serveJson(args, { cwd, env })
      expect(ready).toMatchObject({ scenario: 'free-plan' })
      expect(ready).not.toHaveProperty('config')
    }
  })

  it('is named in the banner', async () => {
    const cwd = directoryWith({ ...project, 'pet-mock.yaml': '# nothing yet\n' })
    const { until } = spawnCommand(['--port', '0'], { cwd })
    expect((await until(/Config +(.+)/))[1]).toBe('pet-mock.yaml')
  })

  it('gives flags to exec, and has a part for each command', async () => {
    const file = 'scenario: ban\nport: 70\nexec: { port: 0, env: API_URL=url, report: out/calls.json }\n'
    const cwd = directoryWith({ ...project, 'pet-mock.yaml': file, 'out/keep': '', 'src/keep': '' })
    const print = 'console.log(process.env.API_URL === process.env.PET_MOCK_URL)'
    const ended = await runCommand(['exec', '--', process.execPath, '-e', print], { cwd: join(cwd, 'src') })
    expect(ended).toMatchObject({ code: 0, stdout: 'true\n' })
    expect(JSON.parse(readFileSync(join(cwd, 'out/calls.json'), 'utf8'))).toMatchObject({
      head: { scenario: 'ban' },
    })
  })

  it('is refused under another extension', async () => {
    const cwd = directoryWith({ ...project, 'pet-mock.yml': 'port: 0\n' })
    const { code, stderr } = await runCommand(['serve', '--port', '0'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain('pet-mock.yml: the project file is named pet-mock.yaml. Rename this file.')
  })

  it('lists every mistake with its place', async () => {
    const file = `prot: 1
allowedHosts: pets.test
port: 80a
contract: eror
admin-token: a-secret
adminToken: a-secret
add-key: [my-app=free, { a: b }]
log-format:
no-config: true
scenario: fre-plan
exec:
  fail-on: 'a b'
  nope: 1
`
    const cwd = directoryWith({ ...project, 'pet-mock.yaml': file })
    const { code, stderr } = await runCommand(['serve'], { cwd })
    expect(code).toBe(2)
    expect(stderr).not.toContain('a-secret')
    const lines = withoutPages(stderr).trim().split('\n')
    expect(lines.slice(0, -1)).toEqual([
      'pet-mock.yaml:1:1: prot: unknown flag; did you mean port?',
      'pet-mock.yaml:2:1: allowedHosts: unknown flag; did you mean allowed-hosts?',
      'pet-mock.yaml:3:1: port: expected a port from 0 to 65535, found "80a"',
      'pet-mock.yaml:4:1: contract: expected true or false, found "eror"',
      'pet-mock.yaml:5:1: admin-token: a token is secret, and this file is for the whole team; set PET_MOCK_ADMIN_TOKEN',
      'pet-mock.yaml:6:1: adminToken: unknown flag; a token is secret, and this file is for the whole team; set PET_MOCK_ADMIN_TOKEN',
      'pet-mock.yaml:7:1: add-key: expected NAME=PLAN, found a map',
      'pet-mock.yaml:8:1: log-format needs a value: pretty|json|silent',
      'pet-mock.yaml:9:1: no-config: to skip this file, use --no-config or PET_MOCK_NO_CONFIG',
      'pet-mock.yaml:12:3: fail-on: expected error, warning, never or the id of a finding, such as early-retry or early-retry=never, found "a b"',
      'pet-mock.yaml:13:3: nope: unknown flag; pet-mock --help lists all flags',
    ])
    expect(lines.at(-1)).toMatch(/^pet-mock\.yaml:10:1: scenario: "fre-plan" .* Did you mean free-plan\?/)
  })

  it.each([
    ['exec: 5', 'pet-mock.yaml:1:1: exec: expected flags of pet-mock exec and their values, found 5\n'],
    ['- port', 'pet-mock.yaml:1:1: expected flags and their values, such as port: 7400, found a list\n'],
    ['port: 1\nport: 2', 'pet-mock.yaml:2:1: the field "port" is given twice\n'],
    ['port: "1', 'pet-mock.yaml:1:7: this quote is never closed\n'],
  ])('of %j is a mistake', async (file, stderr) => {
    const cwd = directoryWith({ 'pet-mock.yaml': file })
    const ended = await runCommand([], { cwd })
    expect(ended).toMatchObject({ code: 2, stdout: '' })
    expect(withoutPages(ended.stderr)).toEqual(stderr)
  })

  it('belongs to the nearest project, and outside of one only to its own folder', async () => {
    const root = directoryWith({ 'pet-mock.yaml': 'prot: 1', 'app/package.json': '{}', 'other/keep': '' })
    const started = async (cwd: string) => withoutPages((await runCommand(['--host', '!'], { cwd })).stderr)
    const wrongHost = '--host: expected a host name or an IP address, found "!"\n'
    const wrongFile = 'pet-mock.yaml:1:1: prot: unknown flag; did you mean port?\n'
    expect(await started(root)).toBe(wrongFile + wrongHost)
    expect(await started(join(root, 'app'))).toBe(wrongHost)
    expect(await started(join(root, 'other'))).toBe(wrongHost)
    mkdirSync(join(root, '.git'))
    expect(await started(join(root, 'other'))).toBe(`../${wrongFile}${wrongHost}`)
    expect(await started(join(root, 'app'))).toBe(wrongHost)
    rmSync(join(root, '.git'), { recursive: true })
  })

  it('is none of another user where anyone may write', async context => {
    if (process.getuid?.() !== 0) context.skip('only root can give a file to another user')
    const root = directoryWith({
      'pet-mock.yaml': 'prot: 1',
      'package.json': '{}',
      'work/own.yaml': 'prot: 1',
    })
    chmodSync(root, 0o1777)
    const started = async (cwd: string) => withoutPages((await runCommand(['--host', '!'], { cwd })).stderr)
    const [file, work] = [join(root, 'pet-mock.yaml'), join(root, 'work')]
    expect(await started(work)).toContain('prot: unknown flag')
    lchownSync(join(root, 'package.json'), 65_534, 65_534)
    expect(await started(work)).not.toContain('prot')
    expect(await started(root)).toContain('prot: unknown flag')
    lchownSync(file, 65_534, 65_534)
    expect(await started(root)).not.toContain('prot')
    rmSync(file)
    symlinkSync(join(work, 'own.yaml'), file)
    lchownSync(file, 65_534, 65_534)
    expect(await started(root)).not.toContain('prot')
  })

  it('is named where the state file overrides it', async () => {
    const cwd = directoryWith({ ...project, 'pet-mock.yaml': 'state: pets.json\nscenario: ban\n' })
    for (const args of [['-s', 'slow'], []]) {
      const { child, ended, untilTold } = await serveJson(args, { cwd })
      if (args.length === 0) await untilTold(/Ignored scenario in pet-mock\.yaml: pets\.json takes/)
      child.kill()
      await ended
    }
  })

  it('is not read by the library or by other commands', async () => {
    const cwd = directoryWith({ 'package.json': '{}', 'pet-mock.yaml': 'prot: 1' })
    const before = process.cwd()
    process.chdir(cwd)
    try {
      await createPetMock().close()
    } finally {
      process.chdir(before)
    }
    expect(await runCommand(['scenarios', 'list'], { cwd })).toMatchObject({ code: 0 })
  })
})

test.each(
  [...readFileSync('docs/commands.md', 'utf8').matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(
    ([, text]) => text,
  ),
)('the page has an example that is right: %s', async (text = '') => {
  const files = {
    'pet-mock/scenario.yaml': nearly,
    'pet-mock/fixtures/keys.yaml': 'demo-free: free\n',
  }
  const cwd = directoryWith({ ...files, 'pet-mock.yaml': text })
  expect(await runCommand(['exec', '--', process.execPath, '-e', '0'], { cwd })).toMatchObject({ code: 0 })
})

describe('its schema', () => {
  const schema = JSON.parse(readFileSync('schemas/project.schema.json', 'utf8'))
  const validate = new Ajv({ strict: true, allowUnionTypes: true }).compile(schema)

  test('is the one that the flags give, with an id', () => {
    expect(schema).toEqual(JSON.parse(JSON.stringify(projectJsonSchema())))
    expect(schema.$id).toBe('urn:pet-mock:project')
    const names = Object.keys(execFlags).filter(name => !['admin-token', 'no-config'].includes(name))
    expect(Object.keys(schema.properties)).toEqual(expect.arrayContaining(names))
  })

  test.each([
    [
      'scenario: mine.yaml\nport: 7400\nadd-key: my-app=free\nwatch: true\nexec: { report: [a.html], port: 0 }',
      true,
    ],
    ['journal: 1000\nclock: 2030-12-04T23:59:00Z\ncors: [https://a.example]', true],
    ['prot: 1', false],
    ['admin-token: secret', false],
    ['contract: eror', false],
    ['port: yes', false],
    ['serve: { report: a.html }', false],
  ])('on %j says %s', (text, isValid) => {
    expect(validate(parse(text))).toBe(isValid)
  })
})
