/** Bytes of heap that a byte of JSON can take when it is read: a generous estimate, measured in Node 20. */
const weights = new Uint8Array(256).fill(1)
weights[0x7b] = 192 // {
weights[0x5b] = 48 // [
weights[0x3a] = 64 // :
weights[0x2c] = 16 // ,
weights[0x22] = 8 // "
/** After a backslash: \u007b may be the { of JSON inside a text. */
const escaped = 192

/**
 * Weighs JSON before it is read. A small text can become large: `{},` takes 200 bytes. The result is the number of bytes
 * so far.
 */
export function createJsonScale(): (chunk: Uint8Array) => number {
  let weight = 0
  let previous = 0
  let isAscii = true
  let bytes = 0
  return chunk => {
    bytes += chunk.length
    for (const byte of chunk) {
      weight += byte === 0x75 && previous === 0x5c ? escaped : (weights[byte] ?? 0)
      if (byte > 0x7f) isAscii = false
      previous = byte
    }
    // Texts that are not ASCII can have two bytes a character.
    return isAscii ? weight : weight + bytes
  }
}
