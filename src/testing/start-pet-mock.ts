import { shippedFixtures } from '../fixtures/fixtures.ts'
import { baseUrl } from '../server/base-url.ts'
import { openHttpDoor } from '../server/http-door.ts'
import { lateAdminPlane } from '../server/load-admin.ts'
import { begin, tellFailure } from './begin.ts'
import type { PetMock, PetMockOptions } from './pet-mock.ts'

export interface StartPetMockOptions extends PetMockOptions {
  /** Default: 0, any free one. */
  readonly port?: number
  /** The address that it listens on. Default: 127.0.0.1. */
  readonly host?: string
}

/** How long a call that is under way may still take when it is closed, in milliseconds. */
const graceMs = 1_500

/**
 * Starts a pet-mock that listens on this machine. Rejects when the scenario cannot be, and with Node's system error
 * when it cannot listen (`EADDRINUSE`, `EACCES`, `EADDRNOTAVAIL`, `ENOTFOUND`).
 */
export async function startPetMock(options: StartPetMockOptions = {}): Promise<PetMock> {
  const { port = 0, host = '127.0.0.1' } = options
  const allowedHosts = [host]
  const { emulator, petMock } = begin(options, { allowedHosts })
  const onError = tellFailure
  const admin = lateAdminPlane({
    emulator,
    fixtures: shippedFixtures,
    allowedHosts,
    token: undefined,
    onError,
  })
  const { handle, metrics } = emulator
  const { onLatency } = metrics
  const door = await openHttpDoor({ handle, host, port, admin, onLatency, onError })
  return petMock(baseUrl(door.host, door.port), () => door.close(graceMs))
}
