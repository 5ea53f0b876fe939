import type { Place } from './complaint.ts'

/** A file that is not UTF-8. `place` is the first invalid byte. */
export class NotText extends Error {
  readonly place: Place

  constructor(message: string, place: Place) {
    super(message)
    this.place = place
  }
}

/** Decodes UTF-8 (RFC 3629) and drops a byte order mark. Throws NotText. */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    throw new NotText('the file is UTF-16: save it as UTF-8', { line: 1, column: 1 })
  const text = decode(bytes, false)
  if (text !== undefined) return text
  const lines = validStart(bytes).split(/\r\n?|\n/)
  const column = (lines.at(-1) ?? '').length + 1
  throw new NotText('this byte is not valid UTF-8: save the file as UTF-8', { line: lines.length, column })
}

/** The text before the first invalid byte, found by bisection. */
function validStart(bytes: Uint8Array): string {
  let valid = 0
  let invalid = bytes.length + 1
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1
    if (decode(bytes.subarray(0, middle), true) === undefined) invalid = middle
    else valid = middle
  }
  return decode(bytes.subarray(0, valid), true) ?? ''
}

/** `stream`: the last character may be incomplete. */
function decode(bytes: Uint8Array, stream: boolean): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream })
  } catch {
    return undefined
  }
}
