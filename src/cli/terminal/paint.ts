import { styleText } from 'node:util'
import type { TextStream } from './io.ts'

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'magenta' | 'cyan'

/** Styles a text, unless the stream has no colours. */
export type Paint = (style: Style, text: string) => string

export function createPaint(stream: Pick<TextStream, 'hasColors'>): Paint {
  if (stream.hasColors?.() !== true) return (_style, text) => text
  return (style, text) => styleText(style, text, { validateStream: false })
}
