import { fetchFrom } from '../../doors/fetch/fetch-from.ts'
import { unpackBox } from '../../judges/box/pack-box.ts'
import { playBox } from '../../judges/box/play-box.ts'
import { readBox } from '../../judges/box/read-box.ts'
import { browseBox, standBefore } from '../../judges/box/runs/browse-box.ts'
import { origin } from '../testing/in-process.ts'
import { type NearEmulator, nearName } from '../testing/near-emulator.ts'
import { planeInProcess } from '../testing/plane-in-process.ts'

/* The script of the page that `box export --html` writes: the run of its box, for the dashboard of the same page. */

interface RunPage {
  /** The box, as one member of gzip. */
  readonly petMockBox: Uint8Array<ArrayBuffer>
}

async function openRun({ petMockBox }: RunPage): Promise<NearEmulator> {
  const box = await readBox([await unpackBox([petMockBox])])
  const play = (run = box) => playBox(run, { steady: () => performance.now() })
  const player = await play()
  await standBefore(player, box, box.end)
  const { emulator } = player
  const opened = browseBox(box, play, emulator, box.end)
  const call = fetchFrom(emulator.answer)
  return {
    ...planeInProcess(emulator, box.header.door ?? 'server', undefined, opened),
    callApi: (target, init) => call(origin + target, init),
    origin,
  }
}

Reflect.set(globalThis, nearName, openRun(globalThis as typeof globalThis & RunPage))
