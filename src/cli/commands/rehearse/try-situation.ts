import { BoundedMap } from '../../../base/bounded-map.ts'
import type { Emulator } from '../../../emulator/emulator.ts'
import { conductContext } from '../../../judges/conduct/judge-worlds.ts'
import { reachesApi } from '../../../judges/conduct/observed-call.ts'
import { decodeBody } from '../../../judges/inspection/conceal.ts'
import type { ClientRun } from '../../../judges/rehearsal/client-run.ts'
import { type Attempt, failureOf, type Sought } from '../../../judges/search/runs.ts'
import { scenarioOf, withPace } from '../../../judges/search/scenario-of.ts'
import type { ClientCall } from '../../../judges/search/show-situation.ts'
import { type DrawnSituation, nameOf } from '../../../judges/search/situation.ts'
import { headerValue } from '../../../service/call/headers.ts'
import { type ClientOptions, runClient } from '../../clients/run-client.ts'
import type { NotRun } from '../../clients/run-command.ts'
import type { Io } from '../../terminal/io.ts'

interface TryOptions extends ClientOptions {
  readonly sought: Sought
  /** The speed of the clock; undefined: fast enough for the longest wait. */
  readonly scale: number | undefined
  readonly onRun: () => void
}

export type Tries = ReturnType<typeof createTries>

/** How many failed runs are kept, each with the end of its output. */
const mostKept = 50

export function createTries(options: TryOptions, io: Io) {
  const { sought, scale, onRun } = options
  const failed = new BoundedMap<string, { readonly run: ClientRun; readonly calls: readonly ClientCall[] }>(
    mostKept,
  )
  let notRun: NotRun | undefined
  const scenario = (situation: DrawnSituation) => withPace(situation, scenarioOf(situation), scale)
  return {
    scenario,
    failedRun: (situation: DrawnSituation) => failed.get(nameOf(situation)),
    notRun: () => notRun,
    attempt: (async situation => {
      if (notRun !== undefined) return undefined
      const calls: ClientCall[] = []
      const onOpen = (emulator: Emulator) => keepCalls(emulator, calls)
      const drawn = { name: 'search', scenario: scenario(situation) }
      const result = await runClient(drawn, { ...options, onOpen }, io)
      onRun()
      if (!result.ok) {
        notRun ??= result
        return undefined
      }
      const failure = failureOf(result.run, sought)
      if (failure !== undefined) failed.set(nameOf(situation), { run: result.run, calls })
      return failure
    }) satisfies Attempt,
  }
}

/** Later calls do not show in a walkthrough: parts of a situation act early. */
const mostCalls = 100

function keepCalls({ observe, sandboxes }: Emulator, calls: ClientCall[]): void {
  const { textOf } = conductContext(name => sandboxes.get(name), sandboxes)
  observe(exchange => {
    if (calls.length >= mostCalls || !reachesApi(exchange)) return
    const { call, trace } = exchange
    const text = textOf(exchange)
    const body = decodeBody(call)
    const type = headerValue(call.headers, 'content-type')
    calls.push({
      method: call.method,
      target: text(call.target),
      body: body === undefined ? undefined : text(body),
      type: body !== undefined && typeof type === 'string' ? type : undefined,
      hasKey: trace.gate !== 'key',
    })
  })
}
