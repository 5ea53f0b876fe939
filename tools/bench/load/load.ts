import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isNotRun, type NotRun } from '../measurement.ts'
import type { Processes } from '../processes.ts'

export interface SentCall {
  readonly method: 'GET' | 'POST'
  readonly target: string
  readonly key: string
  readonly body?: string
}

/** What is sent, by 64 connections at once, each waiting for its answer. */
export interface Traffic {
  readonly origin: string
  readonly calls: readonly SentCall[]
  readonly seconds: number
  /** True: each call must be answered with a 4xx or 5xx. False: none may be. */
  readonly refused: boolean
}

export interface Volley {
  readonly calls: number
  readonly callsPerSecond: number
  readonly p99Ms: number
}

export interface Failures {
  readonly unanswered: number
  readonly refused: number
}

export interface Load {
  readonly name: string
  /** Rejects when a call was not answered, or refused against the plan: a refusal is quick. */
  readonly send: (traffic: Traffic) => Promise<Volley>
}

type LoadName = 'wrk' | 'autocannon'

export const connections = 64
export const newPet = '{"name":"Rex","categoryId":1,"status":"available"}'

/** wrk where it is installed: it takes little of a core that servers could use. Else autocannon. */
export async function findLoad(
  processes: Processes,
  peers: string | NotRun,
  wanted: LoadName | undefined,
): Promise<Load | NotRun> {
  const wrk = wanted === 'autocannon' ? undefined : await findWrk(processes)
  if (wrk !== undefined) return wrk
  if (wanted === 'wrk') return { notRun: 'wrk is not installed' }
  return isNotRun(peers)
    ? { notRun: `neither wrk nor autocannon is installed: ${peers.notRun}` }
    : findAutocannon(processes, peers)
}

export function accept(
  volley: Volley,
  { unanswered, refused }: Failures,
  wanted: Pick<Traffic, 'refused'>,
): Volley {
  const failed = unanswered + (wanted.refused ? volley.calls - refused : refused)
  if (failed > 0 || volley.calls === 0) throw new Error(`${failed} of ${volley.calls} calls failed`)
  return volley
}

export function headersOf({ key, body }: SentCall): Readonly<Record<string, string>> {
  return {
    Authorization: `Bearer ${key}`,
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
  }
}

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
  return { name: version, send: traffic => sendByWrk(processes, traffic) }
}

async function sendByWrk(processes: Processes, traffic: Traffic) {
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
  return { name: `autocannon ${version}`, send: traffic => sendByAutocannon(processes, file, traffic) }
}

async function sendByAutocannon(processes: Processes, file: string, traffic: Traffic) {
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
