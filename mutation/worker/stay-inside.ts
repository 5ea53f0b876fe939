import childProcess from 'node:child_process'
import cluster from 'node:cluster'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import workerThreads from 'node:worker_threads'

/** Lets every test fail that leaves this process: a mutant is alive only in here, and thousands of them need quick tests. */
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
  Object.assign(net.Server.prototype, { listen: refuse })
  Object.assign(net.Socket.prototype, { connect: refuse })
  Object.assign(workerThreads, { Worker: refuse })
  Object.assign(cluster, { fork: refuse })
  syncBuiltinESMExports()
}
