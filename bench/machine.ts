import { execFileSync, spawnSync } from 'node:child_process'
import { availableParallelism, cpus, loadavg, release, type } from 'node:os'
import type { Load } from './load/load.ts'
import { isNotRun, type NotRun } from './not-run.ts'

/** With what, and on what, a run was made. */
export interface Circumstances {
  readonly date: string
  readonly commit: string
  readonly node: string
  readonly system: string
  readonly cpu: string
  readonly cores: number
  /** What ran beside it, in cores, over the minute before. */
  readonly busyCores: number
  readonly load: string
  readonly peers: readonly string[]
  /** For WireMock. */
  readonly java: string
}

export function readCircumstances(
  root: string,
  load: Load | NotRun,
  peers: readonly string[],
): Circumstances {
  return {
    date: new Date().toISOString().slice(0, 16).replace('T', ' '),
    commit: commitOf(root),
    node: process.version,
    system: `${type()} ${release()}`,
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    busyCores: Math.round((loadavg()[0] ?? 0) * 10) / 10,
    load: isNotRun(load) ? `none (${load.notRun})` : load.name,
    peers,
    java: javaVersion(),
  }
}

function commitOf(root: string): string {
  try {
    const git = (...args: string[]) =>
      execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
    const dirty = git('status', '--porcelain', '--', 'src', 'fixtures', 'scenarios', 'package.json')
    return `${git('rev-parse', '--short', 'HEAD')}${dirty === '' ? '' : ' with changes'}`
  } catch {
    return 'unknown'
  }
}

function javaVersion(): string {
  // Java says its version on stderr.
  const { stderr } = spawnSync('java', ['-version'], { encoding: 'utf8' })
  return /version "([^"]+)"/.exec(stderr ?? '')?.[1] ?? 'none'
}
