import fc from 'fast-check'
import { shippedFixtures } from '../../../src/control/fixtures/fixtures.ts'
import { settle } from '../../../src/control/scenario/settle/settle.ts'
import { shippedScenarios } from '../../../src/control/scenario/shipped.ts'
import { fetchFrom } from '../../../src/doors/fetch/fetch-from.ts'
import type { Call } from '../../../src/service/call/call.ts'
import { emulate } from '../core/emulate.ts'
import { anyCall } from '../grammar/any-call.ts'
import { ownHeap } from '../heap.ts'
import { judgeReply } from '../judge/judge-reply.ts'
import { type Lane, sessionOf } from '../lane.ts'

/** Without large-store, whose million of pets would be most of the work. */
const scenarios = Array.from(shippedScenarios, ([name, file]) => settle(name, file, shippedFixtures)).filter(
  ({ pets }) => pets.size < 10_000,
)
const scenario = fc.constantFrom(...scenarios)
const calls = fc.array(anyCall, { minLength: 20, maxLength: 60, size: 'max' })

/** `handle`, the function from a call to a reply, in every shipped scenario. */
export const coreLane: Lane = {
  name: 'core',
  about: 'calls as values to the emulator, in every shipped scenario',
  share: 230_000,
  perCase: 40,
  open: async () =>
    sessionOf({
      cases: fc.record({ scenario: scenario.map(({ name }) => name), calls }),
      run: async ({ scenario, calls }) => {
        const { handle, expectState } = emulate(scenarioNamed(scenario), calls[0]?.receivedAt ?? 0)
        for (const call of calls) handle(call)
        expectState()
        return calls.length
      },
      heap: ownHeap,
    }),
}

/** `fetch` in process, with what the platform's Request accepts. */
export const fetchLane: Lane = {
  name: 'fetch',
  about: 'requests to `fetch` in process',
  share: 50_000,
  perCase: 40,
  open: async () =>
    sessionOf({
      cases: calls,
      run: async calls => {
        const { handle, expectState } = emulate(scenarioNamed('free-plan'), Date.now())
        const fetch = fetchFrom(handle)
        for (const call of calls) {
          const request = requestOf(call)
          if (request === undefined) continue
          const response = await fetch(request)
          const headers = Object.fromEntries(response.headers)
          const reply = { status: response.status, headers, text: await response.text() }
          judgeReply(reply, { isHead: request.method === 'HEAD', hasRules: true })
        }
        expectState()
        return calls.length
      },
      heap: ownHeap,
    }),
}

/** Undefined for what no Request can be. */
function requestOf({ method, target, headers, body }: Call): Request | undefined {
  try {
    const pairs = headers.flatMap((name, index) =>
      index % 2 === 0 ? [[name, headers[index + 1] ?? '']] : [],
    )
    const content = body instanceof Uint8Array && !/^(?:GET|HEAD)$/i.test(method) ? { body } : {}
    return new Request(new URL(target, 'http://localhost'), {
      method,
      headers: pairs as [string, string][],
      ...content,
    })
  } catch {
    return undefined
  }
}

function scenarioNamed(name: string) {
  const found = scenarios.find(scenario => scenario.name === name)
  if (found === undefined) throw new Error(`there is no scenario ${name}`)
  return found
}
