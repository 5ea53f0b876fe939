import type { JsonValue } from '../../base/json/value.ts'
import type { Path } from './show.ts'

/** A place in a file. Lines and columns count from 1. */
export interface Place {
  readonly line: number
  readonly column: number
}

export interface Complaint extends Place {
  readonly file: string
  readonly message: string
}

/** A file's value, with the place of everything in it. */
export interface Document {
  readonly file: string
  readonly value: JsonValue
  /** The place of a path's value or key, or of its nearest existing parent. */
  locate(path: Path, part: 'key' | 'value'): Place
}

interface Refused {
  readonly ok: false
  readonly complaints: readonly Complaint[]
}

/** The value of a file, or every mistake in it. */
export type Reading<T> = { readonly ok: true; readonly value: T } | Refused

export function formatComplaint({ file, line, column, message }: Complaint): string {
  return `${file}:${line}:${column}: ${message}`
}

/** By line within each file; the files keep their order. */
export function sortComplaints(complaints: readonly Complaint[]): readonly Complaint[] {
  const files = [...new Set(complaints.map(({ file }) => file))]
  return complaints.toSorted(
    (a, b) => files.indexOf(a.file) - files.indexOf(b.file) || a.line - b.line || a.column - b.column,
  )
}

export function refused(...complaints: readonly Complaint[]): Refused {
  return { ok: false, complaints }
}

export function complain(document: Document, path: Path, part: 'key' | 'value', message: string): Complaint {
  return { file: document.file, ...document.locate(path, part), message }
}
