import { onTestFinished } from 'vitest'
import { shippedFixtures } from '../../src/control/fixtures/fixtures.ts'
import type { ScenarioFile } from '../../src/control/scenario/file.ts'
import { createAdminPlane } from '../../src/doors/admin/plane.ts'
import { type HttpDoor, openHttpDoor } from '../../src/doors/server/http-door.ts'
import { createEmulator, type Emulator, type EmulatorOptions } from '../../src/emulator/emulator.ts'
import { adminOf } from './admin.ts'
import { scenarioOf } from './scenarios.ts'

/** A server with its admin plane, over real HTTP, on a clock that stands at noon. */
export interface AdminServer {
  readonly emulator: Emulator
  readonly door: HttpDoor
  /** How many calls wait for others: those who observe the emulator. */
  readonly waiting: () => number
  /** `http://127.0.0.1:…`. */
  readonly origin: string
  /** Calls the API with a key; `target` begins at the root. */
  readonly call: (target: string, key?: string, init?: RequestInit) => Promise<Response>
  /** Asks the admin plane: a GET, or with a value to send, a POST. */
  readonly ask: (path: string, body?: object, method?: string) => Promise<AdminReply>
}

export interface AdminReply {
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  // Of whatever shape the test expects: it says so.
  readonly json: ReturnType<typeof JSON.parse>
}

export async function openAdminServer(
  file: ScenarioFile = {},
  options: Pick<EmulatorOptions, 'journal' | 'runEvent'> = {},
): Promise<AdminServer> {
  const created = createEmulator({ ...options, scenario: scenarioOf(file), startedAt: Date.now() })
  let observing = 0
  const emulator: Emulator = {
    ...created,
    observe: observer => {
      observing += 1
      const stop = created.observe(observer)
      return () => {
        observing -= 1
        stop()
      }
    },
  }
  const failures: unknown[] = []
  const onError = (error: unknown) => failures.push(error)
  const door = await openHttpDoor({
    handle: emulator.handle,
    host: '127.0.0.1',
    port: 0,
    admin: async () =>
      createAdminPlane({
        emulator,
        fixtures: shippedFixtures,
        door: 'server',
        version: '1.2.3',
        start: 'a',
        allowedHosts: [],
        token: undefined,
        isExposed: false,
        onError,
      }),
    onLatency: seconds => emulator.metrics.latency.observe(seconds),
    onError,
  })
  onTestFinished(async () => {
    await door.close(0)
    if (failures.length > 0) throw failures[0]
  })
  const origin = `http://127.0.0.1:${door.port}`
  const admin = adminOf(`127.0.0.1:${door.port}`)
  return {
    emulator,
    door,
    waiting: () => observing,
    origin,
    call: (target, key = 'demo-free', init = {}) =>
      fetch(origin + target, { ...init, headers: { Authorization: `Bearer ${key}`, ...init.headers } }),
    ask: (path, body, method = body === undefined ? 'GET' : 'POST') => admin(`${method} ${path}`, body),
  }
}

/** Makes so many calls, one after the other. */
export async function times(count: number, act: () => Promise<unknown>): Promise<void> {
  for (let made = 0; made < count; made += 1) await act()
}
