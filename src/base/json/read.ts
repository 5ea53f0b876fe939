import { next, placeInText, type Scan, skipSpace, unexpected } from './scan.ts'
import type { JsonValue } from './value.ts'

/** Far beyond 64 bits. A bigint of a million digits would take half a second. */
const mostExact = 1e40

/**
 * Reads a number by its digits, since a float would round it. An integer is a number up to 2^53, a bigint beyond, and
 * the nearest float from 1e40 on. A fraction is a float, or NaN where the float would be an integer, as of
 * 9007199254740992.5 or 1e-400.
 */
function exactNumber(text: string): number | bigint {
  const near = Number(text)
  if (Number.isFinite(near) && !Number.isInteger(near)) return near
  // No integer beyond 2^53 rounds to one below. Adding 0 makes 0 of -0.
  if (Number.isSafeInteger(near) && /^-?\d+$/.test(text)) return near + 0
  const [mantissa = '', exponent = '0'] = text.split(/e/i)
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = whole + fraction
  const zeros = Number(exponent) - fraction.length
  const cut = Math.max(0, digits.length + Math.min(0, zeros))
  if (/[1-9]/.test(digits.slice(cut))) return Number.NaN
  if (Number.isSafeInteger(near)) return near + 0
  if (Math.abs(near) >= mostExact) return near
  return BigInt(digits.slice(0, cut).replace(/^(-?)0+/, '$1') + '0'.repeat(Math.max(0, zeros)))
}

/** The deepest nesting of arrays and objects (A16): no reader of a value can run out of stack. */
export const maxDepth = 64

/**
 * Reads JSON (RFC 8259) without rounding integers beyond 2^53, as JSON.parse does: those are bigints, even if written as
 * `9.007199254740993e15`, and a fraction is never an integer (exact-number.ts). The last of a repeated name wins.
 * `around`: levels of nesting that are allowed around values of the deepest nesting.
 */
export function readJson(
  text: string,
  around = 0,
): { readonly value: JsonValue } | { readonly problem: string } {
  const scan = scanJson(text, around)
  if (scan.value !== undefined) return { value: scan.value }
  if (!scan.isUnexpected) return { problem: scan.problem }
  const { line, column } = placeInText(text, scan.at)
  return { problem: `${scan.problem} at line ${line}, column ${column}` }
}

/** The value of a text; undefined if it is not JSON. */
export function jsonIn(text: string): JsonValue | undefined {
  return scanJson(text).value
}

/** The value of a text, or undefined and a scan with the problem and its place. */
export function scanJson(text: string, around = 0): Scan & { readonly value: JsonValue | undefined } {
  const scan: Scan = { text, at: 0, problem: 'the text is empty' }
  skipSpace(scan)
  if (scan.at === text.length) return { ...scan, value: undefined }
  const value = readValue(scan, 'a value', -around)
  if (value === undefined) return { ...scan, value }
  skipSpace(scan)
  if (scan.at === text.length) return { ...scan, value }
  unexpected(scan, 'a value')
  return { ...scan, value: undefined }
}

/** `inside`: names what the value is part of, for messages. `depth`: how many arrays and objects contain it. */
function readValue(scan: Scan, inside: string, depth: number): JsonValue | undefined {
  const { text, at } = scan
  if (scan.left !== undefined && --scan.left < 0) return undefined
  switch (text[at]) {
    case '"':
      return readString(scan)
    case '{':
      return depth < maxDepth ? readObject(scan, depth + 1) : tooDeep(scan)
    case '[':
      return depth < maxDepth ? readArray(scan, depth + 1) : tooDeep(scan)
    case 't':
      return text.startsWith('true', at) ? pass(scan, 4, true) : unexpected(scan, inside)
    case 'f':
      return text.startsWith('false', at) ? pass(scan, 5, false) : unexpected(scan, inside)
    case 'n':
      return text.startsWith('null', at) ? pass(scan, 4, null) : unexpected(scan, inside)
    default:
      return readNumber(scan, inside)
  }
}

function pass<T>(scan: Scan, length: number, value: T): T {
  scan.at += length
  return value
}

function readObject(scan: Scan, depth: number): JsonValue | undefined {
  // Without a prototype, `__proto__` and `constructor` are names like any other. A file holds no `__proto__`.
  const object: Record<string, JsonValue> = scan.left === undefined ? Object.create(null) : {}
  scan.at++
  if (next(scan) === '}') return pass(scan, 1, object)
  while (next(scan) === '"') {
    const name = readString(scan)
    if (
      name === undefined ||
      (scan.left !== undefined && (Object.hasOwn(object, name) || name === '__proto__'))
    )
      return undefined
    if (next(scan) !== ':') break
    scan.at++
    skipSpace(scan)
    const value = readValue(scan, 'an object', depth)
    if (value === undefined) return undefined
    object[name] = value
    const mark = next(scan)
    if (mark === '}') return pass(scan, 1, object)
    if (mark !== ',') break
    scan.at++
  }
  return unexpected(scan, 'an object')
}

