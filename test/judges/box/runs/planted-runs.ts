import fc from 'fast-check'
import { createChange } from '../../../../src/control/change/change.ts'
import { createEventRunner } from '../../../../src/control/change/run-event.ts'
import { shippedFixtures } from '../../../../src/control/fixtures/fixtures.ts'
import type { Command, ScenarioFile } from '../../../../src/control/scenario/file.ts'
import { settle } from '../../../../src/control/scenario/settle/settle.ts'
import { createEmulator } from '../../../../src/emulator/emulator.ts'
import type { Exchange } from '../../../../src/emulator/journal/exchange.ts'
import { type Box, readBox } from '../../../../src/judges/box/read-box.ts'
import { recordBox } from '../../../../src/judges/box/record-box.ts'

/** A call of a drawn run. `change`: what happens in its sandbox just before it. */
export interface DrawnCall {
  /** Milliseconds since the start of the run. */
  readonly at: number
  readonly method: string
  readonly target: string
  readonly key: string
  readonly body?: string | undefined
  readonly change?: Command | undefined
}

export const start = Date.UTC(2026, 10, 22, 12, 0, 0)

/** Few calls fill a minute, and bans come soon. */
const scenario: ScenarioFile = {
  plans: { free: { minute: 5, day: 500 }, pro: { minute: 8, day: 5_000 } },
  bans: { after: 4, for: '90s' },
}

const settled = settle('drawn', scenario, shippedFixtures)

export const drawnRequest = fc
  .oneof(
    {
      weight: 4,
      arbitrary: fc.constantFrom('/v1/pets', '/v1/pets?limit=3', '/v1/pets/1', '/v1/pets/2', '/v1/pets/999'),
    },
    { weight: 1, arbitrary: fc.constantFrom('a', 'b', 'c') },
  )
  .map(text =>
    text.startsWith('/')
      ? { method: 'GET', target: text, body: undefined }
      : { method: 'POST', target: '/v1/pets', body: JSON.stringify({ name: text, categoryId: 1 }) },
  )

export const drawnRun: fc.Arbitrary<readonly DrawnCall[]> = fc
  .array(
    fc.record({
      gap: fc.integer({ min: 1, max: 20_000 }),
      request: drawnRequest,
      key: fc.constantFrom('demo-free', 'demo-pro', 'demo-free+worker-1'),
    }),
    { minLength: 4, maxLength: 40 },
  )
  .map(calls => {
    let at = 0
    return calls.map(({ gap, request, key }) => {
      at += gap
      return { at, key, ...request }
    })
  })

/** An emulator in its scenario, at the start of a run. */
export function createWorld() {
  return createEmulator({
    scenario: settled,
    startedAt: start,
    runEvent: createEventRunner(),
  })
}

/** Makes the calls of a run. `begin`: how much later than `start`, as another day of CI would. */
export function makeCalls(
  emulator: ReturnType<typeof createWorld>,
  run: readonly DrawnCall[],
  begin = 0,
): readonly Exchange[] {
  const change = createChange(emulator.sandboxes, shippedFixtures)
  const exchanges: Exchange[] = []
  const stop = emulator.observe(exchange => exchanges.push(exchange))
  for (const { at, method, target, key, body, change: command } of run) {
    const now = start + begin + at
    const sandbox = key.split('+')[1]
    if (command !== undefined) {
      const outcome = change(sandbox, command, now)
      if (!outcome.ok) throw new Error(outcome.refusal.message)
    }
    const type = body === undefined ? [] : ['Content-Type', 'application/json']
    void emulator.handle({
      method,
      target,
      headers: ['Host', '127.0.0.1', 'Authorization', `Bearer ${key}`, ...type],
      body: body === undefined ? undefined : new TextEncoder().encode(body),
      scheme: 'http',
      client: '127.0.0.1',
      receivedAt: now,
    })
  }
  stop()
  return exchanges
}

/** The lines of the box of a run. */
export function linesOf(run: readonly DrawnCall[], begin = 0): string {
  const emulator = createWorld()
  const recorder = recordBox(emulator, { version: '0.0.0' })
  makeCalls(emulator, run, begin)
  return recorder.end()
}

export function boxOf(run: readonly DrawnCall[], begin = 0): Promise<Box> {
  return readBox([linesOf(run, begin)])
}

/** What a client sees of a response, dates and waits aside. */
export function seen({ reply: { status, body, headers }, trace: { code } }: Exchange): string {
  return JSON.stringify([status, code, headers['X-RateLimit-Limit'], status < 400 && body])
}
