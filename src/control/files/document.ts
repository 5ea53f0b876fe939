import { readStrictJson, scanJson } from '../../base/json/read.ts'
import { placeInText } from '../../base/json/scan.ts'
import type { JsonValue } from '../../base/json/value.ts'
import { groupDigits } from '../../base/text/quantities.ts'
import { type Document, type Place, type Reading, refused } from './complaint.ts'

export const maxFileBytes = 2 ** 20

/** What a file may have. Values of JSON and tokens of YAML bound the memory that it takes. */
interface FileLimits {
  readonly bytes: number
  readonly values: number
  readonly tokens: number
}

/** Without a limit of tokens, a hostile file of 1 MiB keeps the library busy for ten seconds. */
const usualLimits: FileLimits = { bytes: maxFileBytes, values: 100_000, tokens: 100_000 }

/** Real OpenAPI files are large: GitHub's has 13 MB. */
export const descriptionLimits: FileLimits = { bytes: 2 ** 24, values: 1_000_000, tokens: 3_000_000 }

/** Reads YAML 1.2 with exact int64s. A file named .json must be JSON: other programs read it as JSON. */
export async function readDocument(
  file: string,
  text: string,
  limits: FileLimits = usualLimits,
): Promise<Reading<Document>> {
  const start = { file, line: 1, column: 1 }
  // Encoding 100 MB just to measure it would cost more than reading it.
  const size = text.length > limits.bytes ? text.length : new TextEncoder().encode(text).length
  if (size > limits.bytes)
    return refused({ ...start, message: `the file is larger than ${limits.bytes / 2 ** 20} MiB, the limit` })
  if (text.trim() === '') return refused({ ...start, message: 'the file is empty' })
  const isJson = /\.json$/i.test(file)
  const { readYaml } = await import('./yaml.ts')
  const { value, hasMore } = isJson
    ? readStrictJson(text, limits.values)
    : { value: undefined, hasMore: false }
  if (hasMore)
    return refused({ ...start, message: `the file has more than ${groupDigits(limits.values)} values` })
  const problem = isJson && value === undefined && jsonProblem(text)
  if (problem) return refused({ file, ...problem })
  if (value === undefined) return readYaml(file, text, limits.tokens)
  return { ok: true, value: jsonDocument(file, value, () => readYaml(file, text, limits.tokens)) }
}

/** Wraps a value that comes from no file, so it has no places. */
export function documentOf(value: JsonValue): Document {
  return { file: '', value, locate: () => ({ line: 1, column: 1 }) }
}

/** JSON is also YAML, whose reader finds places. It takes ten times as long, so it runs when a place is asked for. */
function jsonDocument(file: string, value: JsonValue, read: () => Reading<Document>): Document {
  let reading: Reading<Document> | undefined
  return {
    file,
    value,
    locate: (path, part) => {
      reading ??= read()
      return (reading.ok ? reading.value : documentOf(value)).locate(path, part)
    },
  }
}

/** Why a text is not JSON, and where; undefined if it is JSON. */
function jsonProblem(text: string): (Place & { readonly message: string }) | undefined {
  const scan = scanJson(text)
  if (scan.value !== undefined) return undefined
  return { ...placeInText(text, scan.at), message: `not valid JSON: ${scan.problem}${hint(text, scan.at)}` }
}

/** Names the rule of JSON behind a habit from another notation. */
function hint(text: string, at: number): string {
  const found = text.charAt(at)
  if (found === '/' || found === '#') return '; JSON has no comments'
  if (/[\]}]/.test(found) && /,\s*$/.test(text.slice(0, at))) return '; remove the comma after the last item'
  if (/['\w]/.test(found) && /[{,:[]\s*$/.test(text.slice(0, at)))
    return '; put names and texts in double quotes'
  return ''
}

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
