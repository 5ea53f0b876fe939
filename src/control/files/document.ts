import type { JsonValue } from '../../base/json/value.ts'
import { type Complaint, type Place, type Reading, refused } from './complaint.ts'
import { jsonProblem } from './json-syntax.ts'
import type { Path } from './show.ts'

/** A file's value, with the place of everything in it. */
export interface Document {
  readonly file: string
  readonly value: JsonValue
  /** The place of a path's value or key, or of its nearest existing parent. */
  locate(path: Path, part: 'key' | 'value'): Place
}

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
  const problem = /\.json$/i.test(file) ? jsonProblem(text) : undefined
  if (problem !== undefined) return refused({ file, ...problem })
  const { readYaml } = await import('./yaml.ts')
  const { value, problems, locate } = readYaml(text)
  if (problems.length > 0) return refused(...problems.map(problem => ({ file, ...problem })))
  return { ok: true, value: { file, value, locate } }
}

/** Wraps a value that comes from no file, so it has no places. */
export function documentOf(value: JsonValue): Document {
  return { file: '', value, locate: () => ({ line: 1, column: 1 }) }
}

export function complain(document: Document, path: Path, part: 'key' | 'value', message: string): Complaint {
  return { file: document.file, ...document.locate(path, part), message }
}

function byteLength(text: string): number {
  // Encoding 100 MB just to measure it would cost more than reading 1 MiB.
  return text.length > maxFileBytes ? text.length : new TextEncoder().encode(text).length
}
