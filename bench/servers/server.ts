import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { createServer } from 'node:net'
import type { Processes, Program, Started } from '../processes.ts'
import { cpuTime } from './cpu-time.ts'

/** A server that can be measured. */
export interface Server {
  readonly program: (port: number) => Program
  /** Where it lists pets: a path and a query. */
  readonly target: string
  /** The API key that it accepts, or any. */
  readonly key: string
}

export interface RunningServer {
  readonly server: Server
  readonly url: string
  /** From the start of its process to the end of its first answer, in milliseconds. */
  readonly firstAnswerMs: number
  /** Milliseconds that it has had a core for, where the system tells. */
  readonly cpuMs: () => number | undefined
  readonly stop: () => Promise<void>
}

/** Milliseconds after which a server that has not answered is given up. */
const startTimeout = 60_000

/** Starts a server and waits for its first answer, a 200. Rejects, with what it said, when none comes. */
export async function startServer(processes: Processes, server: Server): Promise<RunningServer> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}${server.target}`
  const startedAt = performance.now()
  const started = processes.start(server.program(port))
  try {
    await firstAnswer(url, server.key, started)
    const firstAnswerMs = performance.now() - startedAt
    return { server, url, firstAnswerMs, cpuMs: () => cpuTime(started.pid), stop: started.stop }
  } catch (error) {
    await started.stop()
    throw error
  }
}

async function firstAnswer(url: string, key: string, started: Started): Promise<void> {
  let ended: string | undefined
  void started.ended.then(how => {
    ended = how
  })
  const deadline = performance.now() + startTimeout
  while (performance.now() < deadline) {
    if (ended !== undefined) throw new Error(`${ended}: ${started.said()}`)
    const status = await statusOf(url, key)
    if (status === 200) return
    if (status !== undefined) throw new Error(`its first answer was ${status}: ${started.said()}`)
    await new Promise(resolve => setTimeout(resolve, 1))
  }
  throw new Error(`no answer within ${startTimeout / 1_000} s: ${started.said()}`)
}

/** Undefined as long as nobody listens. */
async function statusOf(url: string, key: string): Promise<number | undefined> {
  try {
    const request = get(url, { agent: false, headers: { Authorization: `Bearer ${key}` } })
    const [response]: IncomingMessage[] = await once(request, 'response')
    if (response === undefined) return undefined
    await once(response.resume(), 'end')
    return response.statusCode
  } catch {
    return undefined
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('The system gives no port')
  return address.port
}
