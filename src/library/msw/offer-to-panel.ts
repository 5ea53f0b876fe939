import type { Send } from '../client/ask-plane.ts'

/** An emulator in a page, for `pet-mock/panel`. */
interface NearEmulator {
  readonly send: Send
  /** Grows with every change. */
  readonly revision: () => number
}

/** Lets the panel in this page find the emulator: the last one that was made. Node has no page, so nobody looks there. */
export function offerToPanel(emulator: NearEmulator): void {
  Reflect.set(globalThis, Symbol.for('pet-mock.panel'), emulator)
}
