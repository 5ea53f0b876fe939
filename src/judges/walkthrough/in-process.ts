import { utf8Length } from '../../base/json/utf8.ts'
import { parseInstant } from '../../base/time/instant.ts'
import { type Change, createChange } from '../../control/change/change.ts'
import { createEventRunner } from '../../control/change/run-event.ts'
import type { Fixtures } from '../../control/fixtures/fixtures.ts'
import type { Command } from '../../control/scenario/file.ts'
import { createEmulator, type Emulator } from '../../emulator/emulator.ts'
import { defaultSandbox } from '../../emulator/worlds/sandboxes.ts'
import type { Scenario } from '../../emulator/worlds/scenario.ts'
import type { Reply } from '../../service/call/call.ts'
import { type Failure, failures, faultName, faultTraits, planBody } from '../../service/call/fault.ts'
import type { Done, WalkthroughTarget } from './target.ts'

/** The start of a walkthrough by default, so that every run is the same. */
export const defaultInstant = parseInstant('2026-03-02T09:00:00Z') ?? 0

/** Freezes the clock of a scenario, so that only the walkthrough moves it. */
export function withFrozenClock(scenario: Scenario): Scenario {
  return { ...scenario, clock: { at: scenario.clock.at ?? defaultInstant, scale: 0 } }
}

/** An emulator of its own for one walkthrough. Time passes without waiting. */
export function createInProcessTarget(scenario: Scenario, fixtures: Fixtures): WalkthroughTarget {
  const frozen = withFrozenClock(scenario)
  const now = frozen.clock.at ?? defaultInstant
  const defects: unknown[] = []
  const emulator = createEmulator({
    scenario: frozen,
    startedAt: now,
    runEvent: createEventRunner(),
    onError: error => defects.push(error),
  })
  const change = createChange(emulator.sandboxes, fixtures)
  const target = createRunningTarget({ emulator, change, sandbox: undefined, now }, '127.0.0.1:7387')
  return {
    ...target,
    call: async call => {
      const answer = await target.call(call)
      // A defect of pet-mock: throw it with its stack.
      if (defects.length > 0) throw defects[0]
      return answer
    },
    change: async command => {
      const made = await target.change(command)
      return made.ok ? made : { ...made, goesOn: true }
    },
  }
}

interface RunningEmulator {
  readonly emulator: Pick<Emulator, 'answer'>
  readonly change: Change
  /** The sandbox in which the walkthrough is played. Undefined: the default one. */
  readonly sandbox: string | undefined
  /** The door's time. */
  readonly now: number
}

/** A sandbox of a running emulator as the target of a walkthrough. Its calls are in the journal, and no reply is delayed. */
export function createRunningTarget(
  { emulator, change, sandbox, now }: RunningEmulator,
  host = '127.0.0.1',
): WalkthroughTarget {
  const inSandbox = (value: string) =>
    sandbox === undefined || sandbox === defaultSandbox || !/^Bearer [^\s+]+$/i.test(value)
      ? value
      : `${value}+${sandbox}`
  const make = (command: Command): Done => {
    const outcome = change(sandbox, command, now)
    return outcome.ok ? outcome : { ok: false, impossible: outcome.refusal.message }
  }
  return {
    call: async call => {
      const headers = call.headers.map((value, index) =>
        call.headers[index - 1]?.toLowerCase() === 'authorization' ? inSandbox(value) : value,
      )
      const reply = await emulator.answer({
        method: call.method,
        target: call.target,
        headers: ['Host', host, ...headers],
        body: call.body === undefined ? undefined : new TextEncoder().encode(call.body),
        scheme: 'http',
        client: '127.0.0.1',
        receivedAt: now,
      })
      const fails = failureOf(reply)
      if (fails !== undefined) return { fails }
      const lowered = Object.entries(reply.headers).map(([name, value]) => [name.toLowerCase(), value])
      return { status: reply.status, headers: Object.fromEntries(lowered), text: reply.body ?? '' }
    },
    advance: ms => make({ do: 'advanceClock', by: `${ms}ms` }),
    change: make,
    cannotJudge: () => undefined,
  }
}

/** How a reply fails to arrive. A malformed one arrives, and is compared by its text. */
function failureOf({ fault, body }: Reply): Failure | undefined {
  if (fault === undefined) return undefined
  const name = faultName(fault)
  const { arrives } = faultTraits[name]
  const length = body === undefined ? 0 : utf8Length(body)
  if (arrives === 'whole' || (arrives === 'part' && planBody(fault, length).bytes === length))
    return undefined
  return failures.find(failure => failure === name)
}
