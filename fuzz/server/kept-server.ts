import { Broken } from '../lane.ts'
import { ask } from '../wire/ask.ts'
import type { Server, StartServer } from './server.ts'

/** A server for all cases of a lane. Each case finds it as new. */
export interface KeptServer {
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
