import { printable } from '../../terminal/printable.ts'
import type { KeyMask } from './server-keys.ts'

/** The most bytes of one text, and of a whole answer. */
export const longestText = 2_048
export const longestAnswer = 65_536

/**
 * An answer for an agent: every text is masked, its control characters are escaped, and it is cut. What does not fit into the whole is
 * left out, and `cut` says so.
 */
export function showData(answer: object, mask: KeyMask): Readonly<Record<string, unknown>> {
  let left = longestAnswer
  let isCut = false
  const showText = (text: string) => {
    const shown = cutText(printable(mask.text(text)))
    left -= Buffer.byteLength(shown)
    return shown
  }
  const show = (value: unknown): unknown => {
    left -= 4
    if (typeof value === 'string') return showText(value)
    return typeof value === 'object' && value !== null ? showParts(value) : value
  }
  const showParts = (value: object): object => {
    const shown: (readonly [string, unknown])[] = []
    for (const [name, inner] of Object.entries(value)) {
      isCut ||= left <= 0
      if (isCut) break
      const isKey = name === 'key' && typeof inner === 'string'
      // Names of headers come from clients, too.
      shown.push([Array.isArray(value) ? name : showText(name), show(isKey ? mask.key(inner) : inner)])
    }
    return Array.isArray(value) ? shown.map(([, inner]) => inner) : Object.fromEntries(shown)
  }
  const shown = showParts(answer)
  const note = `The answer is longer than ${longestAnswer / 1_024} KiB. The rest is left out: ask for less.`
  return isCut ? { ...shown, cut: note } : { ...shown }
}

/** Cuts a text to `longestText` bytes, and says how long it was. */
export function cutText(text: string): string {
  const bytes = Buffer.byteLength(text)
  if (bytes <= longestText) return text
  // A character that the cut would split is left out.
  const start = Buffer.from(text)
    .subarray(0, longestText)
    .toString()
    .replace(/\ufffd$/, '')
  return `${start} [cut, ${bytes} bytes]`
}
