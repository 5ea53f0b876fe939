import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Processes } from '../processes.ts'
import {
  accept,
  connections,
  type Failures,
  headersOf,
  type Load,
  type SentCall,
  type Traffic,
} from './load.ts'

const here = fileURLToPath(new URL('.', import.meta.url))

interface WrkReport extends Failures {
  readonly calls: number
  readonly seconds: number
  readonly p99Us: number
}

/** wrk (https://github.com/wg/wrk), when PATH has it. */
export async function findWrk(processes: Processes): Promise<Load | undefined> {
  const probe = processes.start({ file: 'wrk', args: ['-v'] })
  await probe.ended
  const version = /^wrk \S+/m.exec(probe.said())?.[0]
  if (version === undefined) return undefined
  return { name: version, send: traffic => send(processes, traffic) }
}

async function send(processes: Processes, traffic: Traffic) {
  const folder = await mkdtemp(join(tmpdir(), 'pet-mock-bench-'))
  try {
    const file = join(folder, 'requests')
    const { host } = new URL(traffic.origin)
    await writeFile(file, traffic.calls.map(call => `${requestText(host, call)}\x1e`).join(''))
    // wrk knows whole seconds only.
    const seconds = Math.max(1, Math.round(traffic.seconds))
    const flags = ['-t1', `-c${connections}`, `-d${seconds}s`]
    const program = { file: 'wrk', args: [...flags, ...calling(traffic, file)], cwd: here }
    const stdout = await processes.run(program, seconds * 1_000 + 15_000)
    const report: WrkReport = JSON.parse(/^\{.*\}$/m.exec(stdout)?.[0] ?? '')
    const volley = {
      calls: report.calls,
      callsPerSecond: report.calls / report.seconds,
      p99Ms: report.p99Us / 1_000,
    }
    return accept(volley, report, traffic)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** A call that is always the same needs no script, which would take time of the load. */
function calling({ origin, calls }: Traffic, file: string): readonly string[] {
  const [only, ...others] = calls
  if (only === undefined || others.length > 0 || only.method !== 'GET') {
    return ['-s', 'turn.lua', origin, '--', file]
  }
  const headers = Object.entries(headersOf(only)).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  return [...headers, '-s', 'report.lua', `${origin}${only.target}`]
}

function requestText(host: string, call: SentCall): string {
  const { method, target, body = '' } = call
  const length = method === 'POST' ? { 'Content-Length': Buffer.byteLength(body) } : {}
  const headers = Object.entries({ Host: host, ...headersOf(call), ...length })
  const lines = headers.map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${target} HTTP/1.1`, ...lines, '', body].join('\r\n')
}
