import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { commands } from '../../src/cli/commands.ts'
import { serveTraits } from '../judges/conformance/service/serve-service.ts'
import { key } from '../judges/conformance/service/traits.ts'
import { directoryWith } from '../support/directory.ts'
import { type Ended, runCommand, serveJson, spawnCommand } from '../support/run-command.ts'
import { replaceVarying } from './replacements.ts'
import { client, type Run, runs } from './runs.ts'

/*
 * What the built command prints and writes, compared with a record. `GOLDEN=write npx vitest run --mode rest test/golden` writes
 * the record anew. Each line that changes has its reason in changes.md.
 */

const isWriting = process.env.GOLDEN === 'write'

function compare(name: string, text: string, words: Readonly<Record<string, string>> = {}): void {
  const file = fileURLToPath(
    new URL(`record/${name.replaceAll(/[^a-z0-9/]+/g, '-')}.golden`, import.meta.url),
  )
  const { execPath } = process
  const inMarkdown = execPath.replaceAll('_', '\\_')
  const paths = { [execPath]: 'NODE', [inMarkdown]: 'NODE', [client]: 'client.mjs' }
  const seen = replaceVarying(text, { ...paths, ...words })
  if (isWriting) {
    mkdirSync(file.slice(0, file.lastIndexOf('/')), { recursive: true })
    writeFileSync(file, seen)
  }
  expect(seen).toBe(existsSync(file) ? readFileSync(file, 'utf8') : '')
}

describe('help', () => {
  const lines = commands.flatMap(one =>
    'commands' in one ? [[one.name], ...one.commands.map(({ name }) => [one.name, name])] : [[one.name]],
  )
  test.each([[], ...lines])('%s %s', async (...words) => {
    const { code, stdout, stderr } = await runCommand([...words, '--help'])
    expect([code, stderr]).toEqual([0, ''])
    compare(`help/${['pet-mock', ...words].join(' ')}`, stdout)
  })
})

test('the description of the admin plane', async () => {
  const { ready } = await serveJson()
  const response = await fetch(`${ready.admin}/openapi.json`)
  compare('plane', JSON.stringify(await response.json(), null, 1))
})

test.each(['scenario', 'pets', 'project'])('the schema of the %s file', name => {
  compare(
    `schema ${name}`,
    readFileSync(new URL(`../../schemas/${name}.schema.json`, import.meta.url), 'utf8'),
  )
})

const forms = ['json', 'xml', 'html', 'md']

describe.each(Object.entries(runs))('%s', (command, named) => {
  test.for(Object.entries(named))('%s', { timeout: 180_000 }, async ([name, run]) => {
    const cwd = directoryWith(run.files ?? {})
    const { url, args } = await addressed(run)
    const reports = run.reports ? forms.map(form => `report.${form}`) : []
    const flags = reports.flatMap(file => ['--report', file])
    const end = args.indexOf('--') === -1 ? args.length : args.indexOf('--')
    const words = [...args.slice(0, end), ...flags, ...args.slice(end)]
    const ended = await runTo(run, words, cwd)
    const texts = [
      `exit code ${ended.code}`,
      `--- stdout\n${ended.stdout}`,
      `--- stderr\n${ended.stderr}`,
      ...reports.map(file => `--- ${file}\n${readFileSync(`${cwd}/${file}`, 'utf8')}`),
    ]
    compare(`${command}/${name}`, texts.join('\n'), { [url]: 'URL', [cwd]: 'DIRECTORY' })
  })
})

/** Starts the server of a run, and puts its URL into the words. */
async function addressed({
  args,
  serves,
  other,
  calls,
}: Run): Promise<{ url: string; args: readonly string[] }> {
  if (serves === undefined && other === undefined) return { url: 'URL', args }
  const url =
    other === undefined
      ? (await serveJson(['-s', serves ?? 'free-plan', '--no-config'])).ready.url
      : `${await serveTraits(other)}/v1`
  // A proxy gets its calls itself.
  if (args[0] !== 'proxy') await call(url, calls, 'demo-free')
  return { url, args: args.map(word => (word === 'URL' ? url : word)) }
}

async function runTo({ calls, other }: Run, words: readonly string[], cwd: string): Promise<Ended> {
  if (words[0] !== 'proxy') return runCommand(words, { cwd })
  const proxy = spawnCommand(words, { cwd })
  const [line] = await proxy.until(/^.+(?=\n)/)
  await call(JSON.parse(line).url, calls, other === undefined ? 'demo-free' : key)
  proxy.child.kill('SIGTERM')
  return proxy.ended
}

async function call(url: string, steps: readonly string[] = [], ownKey: string): Promise<void> {
  const env = { ...process.env, PET_MOCK_URL: url, PET_MOCK_KEY: ownKey }
  await once(spawn(process.execPath, [client, ...steps], { env, stdio: 'inherit' }), 'close')
}
