import { fetchFrom } from '../../src/doors/fetch/fetch-from.ts'
import { openHttpDoor } from '../../src/doors/server/http-door.ts'
import type { Emulator } from '../../src/emulator/emulator.ts'

export type OpenLateDoor = (
  emulator: Emulator,
) => Promise<{ readonly send: typeof fetch; readonly url: string; readonly close: () => Promise<void> }>

/** The doors that can wait for an open area. */
export const lateDoors: readonly (readonly [name: string, open: OpenLateDoor])[] = [
  [
    'over HTTP',
    async emulator => {
      const onError = (error: unknown) => {
        throw error
      }
      const door = await openHttpDoor({ handle: emulator.answer, host: '127.0.0.1', port: 0, onError })
      return { send: fetch, url: `http://127.0.0.1:${door.port}`, close: () => door.close(0) }
    },
  ],
  [
    'in process',
    async emulator => ({ send: fetchFrom(emulator.answer), url: 'http://localhost', close: async () => {} }),
  ],
]
