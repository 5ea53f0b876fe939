import { stripVTControlCharacters } from 'node:util'
import { readClock } from '../../base/time/clock.ts'
import type { Emulator } from '../../emulator/emulator.ts'
import { conductContext } from '../../judges/conduct/judge-worlds.ts'
import { createCallLog } from '../../judges/rehearsal/call-log.ts'
import type { ClientRun } from '../../judges/rehearsal/client-run.ts'
import { watchMeeting } from '../../judges/rehearsal/meeting/meeting.ts'
import { createRunLog, type RunFacts } from '../../judges/rehearsal/run-log.ts'
import { createKeyMask } from '../../service/keys/mask.ts'
import { maskFreeText } from '../../service/keys/mask-text.ts'
import type { NamedVariable } from '../arguments/client-flags.ts'
import { serveFlags } from '../arguments/serve-flags.ts'
import type { Io } from '../terminal/io.ts'
import { clientVariables } from './command-words.ts'
import { openSituation, type Situation, type SituationOptions } from './open-situation.ts'
import { type CommandOptions, type NotRun, runCommand } from './run-command.ts'
import { watchConduct } from './watch-conduct.ts'

export interface ClientOptions extends SituationOptions, Omit<CommandOptions, 'env'> {
  /** Not empty. */
  readonly command: readonly string[]
  /** Further names for the variables of the command. */
  readonly env?: readonly NamedVariable[]
  /** Called before the command starts. */
  readonly onOpen?: (emulator: Emulator) => void
}

export type ClientResult = { readonly ok: true; readonly run: ClientRun } | NotRun

/**
 * Runs a command with a server of its own in a situation, and judges its calls. Rejects with Node's system error if the
 * server cannot listen.
 */
export async function runClient(situation: Situation, options: ClientOptions, io: Io): Promise<ClientResult> {
  const { emulator, door, reporter } = await openSituation(situation, options, io)
  try {
    const log = createRunLog(name => emulator.sandboxes.get(name))
    const reportConduct = watchConduct(emulator, reporter.failure, log)
    const meeting = watchMeeting(situation.name, situation.scenario)
    emulator.observe(meeting.add)
    const calls = createCallLog(
      conductContext(name => emulator.sandboxes.get(name), emulator.sandboxes).textOf,
    )
    emulator.observe(calls.add)
    options.onOpen?.(emulator)
    const { key } = emulator.sandboxes.default.scenario
    const env = {
      ...io.env,
      ...clientVariables(door, key, options.env ?? []),
      [serveFlags.scenario.variable ?? '']: situation.name,
    }
    const ended = await runCommand(options.command, { ...options, env })
    await door.close(0)
    if (!ended.ok) return ended
    const { outcome, durationMs, output } = ended
    const endedAt = readClock(emulator.sandboxes.default.clock, ended.endedAt)
    const { secrets } = emulator.sandboxes
    const keys = [...emulator.sandboxes].flatMap(({ keys }) => [...keys.keys()])
    const conduct = reportConduct()
    const shown = maskFreeText(createKeyMask(keys, secrets)(stripVTControlCharacters(output)), secrets)
    return {
      ok: true,
      run: {
        outcome,
        durationMs,
        output: shown,
        facts: log.facts(endedAt, conduct),
        conduct,
        calls: calls.calls(),
        unmet: meeting.unmet(),
      },
    }
  } finally {
    await door.close(0)
  }
}

const hint = 'It finds the service in PET_MOCK_URL and PET_MOCK_KEY; --env gives them other names.'

/** Why the calm run of a command tries nothing, as the end of a sentence about the command. */
export function whyUntried({ calls, succeeded }: RunFacts): string | undefined {
  if (calls === 0) return `makes no calls. ${hint}`
  return succeeded === 0 ? `makes no call that succeeds without any disturbance. ${hint}` : undefined
}
