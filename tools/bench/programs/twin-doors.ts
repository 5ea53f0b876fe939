/*
 * `node twin-doors.js WHAT PORT OTHER`: two HTTP doors to pet-mock in one process, on OTHER a plain one, on PORT one with
 * WHAT beside: `plane`, the admin plane as the command has it, or `rules` that match no read. Two processes of one program
 * may differ by a tenth.
 */
import { shippedFixtures } from '../../../src/control/fixtures/fixtures.ts'
import { openHttpDoor } from '../../../src/doors/server/http-door.ts'
import { lateAdminPlane } from '../../../src/doors/server/load-admin.ts'
import { emulatorOf } from './in-process.ts'
import { manyIdleRules } from './pets-world.ts'

const [, , what, port, other] = process.argv
const emulator = emulatorOf(1_000)
const onError = (error: unknown) => {
  throw error
}
const plain = { handle: emulator.handle, host: '127.0.0.1', onError }
const plane = {
  admin: lateAdminPlane({
    emulator,
    door: 'server',
    fixtures: shippedFixtures,
    allowedHosts: [],
    token: undefined,
    onError,
  }),
  onLatency: emulator.metrics.onLatency,
}
const added = what === 'plane' ? plane : { handle: emulatorOf(1_000, { rules: manyIdleRules(10) }).handle }
await openHttpDoor({ ...plain, port: Number(other) })
await openHttpDoor({ ...plain, ...added, port: Number(port) })
