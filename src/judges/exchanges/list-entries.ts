/** Characters of one entry. Longer ones hold no answer of the API. */
export const longestEntry = 2 ** 20

export interface Found {
  /** False if the text has no such list. */
  isList: boolean
  /** Whether the list ends; a file may be cut off. */
  isWhole: boolean
}

/** Bytes with a meaning in JSON. */
const signs = { quote: 0x22, backslash: 0x5c, comma: 0x2c, colon: 0x3a } as const
const [openObject, closeObject, openList, closeList] = [0x7b, 0x7d, 0x5b, 0x5d] as const

/**
 * Finds the entries of the list at a path, such as `log.entries`, in UTF-8 without reading it as a whole: a large or hostile
 * file takes no more memory than its bytes, and a broken entry leaves the others readable. Yields `undefined` for an entry
 * that is too long. Sets `found` on the way.
 */
export function* listEntries(bytes: Uint8Array, path: readonly string[], found: Found) {
  let at = listStart(bytes, path)
  if (at === undefined) return
  const decoder = new TextDecoder()
  found.isList = true
  for (;;) {
    at = pastSpace(bytes, at)
    const sign = bytes[at]
    if (sign === signs.comma) at += 1
    else if (sign === undefined || sign === closeList || sign === closeObject) {
      found.isWhole = sign === closeList
      return
    } else {
      const end = endOf(bytes, at)
      if (end === undefined) return
      yield end - at > longestEntry ? undefined : decoder.decode(bytes.subarray(at, end))
      at = end
    }
  }
}

/** The place after the `[` of the list at a path. */
function listStart(bytes: Uint8Array, path: readonly string[]): number | undefined {
  let at: number | undefined = pastSpace(bytes, startOf(bytes))
  for (const name of path) {
    if (at === undefined || bytes[at] !== openObject) return undefined
    at = placeOf(bytes, at, name)
  }
  return at !== undefined && bytes[at] === openList ? at + 1 : undefined
}

/** After a byte order mark. */
export function startOf(bytes: Uint8Array): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
}

/** The place of a field's value in the object at `from`. */
function placeOf(bytes: Uint8Array, from: number, name: string): number | undefined {
  const wanted = new TextEncoder().encode(name)
  let at = pastSpace(bytes, from + 1)
  while (bytes[at] === signs.quote) {
    const end = endOfString(bytes, at)
    if (end === undefined) return undefined
    const found = bytes.subarray(at + 1, end - 1)
    const isName = found.length === wanted.length && found.every((byte, index) => byte === wanted[index])
    at = pastSpace(bytes, end)
    if (bytes[at] !== signs.colon) return undefined
    at = pastSpace(bytes, at + 1)
    if (isName) return at
    const after = endOf(bytes, at)
    if (after === undefined) return undefined
    at = pastSpace(bytes, after)
    if (bytes[at] !== signs.comma) return undefined
    at = pastSpace(bytes, at + 1)
  }
  return undefined
}

/** The place after a JSON value, which need not be valid inside. */
function endOf(bytes: Uint8Array, from: number): number | undefined {
  let depth = 0
  let at = from
  for (;;) {
    const sign = bytes[at]
    const isEnd = sign === closeObject || sign === closeList
    if (sign === undefined) return undefined
    if (sign === signs.quote) {
      const end = endOfString(bytes, at)
      if (end === undefined) return undefined
      at = end
    } else {
      if (depth === 0 && (sign === signs.comma || isEnd)) return at
      if (sign === openObject || sign === openList) depth += 1
      if (isEnd) depth -= 1
      at += 1
    }
    if (depth === 0 && (sign === signs.quote || isEnd)) return at
  }
}

function endOfString(bytes: Uint8Array, from: number): number | undefined {
  let at = from + 1
  for (;;) {
    const quote = bytes.indexOf(signs.quote, at)
    if (quote === -1) return undefined
    let slashes = 0
    while (bytes[quote - 1 - slashes] === signs.backslash) slashes += 1
    if (slashes % 2 === 0) return quote + 1
    at = quote + 1
  }
}

/** Space, tab, line feed and carriage return. */
function pastSpace(bytes: Uint8Array, from: number): number {
  let at = from
  while (bytes[at] === 0x20 || bytes[at] === 0x09 || bytes[at] === 0x0a || bytes[at] === 0x0d) at += 1
  return at
}