function readArray(scan: Scan, depth: number): JsonValue | undefined {
  const array: JsonValue[] = []
  scan.at++
  if (next(scan) === ']') return pass(scan, 1, array)
  for (;;) {
    skipSpace(scan)
    const value = readValue(scan, 'an array', depth)
    if (value === undefined) return undefined
    array.push(value)
    const mark = next(scan)
    if (mark === ']') return pass(scan, 1, array)
    if (mark !== ',') return unexpected(scan, 'an array')
    scan.at++
  }
}

const quote = 0x22
const backslash = 0x5c

/** A plain string is a slice of the text. JSON.parse builds one with escapes, once they are checked. */
function readString(scan: Scan): string | undefined {
  const { text } = scan
  const start = scan.at
  let plain = true
  for (let at = start + 1; ; at++) {
    // Comparing codes instead of characters is a third faster.
    const code = text.charCodeAt(at)
    if (code === quote) {
      scan.at = at + 1
      // Engines copy a short slice; a longer one keeps the whole text in memory, as a pet's name would its body.
      const isCheapToKeep = at - start < 13 || text.length <= 1024
      return plain && isCheapToKeep ? text.slice(start + 1, at) : JSON.parse(text.slice(start, at + 1))
    }
    if (code === backslash) {
      plain = false
      scan.at = at + 1
      if (!passEscape(scan)) return unexpected(scan, 'a string')
      at = scan.at - 1
    } else if (!(code >= 0x20)) {
      // A control character, or NaN at the end of the text.
      scan.at = at
      return unexpected(scan, 'a string')
    }
  }
}

/** Whether a valid escape follows the backslash. It may be half of a surrogate pair (RFC 8259, section 8.2). */
function passEscape(scan: Scan): boolean {
  const { text } = scan
  if (text[scan.at] !== 'u') {
    if (!/["\\/bfnrt]/.test(text.charAt(scan.at))) return false
    scan.at++
    return true
  }
  for (const end = ++scan.at + 4; scan.at < end; scan.at++) {
    if (!/[0-9a-f]/i.test(text.charAt(scan.at))) return false
  }
  return true
}

function readNumber(scan: Scan, inside: string): number | bigint | undefined {
  const { text } = scan
  const start = scan.at
  if (text[start] === '-') scan.at++
  if (text[scan.at] === '0') scan.at++
  else if (!passDigits(scan)) return unexpected(scan, scan.at === start ? inside : 'a number')
  if (text[scan.at] === '.') {
    scan.at++
    if (!passDigits(scan)) return unexpected(scan, 'a number')
  }
  if (text[scan.at] === 'e' || text[scan.at] === 'E') {
    scan.at++
    if (text[scan.at] === '+' || text[scan.at] === '-') scan.at++
    if (!passDigits(scan)) return unexpected(scan, 'a number')
  }
  const number = exactNumber(text.slice(start, scan.at))
  if (scan.left !== undefined && !(Number.isFinite(Number(number)) && scan.at - start <= 400))
    return undefined
  return number
}

function passDigits(scan: Scan): boolean {
  const start = scan.at
  for (;;) {
    const code = scan.text.charCodeAt(scan.at)
    if (!(code >= 0x30 && code <= 0x39)) return scan.at > start
    scan.at++
  }
}

function tooDeep(scan: Scan): undefined {
  scan.problem = `nested deeper than ${maxDepth} levels`
}

/**
 * The value of a file, or undefined, and whether it has more than `most` values. It refuses what JSON allows and files do not: a name given
 * twice, `__proto__`, and numbers of no exact value.
 */
export function readStrictJson(
  text: string,
  most: number,
): { readonly value: JsonValue | undefined; readonly hasMore: boolean } {
  const scan: Scan = { text, at: 0, problem: '', left: most }
  skipSpace(scan)
  const value = readValue(scan, 'a value', 0)
  skipSpace(scan)
  return {
    value: scan.at === text.length ? value : undefined,
    hasMore: scan.left !== undefined && scan.left < 0,
  }
}

/** The offset of a path's value or key in a JSON text, or of its nearest existing parent. */
export function locateInJson(
  text: string,
  path: readonly (string | number)[],
  part: 'key' | 'value',
): number {
  const scan: Scan = { text, at: 0, problem: '' }
  skipSpace(scan)
  let key = scan.at
  for (const step of path) {
    const start = scan.at
    const found = typeof step === 'number' ? stepToItem(scan, step) : stepToMember(scan, step)
    if (found === undefined) return start
    key = found
  }
  return part === 'key' ? key : scan.at
}

/** Leaves the scan at the value, and returns the offset of its name. */
function stepToMember(scan: Scan, name: string): number | undefined {
  if (scan.text[scan.at] !== '{') return undefined
  do {
    scan.at += 1
    if (next(scan) !== '"') return undefined
    const at = scan.at
    const found = readString(scan)
    next(scan)
    scan.at += 1
    skipSpace(scan)
    if (found === name) return at
    readValue(scan, '', 0)
  } while (next(scan) === ',')
  return undefined
}

function stepToItem(scan: Scan, index: number): number | undefined {
  if (scan.text[scan.at] !== '[') return undefined
  for (let passed = 0; ; passed += 1) {
    scan.at += 1
    if (next(scan) === ']') return undefined
    if (passed === index) return scan.at
    readValue(scan, '', 0)
    if (next(scan) !== ',') return undefined
  }
}
