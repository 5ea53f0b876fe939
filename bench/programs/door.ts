/*
 * `node door.js PORT OTHER`: two HTTP doors to one emulator, on PORT as the command opens it, with the admin plane beside
 * the API, and on OTHER with no trace of the plane. In one process: two of the same program may differ by a tenth.
 */
import { shippedFixtures } from '../../src/fixtures/fixtures.ts'
import { openHttpDoor } from '../../src/server/http-door.ts'
import { lateAdminPlane } from '../../src/server/load-admin.ts'
import { emulatorOf } from './in-process.ts'

const [, , port, other] = process.argv
const emulator = emulatorOf(1_000)
const onError = (error: unknown) => {
  throw error
}
const admin = lateAdminPlane({
  emulator,
  fixtures: shippedFixtures,
  allowedHosts: [],
  token: undefined,
  onError,
})
const options = { handle: emulator.handle, host: '127.0.0.1', onError }
await openHttpDoor({ ...options, port: Number(other) })
await openHttpDoor({ ...options, port: Number(port), admin, onLatency: emulator.metrics.onLatency })
