import { parseInstant } from '../../base/time/instant.ts'
import { createChange } from '../../control/change/change.ts'
import { createEventRunner } from '../../control/change/run-event.ts'
import type { Fixtures } from '../../control/fixtures/fixtures.ts'
import { createEmulator } from '../../emulator/emulator.ts'
import type { Scenario } from '../../emulator/worlds/scenario.ts'
import { readReply } from './read-reply.ts'
import type { WalkthroughTarget } from './target.ts'

/** The start of a walkthrough by default, so that every run is the same. */
const defaultInstant = parseInstant('2026-03-02T09:00:00Z') ?? 0

/** Freezes the clock of a scenario, so that only the walkthrough moves it. */
export function withFrozenClock(scenario: Scenario): Scenario {
  return { ...scenario, clock: { at: scenario.clock.at ?? defaultInstant, scale: 0 } }
}

/** An emulator of its own for one walkthrough. Time passes without waiting. */
export function createInProcessTarget(scenario: Scenario, fixtures: Fixtures): WalkthroughTarget {
  const frozen = withFrozenClock(scenario)
  const now = frozen.clock.at ?? defaultInstant
  const defects: unknown[] = []
  const onError = (error: unknown) => defects.push(error)
  const emulator = createEmulator({
    scenario: frozen,
    startedAt: now,
    runEvent: createEventRunner(),
    onError,
  })
  const change = createChange(emulator.sandboxes, fixtures)
  const done = (outcome: ReturnType<typeof change>) =>
    outcome.ok ? ({ ok: true } as const) : ({ ok: false, impossible: outcome.refusal.message } as const)
  return {
    call: ({ method, target, headers, body }) => {
      const reply = emulator.handle({
        method,
        target,
        headers: ['Host', '127.0.0.1:7387', ...headers],
        body: body === undefined ? undefined : new TextEncoder().encode(body),
        scheme: 'http',
        client: '127.0.0.1',
        receivedAt: now,
      })
      // A defect of pet-mock: throw it with its stack.
      if (defects.length > 0) throw defects[0]
      return readReply(reply)
    },
    advance: ms => done(change(undefined, { do: 'advanceClock', by: `${ms}ms` }, now)),
    change: command => done(change(undefined, command, now)),
    cannotJudge: () => undefined,
  }
}
