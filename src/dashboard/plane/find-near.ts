import type { NearEmulator } from '../../library/testing/near-emulator.ts'

/** The emulator of a page: the last one that was made there, or the one that a page put into a frame. */
export function findNear(holder: object = globalThis): NearEmulator | undefined {
  return Reflect.get(holder, Symbol.for('pet-mock.near'))
}
