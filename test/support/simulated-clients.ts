import { draw } from '../../src/base/random/random.ts'
import type { Command, ScenarioFile } from '../../src/control/scenario/file.ts'
import { createEmulator, type Emulator } from '../../src/emulator/emulator.ts'
import type { ConductReport } from '../../src/judges/conduct/conduct-report.ts'
import type { Connection, Reply } from '../../src/service/call/call.ts'
import { faultName } from '../../src/service/call/fault.ts'
import { changing } from './changes.ts'
import { watchConduct } from './flights.ts'
import { noon, scenarioOf } from './scenarios.ts'
import { VirtualTime } from './virtual-time.ts'

export interface Request {
  readonly line?: string
  readonly key?: string
  readonly body?: string
  /** Gives up after so many milliseconds. */
  readonly timeout?: number
}

/** Rejects if the connection breaks, or if the client gives up. */
export type Send = (request?: Request) => Promise<Reply>

/** The clients of one run, and the network between them and a real emulator. */
export interface Clients {
  readonly sleep: (ms: number) => Promise<void>
  readonly now: () => number
  readonly random: () => number
  /** Keeps connections open: at most so many at once. `lifo`: takes the one that was used last. */
  readonly pool: (most?: number, order?: 'lifo' | 'fifo') => Send
  /** Opens a connection for each call, and closes it after the reply. */
  readonly connectionEach: () => Send
  readonly change: (command: Command) => void
}

/** Connections are kept for so many milliseconds without a call. */
const keepAliveMs = 4_000

interface Open {
  readonly connection: Connection
  isBusy: boolean
  usedAt: number
}

/** What conduct says of clients in a scenario. Equal seeds give equal runs. */
export async function simulate(
  scenario: ScenarioFile,
  live: (clients: Clients) => Promise<unknown>,
  { scale = 1, seed = 1 } = {},
): Promise<ConductReport> {
  const time = new VirtualTime(noon)
  const clock = { at: '2026-03-02T12:00:00.250Z', scale }
  const emulator = createEmulator({ scenario: scenarioOf({ clock, ...scenario }), startedAt: noon })
  const report = watchConduct(emulator)
  let drawn = 0
  const random = () => {
    drawn += 1
    return draw(seed, drawn)
  }
  const network = createNetwork(emulator, time, random)
  const change = changing(emulator)
  const failures: unknown[] = []
  live({
    ...network,
    sleep: time.sleep,
    now: () => time.now,
    random,
    change: command => {
      change(command, undefined, Math.round(time.now))
    },
  }).catch(error => failures.push(error))
  await time.run()
  if (failures.length > 0) throw failures[0]
  return report()
}

function createNetwork(emulator: Emulator, time: VirtualTime, random: () => number) {
  const latency = () => 0.2 + random() * 2
  // What one machine sends arrives in order: an end comes before a connection that is opened later.
  const close = (connection: Connection) =>
    time.after(0.1, () => {
      connection.closedAt ??= Math.round(time.now)
      connection.replied ??= time.now
    })

  /** Sends a call on an open connection. Resolves when the client has the reply. */
  const call = (connection: Connection, { line, key, body, timeout }: Request): Promise<Reply> =>
    new Promise((resolve, reject) => {
      let isOver = false
      const end = (act: () => void) => {
        if (!isOver) act()
        isOver = true
      }
      const breakOff = (reason: string) => {
        close(connection)
        reject(new Error(reason))
      }
      if (timeout !== undefined) time.after(timeout, () => end(() => breakOff('timeout')))
      time.after(latency(), () => {
        const reply = emulator.handle(callOf(line, key, body, connection, time.now))
        const fault = reply.fault === undefined ? undefined : faultName(reply.fault)
        if (fault === 'hang') return
        time.after(reply.delayMs ?? 0, () => {
          connection.replied ??= time.now
        })
        time.after((reply.delayMs ?? 0) + latency(), () =>
          end(() => {
            if (fault === 'reset' || fault === 'empty' || fault === 'truncate') breakOff(fault)
            else resolve(reply)
          }),
        )
      })
    })

  const open = async (): Promise<Connection> => {
    // The system of the server accepts it at once, after an end that was sent before.
    await time.sleep(0.15)
    const connection = { opened: time.now }
    // The client learns that in a later turn, when it has written its other calls.
    await time.sleep(2.2)
    return connection
  }

  const connectionEach = (): Send => async request => {
    const connection = await open()
    try {
      return await call(connection, request ?? {})
    } finally {
      close(connection)
    }
  }

  const pool = (most = Number.POSITIVE_INFINITY, order: 'lifo' | 'fifo' = 'lifo'): Send => {
    const opened: Open[] = []
    const waiting: (() => void)[] = []
    let count = 0
    const free = (): Open | undefined => {
      for (const one of [...opened])
        if (one.connection.closedAt !== undefined || (!one.isBusy && time.now - one.usedAt > keepAliveMs)) {
          one.connection.closedAt ??= Math.round(one.usedAt + keepAliveMs)
          opened.splice(opened.indexOf(one), 1)
          count -= 1
        }
      const idle = opened.filter(({ isBusy }) => !isBusy)
      if (order === 'fifo') return idle[0]
      return idle.toSorted((one, other) => other.usedAt - one.usedAt)[0]
    }
    const take = async (): Promise<Open> => {
      for (;;) {
        const idle = free()
        if (idle !== undefined) {
          idle.isBusy = true
          return idle
        }
        if (count < most) {
          count += 1
          const made = { connection: await open(), isBusy: true, usedAt: time.now }
          opened.push(made)
          return made
        }
        await new Promise<void>(resolve => waiting.push(resolve))
      }
    }
    return async request => {
      const one = await take()
      try {
        return await call(one.connection, request ?? {})
      } catch (error) {
        one.connection.closedAt ??= Math.round(time.now)
        throw error
      } finally {
        one.isBusy = false
        one.usedAt = time.now
        waiting.shift()?.()
      }
    }
  }
  return { pool, connectionEach }
}

function callOf(
  line = 'GET /v1/pets',
  key = 'demo-free',
  body: string | undefined,
  connection: Connection,
  now: number,
) {
  const [method = '', target = ''] = line.split(' ')
  const content = body === undefined ? [] : ['Content-Type', 'application/json']
  return {
    method,
    target,
    headers: ['Host', '127.0.0.1:7387', 'Authorization', `Bearer ${key}`, ...content],
    body: body === undefined ? undefined : new TextEncoder().encode(body),
    scheme: 'http',
    client: '127.0.0.1',
    connection,
    receivedAt: Math.round(now),
    order: now,
  } as const
}

/** How long a refusal says to wait: milliseconds. */
export function retryAfterOf({ headers }: Reply): number {
  return Number(headers['Retry-After']) * 1_000
}
