import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished, type TestContext } from 'vitest'
import { directoryWith } from './directory.ts'
import { requireOrSkip } from './requirements.ts'

/** In continuous integration, tests run as a user who may become root without a password. */
function asRoot(program: string, ...args: readonly string[]): void {
  const isUser = process.getuid?.() !== 0 && process.env.PET_MOCK_TEST_REQUIRE === 'all'
  const [first = '', ...rest] = [...(isUser ? ['sudo', '--non-interactive'] : []), program, ...args]
  execFileSync(first, rest, { stdio: 'pipe' })
}

const mount = (...args: readonly string[]) => asRoot('mount', ...args)

/** Whether this process may mount: as root on Linux, outside most containers. */
function mayMount(): boolean {
  const directory = directoryWith({})
  try {
    mount('-t', 'tmpfs', 'tmpfs', directory)
    asRoot('umount', directory)
    return true
  } catch {
    return false
  }
}

/** A directory on a disk of its own, with this many kB. */
export function smallDisk(context: Pick<TestContext, 'skip'>, size: number): string {
  requireOrSkip(context, 'right to mount (root on Linux)', mayMount() || undefined)
  const directory = join(directoryWith({ 'disk/x': '' }), 'disk')
  mount('-t', 'tmpfs', '-o', `size=${size}k`, 'tmpfs', directory)
  unmountLater(directory)
  return directory
}

/** A directory that can be made read-only, for root too. */
export function protectedDirectory(context: Pick<TestContext, 'skip'>) {
  requireOrSkip(context, 'right to mount (root on Linux)', mayMount() || undefined)
  const directory = join(directoryWith({}), 'protected')
  mkdirSync(directory)
  mount('--bind', directory, directory)
  unmountLater(directory)
  return {
    directory,
    protect: () => mount('-o', 'remount,bind,ro', directory),
    release: () => mount('-o', 'remount,bind,rw', directory),
  }
}

function unmountLater(directory: string): void {
  // Lazily: a server of the test may still have it open.
  onTestFinished(() => {
    asRoot('umount', '--lazy', directory)
  })
}
