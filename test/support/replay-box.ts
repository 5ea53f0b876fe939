import { gunzipSync } from 'node:zlib'
import { playBox } from '../../src/judges/box/play-box.ts'
import { readBox } from '../../src/judges/box/read-box.ts'

/** Makes the calls of a box file again, and returns their statuses. Throws if a response differs. */
export async function replayBox(bytes: Uint8Array): Promise<readonly number[]> {
  const player = await playBox(await readBox([gunzipSync(bytes).toString()]))
  const statuses: number[] = []
  for (let call = await player.step(); call !== undefined; call = await player.step()) {
    if (call.isSame !== true) throw new Error(`The response to call ${call.number} differs.`)
    statuses.push(call.reply.status)
  }
  return statuses
}
