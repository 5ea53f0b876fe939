import { spawn } from 'node:child_process'
import { appendFileSync, closeSync, existsSync, mkdtempSync, openSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { findPackage } from './find-package.js'

/** The inputs that are flags of pet-mock exec. */
const flags = ['scenario', 'fixtures', 'openapi', 'contract', 'fail-on', 'port']
/** How long the server may take to start, in milliseconds. */
const patienceMs = 60_000

/** @param {string} name */
const input = name => (process.env[`INPUT_${name.toUpperCase()}`] ?? '').trim()

/** @param {string} variable @param {Record<string, string>} values */
function hand(variable, values) {
  const lines = Object.entries(values).map(([name, value]) => `${name}=${value}\n`)
  const file = process.env[variable]
  if (file !== undefined) appendFileSync(file, lines.join(''))
}

/** Starts pet-mock in the background. stop.js ends it after the job. */
async function start() {
  const cwd = resolve(process.env.GITHUB_WORKSPACE ?? '.', input('working-directory') || '.')
  const directory = mkdtempSync(join(process.env.RUNNER_TEMP ?? tmpdir(), 'pet-mock-'))
  const command = findPackage(cwd, input('version'), directory)
  const given = flags.filter(name => input(name) !== '').flatMap(name => [`--${name}`, input(name)])
  const program = fileURLToPath(new URL('keep.js', import.meta.url))
  const log = openSync(join(directory, 'log.txt'), 'a')
  const child = spawn(process.execPath, [program, directory, command, ...given], {
    cwd,
    detached: true,
    stdio: ['ignore', log, log],
  })
  child.unref()
  closeSync(log)
  hand('GITHUB_STATE', { directory, pid: `${child.pid ?? ''}` })
  const ready = join(directory, 'ready.json')
  for (let waited = 0; !existsSync(ready); waited += 100) {
    if (waited > patienceMs || existsSync(join(directory, 'exit-code')))
      throw new Error(readFileSync(join(directory, 'log.txt'), 'utf8').trim() || 'pet-mock did not start.')
    await sleep(100)
  }
  const { url, key, admin } = JSON.parse(readFileSync(ready, 'utf8'))
  hand('GITHUB_OUTPUT', { url, key, admin })
  hand('GITHUB_ENV', { PET_MOCK_URL: url, PET_MOCK_KEY: key, PET_MOCK_ADMIN: admin })
  process.stdout.write(`pet-mock serves ${url} until the end of the job.\n`)
}

try {
  await start()
} catch (error) {
  const lines = `${error instanceof Error ? error.message : error}`.split('\n')
  process.stdout.write(lines.map(line => `::error title=pet-mock::${line}\n`).join(''))
  process.exitCode = 1
}
