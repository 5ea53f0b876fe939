import { shippedFixtures } from '../../src/control/fixtures/fixtures.ts'
import { openHttpDoor } from '../../src/doors/server/http-door.ts'
import { lateAdminPlane } from '../../src/doors/server/load-admin.ts'
import { createEmulator } from '../../src/emulator/emulator.ts'
import type { Call, Reply } from '../../src/service/call/call.ts'
import { ownHeap } from '../../tools/fuzz/heap.ts'
import type { StartServer } from '../../tools/fuzz/server/server.ts'
import { scenarioOf } from '../support/scenarios.ts'

/** What a fault makes of the reply to a call. */
export type Plant = (reply: Reply, call: Call) => Reply | Promise<Reply>

/** The server in this process, with a fault in what it answers to calls of the API. */
export function startPlanted(plant: Plant): StartServer {
  return async () => {
    const options = { onError: () => {} }
    const emulator = createEmulator({ scenario: scenarioOf({}), startedAt: Date.now() })
    const door = await openHttpDoor({
      handle: call => plant(emulator.handle(call), call),
      host: '127.0.0.1',
      port: 0,
      admin: lateAdminPlane({
        emulator,
        fixtures: shippedFixtures,
        door: 'server',
        allowedHosts: [],
        trustProxy: false,
        token: undefined,
        findPage: undefined,
        ...options,
      }),
      ...options,
    })
    return { port: door.port, heap: ownHeap, expectSound: () => {}, stop: () => door.close(0) }
  }
}
