import { isIP } from 'node:net'
import { type HttpDoor, openHttpDoor } from '../../doors/server/http-door.ts'
import { lateAdminPlane } from '../../doors/server/load-admin.ts'
import { createEmulator, type Emulator } from '../../emulator/emulator.ts'
import type { ServeValues } from '../arguments/serve-flags.ts'
import type { Reporter } from '../log/reporter.ts'
import type { Loaded } from './load/load-from-flags.ts'

/** The emulator that the flags of serve describe. */
export function createServedEmulator(
  { scenario, openapi }: Loaded,
  values: ServeValues,
  reporter: Reporter,
): Emulator {
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
  if (openapi !== undefined) emulator.openAreas(openapi.areas)
  return emulator
}

/** Listens on the host and port of the flags. */
export function openServedDoor(
  emulator: Emulator,
  { fixtures }: Loaded,
  values: ServeValues,
  reporter: Reporter,
): Promise<HttpDoor> {
  const { host, port, 'admin-token': token } = values
  const onError = reporter.failure
  return openHttpDoor({
    handle: emulator.answer,
    host,
    port,
    admin: lateAdminPlane({
      emulator,
      fixtures,
      door: 'server',
      allowedHosts: allowedHosts(values),
      token,
      onError,
    }),
    onLatency: emulator.metrics.onLatency,
    onError,
    onRefusal: reporter.refusal,
  })
}

/** A host name to listen on is also a name that requests may use (A22). */
export function allowedHosts({
  'allowed-hosts': names,
  host,
}: Pick<ServeValues, 'allowed-hosts' | 'host'>): readonly string[] | '*' {
  return names === '*' || isIP(host) > 0 ? names : [...names, host]
}
