import { isIP } from 'node:net'
import { createEmulator } from '../emulator/emulator.ts'
import type { Scenario } from '../emulator/scenario.ts'
import { shippedScenarios } from '../scenario/shipped.ts'
import { type HttpDoor, openHttpDoor } from '../server/http-door.ts'
import type { Command } from './command.ts'
import { exitCodes, type Io } from './io.ts'
import { loadScenario } from './load-scenario.ts'
import { type Given, readFlags } from './read-flags.ts'
import { refuseUsage } from './refuse-usage.ts'
import { createReporter, type Reporter } from './reporter.ts'
import { type ServeValues, serveFlags } from './serve-flags.ts'
import { untilStopped } from './stop.ts'
import { version } from './version.ts'

export const serve: Command = {
  name: 'serve',
  isDefault: true,
  about: 'Serves the Pet Adoption Service on this machine, its limits, bans and deprecation included.',
  flags: serveFlags,
  examples: [
    ['$0', 'the service as a new customer meets it'],
    ['$0 -s rate-limit-exhaustion', 'three calls are left this minute'],
    ['$0 --clock 2030-12-04T23:59:30Z', 'half a minute before an operation is removed'],
    ['$0 --key my-app=pro --port 0', 'a key of your own, on any free port'],
  ],
  notes: [
    `Shipped scenarios: ${[...shippedScenarios.keys()].join(', ')}.`,
    'Every flag has an environment twin, which it overrules: PET_MOCK_PORT is --port, PET_MOCK_ALLOWED_HOSTS is --allowed-hosts, and PET_MOCK_KEYS takes several keys, with commas between them.',
  ],
  run,
}

async function run(given: Given, complaints: readonly string[], io: Io): Promise<number> {
  const flags = readFlags(serveFlags, given, io.env)
  const scenario = await loadScenario(flags)
  const all = [...complaints, ...flags.complaints, ...(scenario.ok ? [] : scenario.complaints)]
  if (!scenario.ok || all.length > 0) return refuseUsage(all, io)

  const reporter = createReporter(flags.values['log-format'], io)
  let door: HttpDoor
  try {
    door = await open(scenario.value, flags.values, reporter)
  } catch (error) {
    // What names no system call is a defect of ours, and deserves its stack.
    if (!(error instanceof Error && 'syscall' in error)) throw error
    const { explainListenError } = await import('./explain-listen-error.ts')
    io.stderr.write(`${await explainListenError(error, flags.values)}\n`)
    return exitCodes.cannotStart
  }
  const stopped = untilStopped(io, door.close)
  reporter.ready({ version, host: door.host, port: door.port, scenario: scenario.value })
  await stopped
  await reporter.end()
  return exitCodes.fine
}

function open(scenario: Scenario, values: ServeValues, reporter: Reporter): Promise<HttpDoor> {
  const { host, port, cors } = values
  const emulator = createEmulator({
    scenario,
    startedAt: Date.now(),
    allowedHosts: withOwnName(values['allowed-hosts'], host),
    ...(cors !== undefined && { cors }),
    onNotice: reporter.notice,
    onError: reporter.failure,
  })
  emulator.observe(reporter.call)
  return openHttpDoor({ handle: emulator.handle, host, port, onError: reporter.failure })
}

/** A name to listen on is a name to be called by (A22). */
function withOwnName(names: readonly string[] | '*', host: string): readonly string[] | '*' {
  return names === '*' || isIP(host) > 0 ? names : [...names, host]
}
