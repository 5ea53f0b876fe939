import { execFileSync, spawnSync } from 'node:child_process'
import { availableParallelism, cpus, release, type } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import type { Load } from './load/load.ts'
import { isNotRun, type NotRun } from './measurement.ts'

/** With what, and on what, a run was made. */
export interface Circumstances {
  readonly date: string
  readonly commit: string
  readonly node: string
  readonly system: string
  readonly cpu: string
  readonly cores: number
  /** What ran on the machine just before or just after, in cores. */
  readonly busyCores: number
  readonly load: string
  readonly peers: readonly string[]
  /** For WireMock. */
  readonly java: string
}

export async function readCircumstances(
  root: string,
  load: Load | NotRun,
  peers: readonly string[],
  seconds: number,
): Promise<Circumstances> {
  return {
    date: new Date().toISOString().slice(0, 16).replace('T', ' '),
    commit: commitOf(root),
    node: process.version,
    system: `${type()} ${release().replace(/-.*/, '')}`,
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    busyCores: await measureBusyCores(seconds),
    load: isNotRun(load) ? `none (${load.notRun})` : load.name,
    peers,
    java: javaVersion(),
  }
}

/** How many cores have work while the bench itself waits. */
export async function measureBusyCores(seconds: number): Promise<number> {
  const busyMs = () =>
    cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0)
  const [from, busy] = [performance.now(), busyMs()]
  await setTimeout(Math.min(seconds, 2) * 1_000)
  return Math.round(((busyMs() - busy) / (performance.now() - from)) * 10) / 10
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
