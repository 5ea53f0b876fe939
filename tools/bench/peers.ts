import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type NotRun, notRun } from './measurement.ts'
import type { Processes } from './processes.ts'

/** The bench's own package: its peers are never the project's dependencies. */
interface BenchPackage {
  readonly dependencies: Readonly<Record<string, string>>
  readonly overrides: Readonly<Record<string, string>>
}

/** Milliseconds. */
const installTimeout = 300_000

export function readBenchPackage(root: string): BenchPackage {
  return JSON.parse(readFileSync(join(root, 'tools/bench/package.json'), 'utf8'))
}

export function peerVersions(root: string): readonly string[] {
  return Object.entries(readBenchPackage(root).dependencies).map(([name, version]) => `${name} ${version}`)
}

/** The folder of the installed peers; installs them when they are missing or older than the lock file. */
export async function installPeers(root: string, processes: Processes): Promise<string | NotRun> {
  const cwd = join(root, 'tools/bench')
  const modules = join(cwd, 'node_modules')
  const installed = join(modules, '.package-lock.json')
  if (
    existsSync(installed) &&
    statSync(installed).mtimeMs >= statSync(join(cwd, 'package-lock.json')).mtimeMs
  ) {
    return modules
  }
  process.stderr.write('installing the peers …\n')
  try {
    // Measuring needs nobody's install scripts.
    await processes.run({ file: 'npm', args: ['ci', '--ignore-scripts'], cwd }, installTimeout)
    return modules
  } catch (error) {
    return notRun(error)
  }
}
