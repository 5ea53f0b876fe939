import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { createServer } from 'node:net'
import { cpuTime, residentBytes } from '../../program/proc.ts'
import { isNotRun, type NotRun, notRun } from '../measurement.ts'
import { bundledProgram, type Processes, type Program, type Started } from '../processes.ts'

export interface Server {
  readonly program: (port: number) => Program
  readonly target: string
  /** The API key that it accepts, or any. */
  readonly key: string
  /** Of its first answer; 200 unless given. */
  readonly firstStatus?: number
}

/** A server that Node runs, with these words. */
export function nodeServer(
  words: (port: string) => readonly string[],
  rest: Omit<Server, 'program'>,
): Server {
  return { ...rest, program: port => ({ file: process.execPath, args: words(`${port}`) }) }
}

export interface RunningServer {
  readonly server: Server
  readonly url: string
  /** From the start of its process to the end of its first answer, in milliseconds. */
  readonly firstAnswerMs: number
  /** Milliseconds that it has had a core for, where the system tells. */
  readonly cpuMs: () => number | undefined
  /** Bytes of the machine's memory that it takes, where the system tells. */
  readonly resident: () => number | undefined
  /** Bytes that it has allocated so far, or that it holds; undefined where it does not say. */
  readonly heap: (what: 'allocated' | 'held') => Promise<number | undefined>
  readonly stop: () => Promise<void>
}

/** Milliseconds after which a server that has not answered is given up. */
const startTimeout = 60_000

/** Starts a server and waits for its first answer. Rejects, with what it said, when none comes. */
export async function startServer(processes: Processes, server: Server): Promise<RunningServer> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}${server.target}`
  const startedAt = performance.now()
  const program = server.program(port)
  const started = processes.start(program)
  try {
    await firstAnswer(url, server, started)
    const firstAnswerMs = performance.now() - startedAt
    const heap = async (what: string) =>
      program.answers === true ? Number(await started.ask(what)) : undefined
    const { pid, stop } = started
    const resident = () => residentBytes(pid)
    return { server, url, firstAnswerMs, cpuMs: () => cpuTime(pid), resident, heap, stop }
  } catch (error) {
    await started.stop()
    throw error
  }
}

async function firstAnswer(url: string, { key, firstStatus = 200 }: Server, started: Started): Promise<void> {
  let ended: string | undefined
  void started.ended.then(how => {
    ended = how
  })
  const deadline = performance.now() + startTimeout
  while (performance.now() < deadline) {
    if (ended !== undefined) throw new Error(`${ended}: ${started.said()}`)
    const status = await statusOf(url, key)
    if (status === firstStatus) return
    if (status !== undefined) throw new Error(`its first answer was ${status}: ${started.said()}`)
    await new Promise(resolve => setTimeout(resolve, 1))
  }
  throw new Error(`no answer within ${startTimeout / 1_000} s: ${started.said()}`)
}

/** Undefined as long as nobody listens, or a server that listens does not answer. */
async function statusOf(url: string, key: string): Promise<number | undefined> {
  try {
    const signal = AbortSignal.timeout(startTimeout)
    const request = get(url, { agent: false, signal, headers: { Authorization: `Bearer ${key}` } })
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

/** One after the other, so that none disturbs another's start. A server that does not start is reported as not run. */
export async function startAll<Name extends string>(
  processes: Processes,
  servers: Readonly<Record<Name, Server | NotRun>>,
): Promise<Readonly<Record<Name, RunningServer | NotRun>>> {
  const started: [string, RunningServer | NotRun][] = []
  for (const [name, server] of Object.entries<Server | NotRun>(servers)) {
    started.push([name, isNotRun(server) ? server : await startServer(processes, server).catch(notRun)])
  }
  return Object.fromEntries(started) as Record<Name, RunningServer | NotRun>
}

export async function stopAll(servers: Readonly<Record<string, RunningServer | NotRun>>): Promise<void> {
  await Promise.all(Object.values(servers).map(server => (isNotRun(server) ? undefined : server.stop())))
}

/** The same server, in a process that says what it allocates. Only for servers that run in Node. */
export function withHeapReporter<Given extends Server | NotRun>(folder: string, server: Given): Given {
  if (isNotRun(server)) return server
  const reporter = bundledProgram(folder, 'heap-reporter')
  const program = (port: number) => {
    const { args, ...rest } = server.program(port)
    return { ...rest, args: ['--import', reporter, ...args], answers: true }
  }
  return { ...server, program }
}
