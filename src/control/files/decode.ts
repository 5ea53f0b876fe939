import type { Place } from './document.ts'

/** A file that holds no text; `place` is where the first byte stands that is none. */
export class NotText extends Error {
  readonly place: Place

  constructor(message: string, place: Place) {
    super(message)
    this.place = place
  }
}

/** The text of a file, which must be UTF-8 (RFC 3629); a byte order mark is dropped. Throws NotText. */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    throw new NotText('the file is written in UTF-16: save it as UTF-8', { line: 1, column: 1 })
  }
  const text = decode(bytes, false)
  if (text !== undefined) return text
  const lines = textBefore(bytes).split(/\r\n?|\n/)
  const column = (lines.at(-1) ?? '').length + 1
  throw new NotText('here is a byte that is not UTF-8: save the file as UTF-8', {
    line: lines.length,
    column,
  })
}

/** All up to the first byte that is wrong, found by halving: what begins a longer text is right as far as it goes. */
function textBefore(bytes: Uint8Array): string {
  let right = 0
  let wrong = bytes.length + 1
  while (wrong - right > 1) {
    const middle = (right + wrong) >> 1
    if (decode(bytes.subarray(0, middle), true) === undefined) wrong = middle
    else right = middle
  }
  return decode(bytes.subarray(0, right), true) ?? ''
}

/** `goesOn`: the last character may be in want of bytes. */
function decode(bytes: Uint8Array, goesOn: boolean): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: goesOn })
  } catch {
    return undefined
  }
}
