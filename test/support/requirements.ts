import { execFileSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { env } from 'node:process'
import { beforeEach, type TestContext } from 'vitest'

/**
 * What a test needs beyond Node. Where it is missing the test does not run, and that is told with its reason; under
 * PET_MOCK_TEST_REQUIRE=all, which continuous integration sets, it is a failure.
 */
export function requireOrSkip<T>(context: Pick<TestContext, 'skip'>, what: string, found: T | undefined): T {
  if (found !== undefined) return found
  if (env.PET_MOCK_TEST_REQUIRE === 'all') throw new Error(`no ${what}, and PET_MOCK_TEST_REQUIRE=all`)
  return context.skip(`no ${what}`)
}

/** What POSIX has and Windows lacks. docs/ci.md says what users notice of it. */
const posixParts = {
  signals: 'signals that a program can handle',
  shell: 'POSIX shell',
  pipes: 'named pipes and devices that are files',
}

/** Leaves out the tests of this file or `describe` on Windows, and names the reason in the list NOT RUN. */
export function needPosix(part: keyof typeof posixParts, system = process.platform): void {
  beforeEach(context => {
    if (system === 'win32') context.skip(`Windows has no ${posixParts[part]}`)
  })
}

/** The first of these programs that is on this machine, as an absolute path or by a name that PATH finds. */
export function findProgram(...names: readonly string[]): string | undefined {
  const folders = (env.PATH ?? '').split(delimiter)
  return names
    .flatMap(name => (name.startsWith('/') ? [name] : folders.map(folder => join(folder, name))))
    .find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The newest Node of a major version, by way of the registry; `cwd` is where npm is asked. */
export function findNode(version: string, cwd: string): string | undefined {
  const args = ['--yes', '--package', `node@${version}`, 'node', '--print', 'process.execPath']
  try {
    const path = execFileSync('npx', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    return path.trim()
  } catch {
    return undefined
  }
}
