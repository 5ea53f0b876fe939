import { scanJson } from '../../base/json/read.ts'
import { placeInText } from '../../base/json/scan.ts'
import type { JsonValue } from '../../base/json/value.ts'
import { type Document, type Place, type Reading, refused } from './complaint.ts'

export const maxFileBytes = 2 ** 20

/**
 * Reads YAML 1.2, JSON included, with int64s exact, or lists every syntax error. A file named .json must be JSON, because
 * other programs read it as JSON.
 */
export async function readDocument(file: string, text: string): Promise<Reading<Document>> {
  const start = { file, line: 1, column: 1 }
  if (byteLength(text) > maxFileBytes)
    return refused({ ...start, message: 'the file is larger than 1 MiB, the limit' })
  if (text.trim() === '') return refused({ ...start, message: 'the file is empty' })
  const problem = /\.json$/i.test(file) && jsonProblem(text)
  if (problem) return refused({ file, ...problem })
  const { readYaml } = await import('./yaml.ts')
  return readYaml(file, text)
}

/** Wraps a value that comes from no file, so it has no places. */
export function documentOf(value: JsonValue): Document {
  return { file: '', value, locate: () => ({ line: 1, column: 1 }) }
}

function byteLength(text: string): number {
  // Encoding 100 MB just to measure it would cost more than reading 1 MiB.
  return text.length > maxFileBytes ? text.length : new TextEncoder().encode(text).length
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
