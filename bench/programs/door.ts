/*
 * `node door.js PORT with|without`: the HTTP door as the command opens it, with the admin plane beside the API or with no
 * trace of it. Of the plane nothing is loaded until it is asked.
 */
import { shippedFixtures } from '../../src/fixtures/fixtures.ts'
import { openHttpDoor } from '../../src/server/http-door.ts'
import { lateAdminPlane } from '../../src/server/load-admin.ts'
import { emulatorOf } from './in-process.ts'

const [, , port, plane] = process.argv
const emulator = emulatorOf(1_000)
const onError = (error: unknown) => {
  throw error
}
const mounted = {
  admin: lateAdminPlane({
    emulator,
    fixtures: shippedFixtures,
    allowedHosts: [],
    token: undefined,
    onError,
  }),
  onLatency: emulator.metrics.onLatency,
}
await openHttpDoor({
  handle: emulator.handle,
  host: '127.0.0.1',
  port: Number(port),
  onError,
  ...(plane === 'with' && mounted),
})
