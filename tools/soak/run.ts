import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from './client.ts'
import { type Clients, openClients } from './clients.ts'
import { type Check, judgeCounts, judgeEvents, judgeRestart } from './judge-counts.ts'
import { judgeMemory, type Sample } from './judge-memory.ts'
import { type SoakedServer, startServer } from './server.ts'
import { ask, type EventReader, readCounts, readEvents } from './server-counts.ts'
import { merge, type Tally } from './tally.ts'
import { brokenKind, planCall, sandboxes } from './traffic.ts'

export const plants = ['leak', 'lost-count'] as const
export type Plant = (typeof plants)[number]

export interface Options {
  readonly calls: number
  readonly connections: number
  /** Minutes after which the clients send no more calls. */
  readonly minutes: number
  /** A fault in the server that the soak must find. */
  readonly plant: Plant | undefined
}

export interface Result {
  readonly calls: number
  readonly seconds: number
  /** Milliseconds that the server had a core for, where the system says so. */
  readonly cpuMs: number | undefined
  readonly reopened: number
  readonly checks: readonly Check[]
}

const eventReaders = 10
/** Samples of memory, evenly spread over the calls. */
const sampleCount = 40

export async function runSoak(
  options: Options,
  folder: string,
  say: (text: string) => void,
): Promise<Result> {
  const stateFile = join(folder, 'state.json')
  const server = await startServer(stateFile, folder, options.plant)
  let clients: Clients | undefined
  try {
    for (const sandbox of sandboxes.slice(1)) await ask(server.origin, `sandboxes/${sandbox}`, 'PUT', {})
    const readers = await Promise.all(Array.from({ length: eventReaders }, () => readEvents(server.origin)))
    const first = await loadContract(server, options.calls)
    say(`opening ${options.connections} connections`)
    clients = await openClients(server.port, options.connections, options.calls)
    const { sent, samples, descriptors, seconds } = await underLoad(options, server, clients, say)
    const tally = merge([first, sent])
    const open = judgeConnections(descriptors, options.connections)
    const cpuMs = server.cpuMs()
    const counted = await readCounts(server.origin)
    await untilCounted(tally, readers)
    const events = judgeEvents(tally, readers)
    for (const { stop } of readers) stop()
    clients.end()
    say('restarting from the state file')
    const stopped = await judgeStop(server)
    const restart = await restarted(stateFile, folder, tally)
    const checks = [
      ...[
        open,
        ...judgeCounts(tally, counted, server.log, options.calls + 1),
        events,
        ...stopped,
        ...restart,
      ],
      ...judgeMemory(samples),
    ]
    return { calls: clients.answered(), seconds, cpuMs, reopened: tally.reopened, checks }
  } finally {
    clients?.end()
    server.kill()
  }
}

/**
 * Makes one call whose answer breaks the contract, and waits for the log to say so. The check is loaded with the first call,
 * and calls that come by the thousand meanwhile would get no verdict.
 */
async function loadContract(server: SoakedServer, after: number): Promise<Tally> {
  let number = after
  while (planCall(number).kind !== brokenKind) number += 1
  const client = new Client({ port: server.port, connections: 1, atOnce: 1, first: number, calls: 1 })
  await client.open()
  await client.run()
  client.close()
  for (let look = 0; look < 600 && server.log.contract === 0; look += 1) await sleep(100)
  return client.tally
}

/** Lets the clients send everything, and looks at the server meanwhile, as a dashboard and Prometheus do. */
async function underLoad(
  { calls, minutes }: Options,
  server: SoakedServer,
  clients: Clients,
  say: (text: string) => void,
) {
  const startedAt = performance.now()
  const samples: Sample[] = []
  const descriptors: (number | undefined)[] = []
  let isRunning = true
  const sample = async () => {
    const answered = clients.answered()
    descriptors.push(server.descriptors())
    const { heapUsed, external, rss } = await server.memory()
    samples.push({ calls: answered, alive: heapUsed + external, resident: rss })
    say(`${answered} of ${calls} calls`)
  }
  const watch = async () => {
    for (let next = 0; isRunning; await sleep(20)) {
      if (clients.answered() < next) continue
      next += calls / sampleCount
      await sample()
    }
  }
  const readPlane = async () => {
    for (; isRunning; await sleep(1_000)) {
      for (const path of ['metrics', 'requests?limit=100&sandbox=*'])
        await ask(server.origin, path).catch(ignoreNoConnection)
    }
  }
  const timer = setTimeout(clients.stop, minutes * 60_000)
  const running = clients.run().finally(() => {
    isRunning = false
    clearTimeout(timer)
  })
  const [sent] = await Promise.all([running, watch(), readPlane()])
  const seconds = (performance.now() - startedAt) / 1_000
  await sample()
  return { sent, samples, descriptors, seconds }
}

/** A busy machine may not accept a connection in time, while thousands are opened. A refusal is a failure. */
function ignoreNoConnection(error: unknown): void {
  // `fetch` rejects with a TypeError for what the network does.
  if (!(error instanceof TypeError)) throw error
}

/** Node closes connections that are idle for 5 s, so on a machine that is too busy fewer are open at the end. */
function judgeConnections(all: readonly (number | undefined)[], connections: number): Check {
  const what = 'open connections'
  const descriptors = all.filter(one => one !== undefined)
  if (descriptors.length === 0) return { what, found: 'unknown: this system has no /proc', holds: true }
  const most = Math.max(...descriptors)
  const found = `${connections}; the server had up to ${most} descriptors, and ${descriptors.at(-1)} at the end`
  return { what, found, holds: most >= connections }
}

async function untilCounted(tally: Tally, readers: readonly EventReader[]): Promise<void> {
  for (let look = 0; look < 50 && !judgeEvents(tally, readers).holds; look += 1) await sleep(100)
}

async function judgeStop(server: SoakedServer): Promise<readonly Check[]> {
  const { code, stderr } = await server.stop()
  return [
    { what: 'exit code after SIGTERM', found: `${code}`, holds: code === 0 },
    { what: 'messages on stderr', found: stderr.trim().slice(0, 300) || 'none', holds: stderr === '' },
    {
      what: 'other lines of the log',
      found: server.log.others[0] ?? 'none',
      holds: server.log.others.length === 0,
    },
  ]
}

async function restarted(stateFile: string, folder: string, tally: Tally): Promise<readonly Check[]> {
  const server = await startServer(stateFile, folder)
  try {
    return judgeRestart(tally, await readCounts(server.origin))
  } finally {
    await server.stop()
  }
}
