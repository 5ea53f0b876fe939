/** Bytes of the page that lines are written to, and those from which on it should be emptied. */
const pageSize = 98_304
const many = 65_536

/**
 * Lines as bytes, written a piece at a time: texts that wait, and those between pieces and lines, would cost the garbage
 * collector more than all else that a recorder does.
 */
export function createLines() {
  const encoder = new TextEncoder()
  let page = new Uint8Array(pageSize)
  let used = 0
  const put = (piece: string): void => {
    const { length } = piece
    let at = used + length <= page.length ? 0 : length + 1
    for (; at < length; at += 1) {
      const unit = piece.charCodeAt(at)
      if (unit > 0x7f) break
      page[used + at] = unit
    }
    if (at === length) used += length
    else putBytes(encoder.encode(piece))
  }
  const putBytes = (bytes: Uint8Array): void => {
    const before = page
    if (used + bytes.length > page.length) {
      page = new Uint8Array(used + bytes.length + pageSize)
      page.set(before.subarray(0, used))
    }
    page.set(bytes, used)
    used += bytes.length
  }
  return {
    areMany: (): boolean => used > many,
    add: (...pieces: readonly (string | number)[]): void => {
      for (const piece of pieces) put(typeof piece === 'string' ? piece : `${piece}`)
    },
    /** They are there until the next one is added. */
    take: (): Uint8Array<ArrayBuffer> => {
      const taken = page.subarray(0, used)
      if (page.length > pageSize) page = new Uint8Array(pageSize)
      used = 0
      return taken
    },
  }
}
