import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emptyFolder, offlineNpm, pack } from './support/package.ts'
import { findProgram, requireOrSkip } from './support/requirements.ts'

/*
 * Everything that the README shows is run here as it stands there, in a fresh clone, with a free port in the place of
 * 7387. The project of a user is an empty folder with the file that `npm pack` writes.
 * `npm install && npm test` is not run: this test is part of it.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const { path: clone, remove: removeClone } = emptyFolder('readme')
const { path: elsewhere, remove: removeElsewhere } = emptyFolder('npx')
const env = { ...process.env, PET_MOCK_PORT: '0', npm_config_update_notifier: 'false' }

const readme = readFileSync(join(root, 'README.md'), 'utf8')
const blocks = [...readme.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
/** A file is called as the text before it says. */
const files = blocks.flatMap(({ 1: language, 2: text = '', index }) =>
  language === 'yaml'
    ? [
        {
          name:
            readme
              .slice(0, index)
              .match(/`[\w-]+\.yaml`/g)
              ?.at(-1)
              ?.slice(1, -1) ?? '',
          text,
        },
      ]
    : [],
)
const texts = (language: string) => blocks.flatMap(([, name, text = '']) => (name === language ? [text] : []))

const [install = '', develop = ''] = texts('sh').map(text => text.trim())
const commands = texts('console').flatMap(readCommands)

interface Command {
  readonly command: string
  /** Lines that it is shown to print, maybe with others between them. */
  readonly shown: readonly string[]
}

function readCommands(block: string): Command[] {
  return block
    .split(/^\$ /m)
    .slice(1)
    .map(part => {
      const [command = '', ...lines] = part.split('\n')
      return { command, shown: lines.filter(line => !/^…?$/.test(line.trim())) }
    })
}

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const tarball = `./pet-mock-${version}.tgz`
/** The release stops while the README says this. */
const isPublished = !readme.includes('not published yet')
const installInProject = `npm install --save-dev ${isPublished ? 'pet-mock' : tarball}`
/** The only commands that run outside the clone: in a user's project. */
const inProject = [installInProject, 'npx pet-mock --scenario free-plan']

function whereToRun(command: string): { readonly cwd: string; readonly env: NodeJS.ProcessEnv } {
  return inProject.includes(command)
    ? { cwd: elsewhere, env: { ...offlineNpm(elsewhere), PET_MOCK_PORT: '0' } }
    : { cwd: clone, env }
}

let server: { readonly url: string; readonly stop: () => Promise<void> } | undefined

beforeAll(() => {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
  })
  for (const file of listed.toString().trim().split('\n')) {
    mkdirSync(dirname(join(clone, file)), { recursive: true })
    cpSync(join(root, file), join(clone, file))
  }
  for (const { name, text } of files) writeFileSync(join(clone, name), text)
  pack(elsewhere)
})

afterAll(async () => {
  await server?.stop()
  removeClone()
  removeElsewhere()
  // A clone with all that is installed in it is not gone in a moment.
}, 180_000)

/** Starts a server in the place of the one before, and resolves with what it says until it is ready. */
async function start(command: string): Promise<string> {
  await server?.stop()
  // A group of its own, since npm and its shell do not pass every signal on.
  const child = spawn('sh', ['-c', command], {
    ...whereToRun(command),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit')
  const stop = async () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM')
    await ended
  }
  let output = ''
  const ready = new Promise<string>(resolve => {
    const collect = (chunk: Buffer) => {
      output += chunk.toString()
      const url = /API +(http:\S+\/v1)/.exec(output)?.[1]
      if (url !== undefined && output.includes('Ctrl+C')) resolve(url)
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
  })
  const url = await Promise.race([ready, ended.then(() => undefined)])
  if (url === undefined) throw new Error(`${command} ended:\n${output}`)
  server = { url, stop }
  return output
}

function run(command: string): string {
  const origin = server === undefined ? '' : new URL(server.url).origin
  // This version is tested, whatever npm has by now.
  const local = command === installInProject ? `npm install --save-dev ${tarball}` : command
  const here = local.replaceAll('http://127.0.0.1:7387', origin)
  const { stdout, stderr } = spawnSync('sh', ['-c', here], { ...whereToRun(command), encoding: 'utf8' })
  return `${stdout}\n${stderr}`
}

/** Ports, instants and seconds since the epoch are other ones each time. */
function withoutTimes(line: string): string {
  return line
    .trimEnd()
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT')
    .replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'INSTANT')
    .replace(/\b1[789]\d{8}\b/g, 'SECONDS')
}

test('two commands do all the set-up', () => {
  expect([install, develop]).toEqual([
    'npm install && npm start -- --scenario free-plan',
    'npm install && npm test',
  ])
  expect(commands.length).toBeGreaterThan(5)
  expect(commands.map(({ command }) => command)).toEqual(expect.arrayContaining(inProject))
})

test('the README names the tarball of this version, until the package is on npm', () => {
  expect([...new Set(readme.match(/[^\s`]*\.tgz/g))]).toEqual(isPublished ? [] : [tarball])
})

test(`in a fresh clone: ${install}`, { timeout: 300_000 }, async () => {
  expect(await start(install)).toContain('demo-free')
})

test.for(commands)('then: $command', async ({ command, shown }, context) => {
  if (command.startsWith('curl')) requireOrSkip(context, 'curl', findProgram('curl'))
  const serves = /^npx pet-mock(?: --|$)/.test(command) && shown.length === 0 && !command.endsWith('--help')
  let rest = (serves ? await start(command) : run(command)).split('\n').map(withoutTimes)
  for (const line of shown.map(withoutTimes)) {
    expect(rest).toContain(line)
    rest = rest.slice(rest.indexOf(line) + 1)
  }
})
