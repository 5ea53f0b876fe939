/** A place in a file. Lines and columns count from 1. */
export interface Place {
  readonly line: number
  readonly column: number
}

/** One mistake in a file, and where it is. */
export interface Complaint extends Place {
  readonly file: string
  readonly message: string
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
