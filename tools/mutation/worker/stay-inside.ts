import childProcess from 'node:child_process'
import cluster from 'node:cluster'
import { syncBuiltinESMExports } from 'node:module'
import workerThreads from 'node:worker_threads'

/** Lets every test fail that starts another process or thread: a mutant is alive only in this one. */
export function stayInside(): void {
  const refuse = () => {
    throw new Error('this test leaves the process')
  }
  for (const name of [
    'spawn',
    'spawnSync',
    'exec',
    'execSync',
    'execFile',
    'execFileSync',
    'fork',
  ] as const) {
    Object.assign(childProcess, { [name]: refuse })
  }
  Object.assign(workerThreads, { Worker: refuse })
  Object.assign(cluster, { fork: refuse })
  syncBuiltinESMExports()
}
