import { type Fixtures, shippedFixtures } from '../../control/fixtures/fixtures.ts'
import { overlay } from '../../control/scenario/extend.ts'
import type { ScenarioFile } from '../../control/scenario/file.ts'
import { settle } from '../../control/scenario/settle/settle.ts'
import type { Emulator } from '../../emulator/emulator.ts'
import { defaultSandbox } from '../../emulator/worlds/sandboxes.ts'
import type { SituationClock } from '../../judges/rehearsal/rehearsal.ts'
import { createSecrets } from '../../service/keys/mask.ts'
import type { Flags, ValuesOf } from '../arguments/flag.ts'
import { type ServeValues, serveFlags } from '../arguments/serve-flags.ts'
import { createReporter } from '../log/reporter.ts'
import type { OpenApi } from '../start/load/load-openapi.ts'
import { createServedEmulator, openServedDoor } from '../start/serve-emulator.ts'
import type { Io } from '../terminal/io.ts'

export interface Situation {
  /** The name of a shipped scenario, or the path of a file. */
  readonly name: string
  /** Merged with what it extends. */
  readonly scenario: ScenarioFile
}

export interface SituationOptions {
  /** Default: as the scenario says. */
  readonly clock?: SituationClock | undefined
  readonly seed?: number | undefined
  readonly fixtures?: Fixtures | undefined
  readonly openapi?: OpenApi | undefined
  /** Further flags of serve. It listens on a free port of 127.0.0.1 only. */
  readonly serve?: Partial<ServeValues> | undefined
}

/** Opens a server of its own for a situation. Throws an error that lists what is wrong with the scenario. */
export async function openSituation(
  { name, scenario: file }: Situation,
  { clock, seed, fixtures = shippedFixtures, openapi, serve = {} }: SituationOptions,
  io: Io,
) {
  const own = { ...(seed !== undefined && { seed }), ...(clock && { clock: clockFields(clock) }) }
  const whole = overlay(file, own)
  const loaded = { file: whole, scenario: settle(name, whole, fixtures), fixtures, openapi }
  const values = { ...fallbacksOf(serveFlags), ...serve, host: '127.0.0.1', port: 0 }
  const secrets = createSecrets(values.mask)
  const reporter = createReporter('silent', io, secrets)
  const emulator = createServedEmulator(loaded, values, reporter, secrets)
  reporter.hideKeysOf(emulator.sandboxes)
  const door = await openServedDoor(emulator, fixtures, values, reporter, {
    onArrival: createStart(emulator),
  })
  return { emulator, door, reporter }
}

/**
 * Starts the world at the first request, the first time that the result is called: a command may take longer to start than
 * an outage lasts on a fast clock.
 */
function createStart({ sandboxes }: Emulator): (now: number) => void {
  let hasStarted = false
  return now => {
    if (hasStarted) return
    hasStarted = true
    sandboxes.startAnew(defaultSandbox, now)
  }
}

/** A frozen clock has no speed. */
function clockFields(clock: SituationClock): ScenarioFile['clock'] {
  return 'frozen' in clock ? { frozen: true, scale: null } : { frozen: null, scale: clock.scale }
}

function fallbacksOf<F extends Flags>(flags: F): ValuesOf<F> {
  const fallbacks = Object.entries(flags).map(([name, { fallback }]) => [name, fallback])
  return Object.fromEntries(fallbacks) as ValuesOf<F>
}
