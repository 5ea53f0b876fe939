import { stripVTControlCharacters } from 'node:util'
import { readClock } from '../../base/time/clock.ts'
import { type Fixtures, shippedFixtures } from '../../control/fixtures/fixtures.ts'
import { overlay } from '../../control/scenario/extend.ts'
import type { ScenarioFile } from '../../control/scenario/file.ts'
import { settle } from '../../control/scenario/settle/settle.ts'
import type { Emulator } from '../../emulator/emulator.ts'
import { defaultSandbox } from '../../emulator/worlds/sandboxes.ts'
import type { Served } from '../../judges/box/box.ts'
import { conductContext } from '../../judges/conduct/judge-worlds.ts'
import type { ClientRun } from '../../judges/rehearsal/client-run.ts'
import { watchMeeting } from '../../judges/rehearsal/meeting/meeting.ts'
import type { SituationClock } from '../../judges/rehearsal/rehearsal.ts'
import { createCallLog, createRunLog, type RunFacts } from '../../judges/rehearsal/run-log.ts'
import { createSecrets } from '../../service/keys/mask.ts'
import type { NamedVariable } from '../arguments/client-flags.ts'
import { readFlags } from '../arguments/flag.ts'
import { type ServeValues, serveFlags } from '../arguments/serve-flags.ts'
import { situationVariable } from '../arguments/server-flags.ts'
import { createReporter, createTextMask } from '../log/reporter.ts'
import type { OpenApi } from '../start/load/load-openapi.ts'
import { createServedEmulator, openServedDoor, servedAs } from '../start/serve-emulator.ts'
import type { Io } from '../terminal/io.ts'
import { clientVariables, withoutOwn } from './command-words.ts'
import { type CommandOptions, type NotRun, runCommand } from './run-command.ts'
import { watchConduct } from './watch-conduct.ts'

export interface ClientSituation {
  /** The name of a shipped scenario, or the path of a file. */
  readonly name: string
  /** Merged with what it extends. */
  readonly scenario: ScenarioFile
}

export interface ClientOptions extends Omit<CommandOptions, 'env'> {
  /** Not empty. */
  readonly command: readonly string[]
  readonly env?: readonly NamedVariable[]
  /** Default: as the scenario says. */
  readonly clock?: SituationClock | undefined
  readonly seed?: number | undefined
  readonly fixtures?: Fixtures | undefined
  readonly openapi?: OpenApi | undefined
  /** Further flags of serve. It listens on a free port of 127.0.0.1 only. */
  readonly serve?: Partial<ServeValues> | undefined
  readonly onOpen?: (emulator: Emulator) => void
  /** The world starts with the first request. */
  readonly onStart?: (emulator: Emulator, served: Served) => void
}

export type ClientResult = { readonly ok: true; readonly run: ClientRun } | NotRun

/**
 * Runs a command with a server of its own in a situation, and judges its calls. Rejects with Node's system error if the
 * server cannot listen.
 */
export async function runClient(
  situation: ClientSituation,
  options: ClientOptions,
  io: Io,
): Promise<ClientResult> {
  const { emulator, door, reporter } = await openSituation(situation, options, io)
  try {
    const log = createRunLog(name => emulator.sandboxes.get(name))
    const reportConduct = watchConduct(emulator, reporter.failure, log)
    const meeting = watchMeeting(situation.name, situation.scenario)
    emulator.observe(meeting.add)
    const { textOf } = conductContext(name => emulator.sandboxes.get(name), emulator.sandboxes)
    const calls = createCallLog(textOf)
    emulator.observe(calls.add)
    options.onOpen?.(emulator)
    const { key } = emulator.sandboxes.default.scenario
    const variables = clientVariables(door, key, options.env ?? [])
    const env = { ...withoutOwn(io.env), ...variables, [situationVariable]: situation.name }
    const ended = await runCommand(options.command, { ...options, env })
    await door.close(0)
    if (!ended.ok) return ended
    const { outcome, durationMs } = ended
    const conduct = reportConduct()
    const facts = log.facts(readClock(emulator.sandboxes.default.clock, ended.endedAt), conduct)
    const mask = createTextMask(emulator.sandboxes.secrets, emulator.sandboxes)
    const output = mask(stripVTControlCharacters(ended.output))
    const unmet = meeting.unmet()
    return { ok: true, run: { outcome, durationMs, output, facts, conduct, calls: calls.calls(), unmet } }
  } finally {
    await door.close(0)
  }
}

/** Opens a server of its own for a situation. Throws an error that lists what is wrong with the scenario. */
async function openSituation(
  { name, scenario: file }: ClientSituation,
  { clock, seed, fixtures = shippedFixtures, openapi, serve = {}, onStart }: ClientOptions,
  io: Io,
) {
  // A frozen clock has no speed.
  const pace =
    clock && ('frozen' in clock ? { frozen: true, scale: null } : { frozen: null, scale: clock.scale })
  const own = { ...(seed !== undefined && { seed }), ...(pace && { clock: pace }) }
  const whole = overlay(file, own)
  const loaded = { file: whole, scenario: settle(name, whole, fixtures), fixtures, openapi }
  const values = { ...readFlags(serveFlags, new Map(), {}).values, ...serve, host: '127.0.0.1', port: 0 }
  const secrets = createSecrets(values.mask)
  const reporter = createReporter('silent', io, secrets)
  const emulator = createServedEmulator(loaded, values, reporter, secrets)
  reporter.hideKeysOf(emulator.sandboxes)
  // The world starts with the first request: a command may take longer to start than an outage lasts on a fast clock.
  let hasStarted = false
  const onArrival = (now: number) => {
    if (hasStarted) return
    hasStarted = true
    emulator.sandboxes.startAnew(defaultSandbox, now)
    onStart?.(emulator, servedAs(values))
  }
  const door = await openServedDoor(emulator, fixtures, values, reporter, { onArrival })
  return { emulator, door, reporter }
}

const hint = 'It finds the service in PET_MOCK_URL and PET_MOCK_KEY; --env gives them other names.'

/** Why the calm run of a command tries nothing, as the end of a sentence about the command. */
export function whyUntried({ calls, succeeded }: RunFacts): string | undefined {
  if (calls === 0) return `makes no calls. ${hint}`
  return succeeded === 0 ? `makes calls, but none succeeds, even with nothing disturbed. ${hint}` : undefined
}
