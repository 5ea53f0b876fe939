import type { JsonValue } from '../../base/json/value.ts'
import { type Complaint, type Reading, refused } from './complaint.ts'
import { jsonProblem } from './json-syntax.ts'
import type { Path } from './show.ts'

/** A file's value, with the place of everything in it. */
export interface Document {
  readonly file: string
  readonly value: JsonValue
  /** Where a path's value, or the key that names it, stands; of a path that is not there, the nearest part that is. */
  locate(path: Path, part: 'key' | 'value'): Place
}

export interface Place {
  readonly line: number
  readonly column: number
}

export const maxFileBytes = 2 ** 20

/**
 * Reads YAML 1.2 (so JSON, too) with int64s exact, or tells everything that is wrong with its syntax. A file that is called
 * .json must be JSON: other programs will read it as that.
 */
export async function readDocument(file: string, text: string): Promise<Reading<Document>> {
  if (byteLength(text) > maxFileBytes) {
    return refused({
      file,
      line: 1,
      column: 1,
      message: 'the file is larger than 1 MiB, the most that is read',
    })
  }
  if (text.trim() === '') return refused({ file, line: 1, column: 1, message: 'the file is empty' })
  const problem = /\.json$/i.test(file) ? jsonProblem(text) : undefined
  if (problem !== undefined) return refused({ file, ...problem })
  const { readYaml } = await import('./yaml.ts')
  const read = readYaml(text)
  if (read.problems.length > 0)
    return { ok: false, complaints: read.problems.map(problem => ({ file, ...problem })) }
  return { ok: true, value: { file, value: read.value, locate: read.locate } }
}

/** A value that is in no file: it has no places. */
export function documentOf(value: JsonValue): Document {
  return { file: '', value, locate: () => ({ line: 1, column: 1 }) }
}

/** A complaint about something in a document. */
export function complain(document: Document, path: Path, part: 'key' | 'value', message: string): Complaint {
  return { file: document.file, ...document.locate(path, part), message }
}

function byteLength(text: string): number {
  // Encoding 100 MB only to measure it would cost more than to read 1 MiB.
  return text.length > maxFileBytes ? text.length : new TextEncoder().encode(text).length
}
