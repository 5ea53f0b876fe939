import type { Send } from '../plane/plane.ts'

/** An emulator in this page, as `pet-mock/msw` offers it to the panel. */
export interface NearEmulator {
  readonly send: Send
  /** Grows with every change. */
  readonly revision: () => number
}

/** The emulator of this page: the last one that `petMockHandlers` made. */
export function findNearEmulator(): NearEmulator | undefined {
  return Reflect.get(globalThis, Symbol.for('pet-mock.panel'))
}
