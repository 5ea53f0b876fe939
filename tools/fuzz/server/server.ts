import { startPetMock as start } from '../../program/server.ts'
import { Broken } from '../lane.ts'
import { ask } from '../wire/connection.ts'

export interface Server {
  readonly port: number
  /** Bytes of heap after a garbage collection. */
  readonly heap: () => Promise<number>
  /** Rejects if the server ended or reported a defect of its own since the last look. */
  readonly expectSound: () => void
  readonly stop: () => Promise<void>
}

export type StartServer = () => Promise<Server>

export async function startPetMock(): Promise<Server> {
  const { child, port, memory, stderr, kill, ended } = await start({ flags: ['--log-format', 'silent'] })
  const isOver = () => child.exitCode !== null || child.signalCode !== null
  let read = 0
  return {
    port,
    heap: async () => (await memory()).heapUsed,
    expectSound: () => {
      const text = stderr().slice(read)
      read = stderr().length
      if (/pet-mock failed|Warning: /.test(text)) throw new Broken(`The server reported a defect:\n${text}`)
      if (isOver())
        throw new Broken(`The server ended with ${child.signalCode ?? child.exitCode}:\n${stderr()}`)
    },
    stop: async () => {
      kill()
      await ended
    },
  }
}

/** A server for all cases of a lane. Each case finds it as new. */
interface KeptServer {
  readonly fresh: () => Promise<Server>
  readonly heap: () => Promise<number>
  readonly close: () => Promise<void>
}

/** Brings every sandbox back to the state of the start. */
const renewal = [
  ['DELETE', '/__admin/sandboxes', undefined],
  ['PUT', '/__admin/scenario', '{"scenario":"free-plan"}'],
] as const

/** Restarts a server that ended or no longer answers, so that smaller cases can be tried on a sound one. */
export async function keepServer(start: StartServer): Promise<KeptServer> {
  let server = await start()
  const renew = async () => {
    for (const [method, target, body] of renewal) {
      const { status, text } = await ask(server.port, method, target, body)
      if (status >= 500) throw new Broken(`${method} ${target} answered ${status}: ${text}`)
    }
  }
  return {
    fresh: async () => {
      try {
        server.expectSound()
        await renew()
      } catch {
        await server.stop()
        server = await start()
        await renew()
      }
      return server
    },
    heap: async () => {
      await renew()
      return server.heap()
    },
    close: () => server.stop(),
  }
}
