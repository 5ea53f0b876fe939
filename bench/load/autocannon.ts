import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Processes } from '../processes.ts'
import { accept, connections, headersOf, type Load, type Traffic } from './load.ts'

interface AutocannonReport {
  readonly duration: number
  readonly errors: number
  readonly timeouts: number
  readonly non2xx: number
  readonly requests: { readonly total: number }
  readonly latency: { readonly p99: number }
}

/** autocannon (https://github.com/mcollina/autocannon), from the bench's own packages. */
export async function findAutocannon(processes: Processes, peers: string): Promise<Load> {
  const folder = join(peers, 'autocannon')
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const file = join(folder, 'autocannon.js')
  return { name: `autocannon ${version}`, send: traffic => send(processes, file, traffic) }
}

async function send(processes: Processes, file: string, traffic: Traffic) {
  // It samples whole seconds only.
  const seconds = Math.max(1, Math.round(traffic.seconds))
  const folder = await mkdtemp(join(tmpdir(), 'pet-mock-bench-'))
  try {
    const har = join(folder, 'traffic.har')
    await writeFile(har, JSON.stringify(archive(traffic)))
    const flags = ['--json', '-c', String(connections), '-d', String(seconds), '--har', har]
    const stdout = await processes.run(
      { file: process.execPath, args: [file, ...flags, traffic.origin] },
      seconds * 1_000 + 15_000,
    )
    const { requests, duration, latency, errors, timeouts, non2xx }: AutocannonReport = JSON.parse(stdout)
    const volley = { calls: requests.total, callsPerSecond: requests.total / duration, p99Ms: latency.p99 }
    return accept(volley, { unanswered: errors + timeouts, refused: non2xx }, traffic)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** The calls of one turn of a connection, as an HTTP archive. */
function archive({ origin, calls }: Traffic): unknown {
  const entries = calls.map(call => ({
    request: {
      method: call.method,
      url: `${origin}${call.target}`,
      headers: Object.entries(headersOf(call)).map(([name, value]) => ({ name, value })),
      ...(call.body !== undefined && { postData: { mimeType: 'application/json', text: call.body } }),
    },
  }))
  return { log: { version: '1.2', creator: { name: 'pet-mock bench', version: '1' }, entries } }
}
