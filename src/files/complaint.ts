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

export function refused(...complaints: readonly Complaint[]): {
  readonly ok: false
  readonly complaints: readonly Complaint[]
} {
  return { ok: false, complaints }
}
