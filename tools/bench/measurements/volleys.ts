import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import type { Load, SentCall, Volley } from '../load/load.ts'
import { isNotRun, type NotRun, type Series } from '../measurement.ts'
import type { RunningServer, Server } from '../servers/server.ts'
import { interleave, median, withRatios } from '../statistics.ts'

export const bareName = 'bare node:http'

export const [cpuACall, bytesACall] = ['CPU a call', 'allocated a call']

export interface MeasuredVolley extends Volley {
  /** Microseconds of a core that the server took for a call; NaN where the system does not tell. */
  readonly cpuUs: number
  /** Bytes of V8's heap that the server took for a call; NaN where it does not tell. */
  readonly bytes: number
}

interface Round {
  readonly seconds: number
  readonly calls?: (server: Server) => readonly SentCall[]
  readonly refused?: boolean
}

export function listCall({ target, key }: Server): SentCall {
  return { method: 'GET', target, key }
}

/**
 * Calls a server for some seconds, one call at a time on one connection that is kept. Resolves with the median of a call in
 * milliseconds.
 */
export function callOneByOne({ url, server: { key } }: RunningServer, target = () => url) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const headers = { Authorization: `Bearer ${key}` }
  return async (seconds: number): Promise<number> => {
    const times: number[] = []
    const end = performance.now() + seconds * 1_000
    do {
      const path = new URL(target(), url)
      const from = performance.now()
      const [response]: IncomingMessage[] = await once(get(path, { agent, headers }), 'response')
      if (response?.statusCode !== 200) throw new Error(`${path} answers ${response?.statusCode}`)
      await once(response.resume(), 'end')
      times.push(performance.now() - from)
    } while (performance.now() < end)
    return median(times)
  }
}

/** The samples of a run whose first round only warmed up. */
export function afterWarmUp<Sample>(all: readonly Sample[] | NotRun): readonly Sample[] | NotRun {
  return isNotRun(all) ? all : all.slice(1)
}

export function sendRound(
  load: Load | NotRun,
  { seconds, calls = server => [listCall(server)], refused = false }: Round,
): (server: RunningServer) => Promise<MeasuredVolley> {
  return async ({ url, server, cpuMs, heap }) => {
    if (isNotRun(load)) throw new Error(load.notRun)
    const bytes = (await heap('allocated')) ?? Number.NaN
    const cpu = cpuMs() ?? Number.NaN
    const { origin } = new URL(url)
    const volley = await load.send({ origin, calls: calls(server), seconds, refused })
    const cpuUs = (((cpuMs() ?? Number.NaN) - cpu) * 1_000) / volley.calls
    return { ...volley, cpuUs, bytes: (((await heap('allocated')) ?? Number.NaN) - bytes) / volley.calls }
  }
}

/** Loads each server until it has answered this number of calls, so that no round begins with an empty server. */
export async function fill(
  servers: Readonly<Record<string, RunningServer | NotRun>>,
  callsOf: (name: string) => number,
  send: (server: RunningServer, name: string) => Promise<Volley>,
): Promise<void> {
  const filled = await interleave(servers, 1, async (server, name) => {
    let made = 0
    while (made < callsOf(name)) made += (await send(server, name)).calls
    return made
  })
  const failed = Object.values(filled).find(isNotRun)
  if (failed !== undefined) throw new Error(failed.notRun)
}

type Volleys = Readonly<Record<string, readonly MeasuredVolley[] | NotRun>>

/** The speed (by the name `speed`), p99, CPU and allocation of everybody, without the first round, which only warmed up. */
export function volleySeries(speed: string, volleys: Volleys): readonly Series[] {
  return Object.entries(volleys).flatMap(([who, all]): readonly Series[] => {
    const samples = (of: (volley: MeasuredVolley) => number) => (isNotRun(all) ? all : all.slice(1).map(of))
    const bytes = samples(volley => volley.bytes)
    const says = !isNotRun(bytes) && !bytes.some(Number.isNaN)
    return [
      { who, what: speed, unit: 'calls/s', samples: samples(volley => volley.callsPerSecond) },
      { who, what: 'p99', unit: 'ms', samples: samples(volley => volley.p99Ms) },
      { who, what: cpuACall, unit: 'µs', samples: samples(volley => volley.cpuUs) },
      ...(says ? [{ who, what: bytesACall, unit: 'bytes', samples: bytes } as const] : []),
    ]
  })
}

/** The same, and behind them how they stand to one contestant's. */
export function comparedVolleys(speed: string, volleys: Volleys, base: string): readonly Series[] {
  return withRatios(withRatios(volleySeries(speed, volleys), speed, base), cpuACall, base)
}
