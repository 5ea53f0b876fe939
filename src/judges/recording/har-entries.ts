/** Characters of one entry. Longer ones hold no answer of the API. */
export const longestEntry = 2 ** 20

/** The text of an entry, or `undefined` if it is too long. */
export type EntryText = { readonly text: string | undefined }

export interface Entries {
  /** False if the text has no list `log.entries`. */
  isArchive: boolean
  /** Whether the list ends; an archive may be cut off. */
  isWhole: boolean
}

/**
 * Finds the entries of an HTTP archive without reading it as a whole: a large or hostile one takes no more memory than its
 * text, and a broken entry leaves the others readable. Sets `found` on the way. `path`: of the list, if it is another one.
 */
export function* harEntries(
  text: string,
  found: Entries,
  path: readonly string[] = ['log', 'entries'],
): Generator<EntryText> {
  let at = listStart(text, path)
  if (at === undefined) return
  found.isArchive = true
  for (;;) {
    at = pastSpace(text, at)
    const sign = text[at]
    if (sign === ',') at += 1
    else if (sign === undefined || sign === ']' || sign === '}') {
      found.isWhole = sign === ']'
      return
    } else {
      const end = endOf(text, at)
      if (end === undefined) return
      yield { text: end - at > longestEntry ? undefined : text.slice(at, end) }
      at = end
    }
  }
}

/** The place after the `[` of the list at a path. */
function listStart(text: string, path: readonly string[]): number | undefined {
  let at: number | undefined = pastSpace(text, 0)
  for (const name of path) {
    if (at === undefined || text[at] !== '{') return undefined
    at = placeOf(text, at, name)
  }
  return at !== undefined && text[at] === '[' ? at + 1 : undefined
}

/** The place of a field's value in the object at `from`. */
function placeOf(text: string, from: number, name: string): number | undefined {
  let at = pastSpace(text, from + 1)
  while (text[at] === '"') {
    const end = endOfString(text, at)
    if (end === undefined) return undefined
    const isName = text.slice(at + 1, end - 1) === name
    at = pastSpace(text, end)
    if (text[at] !== ':') return undefined
    at = pastSpace(text, at + 1)
    if (isName) return at
    const after = endOf(text, at)
    if (after === undefined) return undefined
    at = pastSpace(text, after)
    if (text[at] !== ',') return undefined
    at = pastSpace(text, at + 1)
  }
  return undefined
}

/** The place after a JSON value, which need not be valid inside. */
function endOf(text: string, from: number): number | undefined {
  let depth = 0
  let at = from
  for (;;) {
    const sign = text[at]
    if (sign === undefined) return undefined
    if (sign === '"') {
      const end = endOfString(text, at)
      if (end === undefined) return undefined
      at = end
    } else {
      if (depth === 0 && (sign === ',' || sign === '}' || sign === ']')) return at
      if (sign === '{' || sign === '[') depth += 1
      if (sign === '}' || sign === ']') depth -= 1
      at += 1
    }
    if (depth === 0 && (sign === '"' || sign === '}' || sign === ']')) return at
  }
}

function endOfString(text: string, from: number): number | undefined {
  let at = from + 1
  for (;;) {
    const quote = text.indexOf('"', at)
    if (quote === -1) return undefined
    let slashes = 0
    while (text[quote - 1 - slashes] === '\\') slashes += 1
    if (slashes % 2 === 0) return quote + 1
    at = quote + 1
  }
}

const space = /[ \t\r\n]*/y

function pastSpace(text: string, from: number): number {
  space.lastIndex = from
  space.exec(text)
  return space.lastIndex
}
