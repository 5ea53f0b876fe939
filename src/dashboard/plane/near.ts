import type { NearEmulator } from '../../library/testing/near-emulator.ts'
import type { Connect } from './plane.ts'
import { watchEvents } from './watch-events.ts'

/** The plane of an emulator in this page. It wants no token. */
export function createNear({ send, events }: NearEmulator): Connect {
  return { send, watch: watchEvents(events) }
}
