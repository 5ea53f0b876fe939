import { env } from 'node:process'
import { afterEach, beforeEach, describe, type TestContext } from 'vitest'
import { createEventRunner } from '../../src/control/change/run-event.ts'
import { createEmulator, type Emulator, type EmulatorOptions } from '../../src/emulator/emulator.ts'
import { advanceClock } from './clock.ts'
import type { Door, Way } from './doors/door.ts'
import { inProcess } from './doors/in-process.ts'
import { inSite } from './doors/in-site.ts'
import { BeyondDoor } from './doors/limits.ts'
import { mswInChromium } from './doors/msw-in-chromium.ts'
import { mswInNode } from './doors/msw-in-node.ts'
import { overCommand } from './doors/over-command.ts'
import { overHttp } from './doors/over-http.ts'
import { expectContract } from './expect-contract.ts'
import { scenarioOf } from './scenarios.ts'

export { brokenAs } from './doors/door.ts'
export { sendOverHttp } from './doors/over-http.ts'
export type { CompleteRequest, TestReply, TestRequest } from './doors/request.ts'

export interface OpenDoor {
  readonly emulator: Emulator
  readonly host: string
  /** Skips the test, with the reason, when no client of this door can make such a request. */
  readonly send: Way['send']
  /** Moves the default sandbox's clock, which is frozen in most tests. */
  readonly advance: (ms: number) => void
}

type Scenario = EmulatorOptions['scenario']
export type OpenOptions = Omit<EmulatorOptions, 'scenario' | 'startedAt'> & {
  readonly scenario?: Scenario
  /** False for settings that break the contract. */
  readonly keepsContract?: boolean
}
export type Open = (options?: OpenOptions) => Promise<OpenDoor>

const some: Readonly<Record<string, readonly Door[]>> = {
  browser: [mswInChromium],
  site: [inSite],
  command: [overCommand],
  'in process': [inProcess],
}
const doors = some[env.TEST_DOORS ?? ''] ?? [inProcess, overHttp, mswInNode]

/** Runs one suite through every door of this lane (see vitest.config.ts): behaviour must not depend on the door. */
export function describeDoors(name: string, suite: (open: Open) => void): void {
  for (const door of doors) {
    describe(`${name}, ${door.name}`, {
      ...(door.timeout !== undefined && { timeout: door.timeout }),
    }, () => {
      const openWay = door.start()
      const closers: (() => Promise<void>)[] = []
      let context: TestContext
      beforeEach(current => {
        context = current
      })
      afterEach(async () => {
        await Promise.all(closers.splice(0).map(close => close()))
      })
      suite(async options => {
        const errors: unknown[] = []
        const emulator = createEmulator({
          onError: error => errors.push(error),
          runEvent: createEventRunner(),
          ...options,
          scenario: options?.scenario ?? scenarioOf({}),
          startedAt: Date.now(),
        })
        let isMadeUp = false
        let isOutside = false
        emulator.observe(({ trace }) => {
          isMadeUp ||= trace.rules !== undefined
          isOutside = trace.gate === 'host'
        })
        const { host, send, close } = await openWay(emulator, context, options ?? {})
        closers.push(async () => {
          await close()
          if (options?.onError === undefined && errors.length > 0) throw errors[0]
        })
        return {
          emulator,
          host,
          send: async request => {
            try {
              const limit = door.cannot(request)
              if (limit !== undefined) throw new BeyondDoor(limit)
              const reply = await send(request)
              if (!isMadeUp && !isOutside && options?.keepsContract !== false)
                await expectContract(request, reply)
              return reply
            } catch (error) {
              if (!(error instanceof BeyondDoor)) throw error
              const { what, why } = error.limit
              return context.skip(`${door.name}, nobody makes ${what}: ${why}`)
            }
          },
          advance: ms => advanceClock(emulator.sandboxes.default, ms),
        }
      })
    })
  }
}
