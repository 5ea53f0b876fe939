import type { Emulator } from '../../emulator/emulator.ts'
import type { InputListener } from '../../emulator/worlds/sandboxes.ts'
import type { Served } from './box.ts'
import { boxOfSandbox } from './box-of-sandbox.ts'
import { packBox, unpackBox } from './pack-box.ts'
import { recordBox } from './record-box.ts'

/** The box of a run that goes on. */
export interface KeptBox {
  /** The bytes of a box file up to now: of all sandboxes (`*`), or of one. */
  readonly copy: (sandbox: string) => Promise<Uint8Array<ArrayBuffer>>
}

/** Calls that wait to be written: the memory of each is larger than its line. */
const mostWaiting = 500

/** It begins with a start, and needs no part before it. */
interface Part {
  readonly lines: string[]
  /** Characters until the next part begins. */
  left: number
}

/** Characters that it keeps. Beyond them the oldest part goes, an eighth of them at a time. */
const most = 64 * 1_048_576

/**
 * Records an emulator in memory. `version`: that of pet-mock. `start`: its sandboxes as they were before `early` calls; without
 * them, it begins now.
 */
export function keepBox(
  emulator: Emulator,
  served: Served & { readonly version: string },
  start = emulator.sandboxes,
  early: readonly Parameters<InputListener['answered']>[] = [],
): KeptBox {
  const { sandboxes } = emulator
  const recorder = recordBox(emulator, served, start)
  /** Parts that are over, in gzip. */
  const packed: Promise<Uint8Array>[] = []
  let part: Part = { lines: [], left: 0 }
  let waiting = 0
  const collect = () => {
    waiting = 0
    const text = recorder.take()
    if (text.startsWith('{"petbox"')) {
      if (part.lines.length > 0) packed.push(packBox(part.lines.join('')))
      if (packed.length > 7) packed.shift()
      part = { lines: [], left: most / 8 + text.length }
    }
    part.lines.push(text)
    part.left -= text.length
    if (part.left < 0) recorder.beginPart()
  }
  const { listener } = sandboxes
  if (listener !== undefined)
    sandboxes.listener = {
      ...listener,
      answered: (...call) => {
        listener.answered(...call)
        waiting += 1
        if (waiting > mostWaiting) collect()
      },
    }
  for (const call of early) sandboxes.listener?.answered(...call)
  return {
    copy: async sandbox => {
      collect()
      const last = part.lines.join('')
      const before = await Promise.all(packed.map(async bytes => unpackBox(await bytes)))
      const whole = `${before.join('')}${last}{"end":true}\n`
      return packBox(sandbox === '*' ? whole : boxOfSandbox(whole, sandbox))
    },
  }
}
