import { readClock } from '../../src/base/time/clock.ts'
import type { ScenarioFile } from '../../src/control/scenario/file.ts'
import { createEmulator } from '../../src/emulator/emulator.ts'
import { type CheckOutcome, checkService } from '../../src/judges/conformance/check-service.ts'
import { authorizationOf, targetOf } from '../../src/judges/conformance/requests.ts'
import { type CheckOptions, usualCalls } from '../../src/judges/conformance/sender.ts'
import { loadContract } from '../../src/library/files/load-contract.ts'
import type { Call, Reply } from '../../src/service/call/call.ts'
import { advanceClock } from './clock.ts'
import { noon, scenarioOf } from './scenarios.ts'

const loaded = await loadContract(undefined)

/** Changes the calls and the replies between a client and the emulator. */
export interface Between {
  readonly call?: (call: Call) => Call
  readonly reply?: (reply: Reply, call: Call) => Reply
}

export interface CheckedEmulator {
  readonly outcome: CheckOutcome
  /** `METHOD target` */
  readonly calls: readonly string[]
}

/** Runs the checks against an emulator in process, with changes between them. */
export async function checkEmulator(
  { call: alterCall = call => call, reply: alterReply = reply => reply }: Between = {},
  options: Partial<CheckOptions> = {},
  file: ScenarioFile = {},
): Promise<CheckedEmulator> {
  if (!loaded.ok) throw new Error(loaded.complaints.join('\n'))
  const emulator = createEmulator({
    scenario: scenarioOf(file),
    startedAt: noon,
    onError: error => {
      throw error
    },
  })
  const world = emulator.sandboxes.default
  const calls: string[] = []
  const outcome = await checkService({
    judge: loaded.value,
    plan: 'free',
    basePath: '/v1',
    maxCalls: usualCalls(options.plan ?? 'free', options.exhausts ?? false),
    maxTimeMs: options.exhausts ? 600_000 : 300_000,
    allowsWrites: true,
    exhausts: false,
    seed: 1,
    now: () => readClock(world.clock, noon),
    wait: async ms => advanceClock(world, ms),
    onCall: () => {},
    send: async request => {
      const { method, target, headers, body } = request
      const authorization = authorizationOf(request, 'demo-free')
      calls.push(`${method} ${target}`)
      const call = alterCall({
        method,
        target: targetOf(request, '/v1'),
        headers: [
          ...['Host', '127.0.0.1:7387'],
          ...(authorization === undefined ? [] : ['Authorization', authorization]),
          ...Object.entries(headers).flat(),
        ],
        body: body === undefined ? undefined : new TextEncoder().encode(body),
        scheme: 'http',
        client: '127.0.0.1',
        receivedAt: noon,
      })
      const reply = alterReply(emulator.handle(call), call)
      const lowered = Object.entries(reply.headers).map(([name, value]) => [name.toLowerCase(), value])
      return { status: reply.status, headers: Object.fromEntries(lowered), text: reply.body ?? '' }
    },
    ...options,
  })
  return { outcome, calls }
}
