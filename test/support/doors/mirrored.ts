import type { Emulator } from '../../../src/emulator/emulator.ts'
import { planeInProcess } from '../../../src/library/testing/plane-in-process.ts'
import type { OpenWay, Way } from './door.ts'
import { inProcess } from './in-process.ts'
import { BeyondDoor } from './limits.ts'
import type { TestReply, TestRequest } from './request.ts'

/** A pet-mock beyond this process. */
export interface Mirror {
  /** Answers the request. `snapshot`: what to load before. `own`: how the emulator of the test answered. */
  readonly call: (
    request: TestRequest,
    snapshot: string | undefined,
    own: TestReply | Error,
  ) => Promise<TestReply>
  /** Characters of a snapshot that it takes. */
  readonly largest: number
  /** The state that it has, if nothing but its own calls changed it since it got one. */
  state: string | undefined
}

/**
 * Calls a mirror of the test's emulator. The emulator gets the same calls, so that the test can look into it. Where something else has
 * changed its state, the mirror gets a snapshot of it before the next call.
 */
export async function openMirrored(
  emulator: Emulator,
  context: Parameters<OpenWay>[1],
  host: string,
  mirror: Mirror,
): Promise<Way> {
  const { send: ask } = planeInProcess(emulator, 'fetch', undefined)
  const takeSnapshot = async () => {
    const { status, text } = await ask('GET', '/snapshot?sandbox=*', undefined)
    if (status !== 200) throw new BeyondDoor({ what: 'a broken state', why: 'no snapshot can have it' })
    if (text.length > mirror.largest || emulator.sandboxes.names().length > 100)
      throw new BeyondDoor({ what: 'hundreds of sandboxes', why: 'a snapshot for each call takes too long' })
    return text
  }
  const own = await inProcess.start()(emulator, context, {})
  let last: Promise<unknown> = Promise.resolve()
  const send = async (request: TestRequest = {}) => {
    const before = await takeSnapshot()
    const answer = await own.send(request).catch((error: Error) => error)
    const replied = await mirror.call(request, before === mirror.state ? undefined : before, answer)
    mirror.state = await takeSnapshot()
    return replied
  }
  return {
    host,
    send: request => {
      // One after the other: another call between the snapshot and the reply would be in one of the two only.
      const sent = last.then(() => send(request))
      last = sent.catch(() => {})
      return sent
    },
    close: own.close,
  }
}
