import type { TextStream } from './io.ts'

const codes = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  magenta: [35, 39],
  cyan: [36, 39],
} as const satisfies Record<string, readonly [on: number, off: number]>

export type Style = keyof typeof codes

/** Styles a text, unless the stream has no colours. */
export type Paint = (style: Style, text: string) => string

export function createPaint(stream: Pick<TextStream, 'hasColors'>): Paint {
  if (stream.hasColors?.() !== true) return (_style, text) => text
  return (style, text) => {
    const [on, off] = codes[style]
    return `\x1b[${on}m${text}\x1b[${off}m`
  }
}
