import type { NearEmulator } from '../../library/testing/near-emulator.ts'
import type { Connect } from './plane.ts'

/** The emulator of a page: the last one that was made there, or the one that a page put into a frame. */
export function findNear(holder: object = globalThis): NearEmulator | undefined {
  return Reflect.get(holder, Symbol.for('pet-mock.near'))
}

/** The plane of an emulator in this page. It wants no token, and sends each event as one chunk. */
export function createNear({ send, events }: NearEmulator): Connect {
  return {
    send,
    watch: onEvent => {
      const stop = new AbortController()
      void events(stop.signal).then(async ({ body }) => {
        const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
        for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) {
          const [, data] = /^data: (.*)$/m.exec(next.value) ?? []
          if (data !== undefined && !stop.signal.aborted) onEvent(JSON.parse(data))
        }
      })
      return () => stop.abort()
    },
  }
}
