/** One thing that is wrong in a file, and where. Lines and columns count from 1. */
export interface Complaint {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly message: string
}

/** What reading a file comes to: its value, or everything that is wrong with it. */
export type Reading<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly complaints: readonly Complaint[] }

export function formatComplaint({ file, line, column, message }: Complaint): string {
  return `${file}:${line}:${column}: ${message}`
}

/** In the order of the lines of each file, the files in the order in which they came. */
export function sortComplaints(complaints: readonly Complaint[]): readonly Complaint[] {
  const files = [...new Set(complaints.map(({ file }) => file))]
  return complaints.toSorted(
    (a, b) => files.indexOf(a.file) - files.indexOf(b.file) || a.line - b.line || a.column - b.column,
  )
}

export function refused(...complaints: readonly Complaint[]): {
  readonly ok: false
  readonly complaints: readonly Complaint[]
} {
  return { ok: false, complaints }
}
