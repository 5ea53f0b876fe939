import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface Tarball {
  readonly path: string
  /** Bytes. */
  readonly size: number
  /** Paths in the package. */
  readonly files: readonly string[]
}

/** An empty folder of its own, beyond the project; `remove` ends it. */
export function emptyFolder(purpose: string): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), `pet-mock-${purpose}-`))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** An environment in which npm asks no registry and has nothing of what it asked for before. */
export function offlineNpm(folder: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    npm_config_offline: 'true',
    npm_config_cache: join(folder, 'npm-cache'),
    npm_config_update_notifier: 'false',
    npm_config_loglevel: 'error',
  }
}

/** Packs what `npm test` has built. Without `prepack`, which would build anew, under the other tests' feet. */
export function pack(folder: string): Tarball {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  const told = execFileSync('npm', args, { cwd: root, env: offlineNpm(folder) })
  const [{ filename, size, files }] = JSON.parse(`${told}`)
  const paths = files.map(({ path }: { readonly path: string }) => path)
  return { path: join(folder, filename), size, files: paths.sort() }
}

export interface Installed {
  /** A folder of a user's, empty but for what npm put there. */
  readonly app: string
  readonly tarball: Tarball
  readonly env: NodeJS.ProcessEnv
  readonly remove: () => void
}

/** Installs the package into an empty folder, with no registry within reach. */
export function installPackage(): Installed {
  const { path, remove } = emptyFolder('installed')
  const app = join(path, 'app')
  mkdirSync(app)
  const env = offlineNpm(path)
  const tarball = pack(path)
  execFileSync('npm', ['install', tarball.path], { cwd: app, env, stdio: 'ignore' })
  return { app, tarball, env, remove }
}
