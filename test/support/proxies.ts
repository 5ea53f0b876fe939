import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import type { ProxiedCall } from '../../src/doors/proxy/call-record.ts'
import { createCaptures } from '../../src/doors/proxy/captured-bodies.ts'
import { createForward } from '../../src/doors/proxy/forwarded-call.ts'
import { createProxyRules } from '../../src/doors/proxy/proxy-rules.ts'
import { createUpstream } from '../../src/doors/proxy/upstream.ts'
import { openHttpDoor } from '../../src/doors/server/http-door.ts'
import type { Refusal } from '../../src/doors/server/refusals.ts'
import { createHostGuard } from '../../src/emulator/gates/api-address.ts'
import type { Scenario } from '../../src/emulator/worlds/scenario.ts'

/** A server that is written by hand: it may answer as no server should. */
export interface HandMade {
  readonly port: number
  /** How many connections it has taken. */
  readonly connections: () => number
  /** All that it has read, over all connections. */
  readonly received: () => string
  /** Resolves when it has read what the pattern looks for. */
  readonly until: (pattern: RegExp) => Promise<string>
  /** Resolves when a connection has ended or was reset by whoever opened it. */
  readonly ended: Promise<void>
}

/** `act` is called with each request whose head has come, and all that has come of it since the one before. */
export async function handMade(
  act: (socket: Socket, request: string, count: number) => void,
): Promise<HandMade> {
  let received = ''
  let count = 0
  let connections = 0
  const look = new Set<() => void>()
  let isEnded = () => {}
  const ended = new Promise<void>(resolve => {
    isEnded = resolve
  })
  const server = createServer(socket => {
    connections += 1
    onTestFinished(() => {
      socket.destroy()
    })
    let request = ''
    socket.setEncoding('latin1').on('data', (text: string) => {
      received += text
      request += text
      for (const again of look) again()
      if (!request.includes('\r\n\r\n')) return
      const whole = request
      request = ''
      act(socket, whole, ++count)
    })
    socket.on('error', isEnded).on('close', isEnded)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.close()
  })
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    received: () => received,
    ended,
    until: pattern =>
      new Promise(resolve => {
        const again = () => {
          if (!pattern.test(received)) return
          look.delete(again)
          resolve(received)
        }
        look.add(again)
        again()
      }),
  }
}

export interface TestProxy {
  readonly port: number
  readonly calls: ProxiedCall[]
  readonly refusals: Refusal[]
  readonly givenUp: () => number
  /** Resolves when as many calls have passed. */
  readonly passed: (count: number) => Promise<readonly ProxiedCall[]>
  readonly untilGivenUp: () => Promise<void>
  readonly close: (graceMs: number) => Promise<void>
}

export async function openProxy(
  upstreamUrl: string,
  {
    most = 1_048_576,
    mostInAll = 16_777_216,
    scenario,
  }: { readonly most?: number; readonly mostInAll?: number; readonly scenario?: Scenario } = {},
): Promise<TestProxy> {
  const calls: ProxiedCall[] = []
  const refusals: Refusal[] = []
  const errors: unknown[] = []
  let givenUp = 0
  const look = new Set<() => void>()
  const tell = () => {
    for (const again of look) again()
  }
  const upstream = createUpstream(new URL(upstreamUrl), keepMs)
  const door = await openHttpDoor({
    host: '127.0.0.1',
    port: 0,
    timeouts: { headersMs: 10_000, requestMs: 0 },
    forward: createForward({
      upstream,
      capture: createCaptures(most, mostInAll),
      checkHost: createHostGuard([]),
      onProxiedCall: call => {
        calls.push(call)
        tell()
      },
      onGivenUp: () => {
        givenUp += 1
        tell()
      },
      onRefusal: refusal => refusals.push(refusal),
      rules: scenario && createProxyRules(scenario, new URL(upstreamUrl).pathname, Date.now()),
    }),
    onError: error => errors.push(error),
    onRefusal: refusal => refusals.push(refusal),
  })
  const close = async (graceMs: number) => {
    await door.close(graceMs)
    upstream.close()
  }
  onTestFinished(async () => {
    await close(0)
    if (errors.length > 0) throw errors[0]
  })
  const until = (holds: () => boolean) =>
    new Promise<void>(resolve => {
      const again = () => {
        if (!holds()) return
        look.delete(again)
        resolve()
      }
      look.add(again)
      again()
    })
  return {
    port: door.port,
    calls,
    refusals,
    givenUp: () => givenUp,
    passed: async count => {
      await until(() => calls.length >= count)
      return calls
    },
    untilGivenUp: () => until(() => givenUp > 0),
    close,
  }
}

export interface Ended {
  readonly text: string
  /** Whether the connection was reset; else it was closed in good order. */
  readonly isReset: boolean
}

/** As long as no test takes: what is kept is not let go of, however slow the machine is. */
const keepMs = 600_000

/** Sends bytes, and reads until the other side ends the connection. */
export async function talk(port: number, sent: string): Promise<Ended> {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => {
    socket.destroy()
  })
  let text = ''
  let isReset = false
  socket.setEncoding('latin1').on('data', (more: string) => {
    text += more
  })
  socket.on('error', (error: NodeJS.ErrnoException) => {
    isReset = error.code === 'ECONNRESET'
  })
  socket.write(sent, 'latin1')
  await once(socket, 'close')
  return { text, isReset }
}

/** A request whose connection is closed when it has its answer; Host is added. */
export function lastRequest(line: string, ...lines: readonly string[]): string {
  return [`${line} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...lines, '', ''].join('\r\n')
}
