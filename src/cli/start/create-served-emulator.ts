import { isIP } from 'node:net'
import { createEmulator, type Emulator } from '../../emulator/emulator.ts'
import type { Scenario } from '../../emulator/worlds/scenario.ts'
import type { ServeValues } from '../arguments/serve-flags.ts'
import type { Reporter } from '../log/reporter.ts'

/** The emulator that the flags of serve ask for. */
export function createServedEmulator(scenario: Scenario, values: ServeValues, reporter: Reporter): Emulator {
  const { cors } = values
  const emulator = createEmulator({
    scenario,
    startedAt: Date.now(),
    allowedHosts: allowedHosts(values),
    ...(cors !== undefined && { cors }),
    marks: !values['no-marks'],
    onNotice: reporter.notice,
    onError: reporter.failure,
  })
  if (reporter.call !== undefined) emulator.observe(reporter.call)
  return emulator
}

/** A name to listen on is a name to be called by (A22). */
export function allowedHosts({ 'allowed-hosts': names, host }: ServeValues): readonly string[] | '*' {
  return names === '*' || isIP(host) > 0 ? names : [...names, host]
}
